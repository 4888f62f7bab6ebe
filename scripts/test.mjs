import { delimiter, dirname } from 'node:path';
import { build } from './build.mjs';
import { exitWith } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

// `npm test`: all tests, from nothing. Arguments go to vitest: `npm test -- packages/core/test/arrows.test.ts`.
await exitWith(async () => {
  const { node, chromium } = await setup({ browser: true, others: true });
  await build(node);
  const env = {
    ...process.env,
    PATH: [dirname(node), process.env['PATH']].join(delimiter),
    ...(chromium && { CHROMIUM_PATH: chromium }),
  };
  return run(node, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)], { cwd: root, env });
});
