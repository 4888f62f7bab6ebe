import { build } from './build.mjs';
import { exitWith } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

// `npm start`: the Express example, from nothing.
await exitWith(async () => {
  const { node } = setup();
  await build(node);
  return run(node, ['examples/express/server.ts', ...process.argv.slice(2)], { cwd: root });
});
