import { delimiter, dirname, join } from 'node:path';
import { build } from './build.mjs';
import { exitWith } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

// `npm test`: from nothing. Arguments go to vitest: `npm test -- packages/core/test/arrows.test.ts`. Without any, all is tested.
await exitWith(async () => {
  const { node, chromium } = await setup({ browser: true, others: true });
  await build(node);
  const env = {
    ...process.env,
    PATH: [dirname(node), process.env['PATH']].join(delimiter),
    // The tests start hundreds of programs, most of them the same ones again.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...(chromium && { CHROMIUM_PATH: chromium }),
  };
  return run(node, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)], { cwd: root, env });
});
