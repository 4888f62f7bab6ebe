import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { nothingWrong, svelteCheck } from '../../../../test/compat/svelte-check.ts';

const build = new URL('../../build.ts', import.meta.url).href;

// In the folder of the browser tests, which build the demo one at a time.
it('the types of the demo are correct', async () => {
  // The build needs its own process: vitest would read the demo's tsconfig, which extends a file of the first build.
  const program = `import { buildApplication } from '${build}'; await buildApplication('');`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(await svelteCheck(`${import.meta.dirname}/../..`)).toBe(nothingWrong);
}, 1_200_000);
