import { build } from '../scripts/build.mjs';
import { exitWith } from '../scripts/problem.mjs';
import { root } from '../scripts/root.mjs';
import { run } from '../scripts/run.mjs';
import { setup } from '../scripts/setup.mjs';

// `npm run bench`: how long a look at a session takes. See README.md.
await exitWith(async () => {
  const { node } = await setup({ others: true });
  await build(node);
  const program = ['--import', './scripts/end-with-parent.mjs', 'bench/sessions/main.ts'];
  return run(node, [...program, ...process.argv.slice(2)], { cwd: root });
});
