import { build } from '../scripts/build.mjs';
import { exitWith } from '../scripts/problem.mjs';
import { root } from '../scripts/root.mjs';
import { run } from '../scripts/run.mjs';
import { setup } from '../scripts/setup.mjs';

// `npm run bench`: how long a look at a session takes; `npm run bench -- providers`: with how many providers. See README.md.
await exitWith(async () => {
  const { node } = await setup({ others: true });
  await build(node);
  const [first, ...others] = process.argv.slice(2);
  const [main, options] =
    first === 'providers' ? ['bench/providers/main.ts', others] : ['bench/sessions/main.ts', process.argv.slice(2)];
  return run(node, ['--import', './scripts/end-with-parent.mjs', main, ...options], { cwd: root });
});
