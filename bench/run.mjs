import { build } from '../scripts/build.mjs';
import { exitWith } from '../scripts/problem.mjs';
import { root } from '../scripts/root.mjs';
import { run } from '../scripts/run.mjs';
import { setup } from '../scripts/setup.mjs';

// `npm run bench`: the table of docs/performance.md. `npm run bench -- stores`: sizes of databases and other people's adapters.
// `npm run bench -- profile <work>`: where the time of a line goes. See README.md.
const MAINS = new Map([
  ['stores', 'bench/sessions/main.ts'],
  ['profile', 'bench/profile.ts'],
]);

await exitWith(async () => {
  const { node } = await setup({ others: true });
  await build(node);
  const [first = '', ...others] = process.argv.slice(2);
  const main = MAINS.get(first);
  const options = main ? others : process.argv.slice(2);
  return run(node, ['--import', './scripts/end-with-parent.mjs', main ?? 'bench/main.ts', ...options], { cwd: root });
});
