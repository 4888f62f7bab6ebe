import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { nothingWrong, svelteCheck } from '../../../../test/compat/svelte-check.ts';

const build = new URL('../../build.ts', import.meta.url).href;

// Beside the tests in the browser, since one of them may build at a time.
it('the types of the demo hold', async () => {
  // In a process of its own: before the first build, what the demo's tsconfig extends is not there for whoever compiles its files.
  const program = `import { buildApplication } from '${build}'; await buildApplication('');`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(await svelteCheck(`${import.meta.dirname}/../..`)).toBe(nothingWrong);
}, 1_200_000);
