import { build } from './build.mjs';
import { exitWith } from './problem.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

// `npm start`: the Express example, from nothing.
await exitWith(async () => {
  const { node } = await setup();
  await build(node);
  const program = ['--import', './scripts/end-with-parent.mjs', 'examples/express/server.ts'];
  return run(node, [...program, ...process.argv.slice(2)], { cwd: root });
});
