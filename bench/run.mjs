import { installPrograms, missingPrograms, programs } from '../scripts/programs.mjs';
import { exitWith, run } from '../scripts/run.mjs';
import { build, lockedFolders, root, setup } from '../scripts/setup.mjs';

// `npm run bench`: the table of docs/performance.md. `npm run bench -- stores`: databases of several sizes, and
// adapters of other projects. `npm run bench -- profile <work>`: a profile of a line. See README.md.
const MAINS = new Map([
  ['stores', 'bench/sessions/main.ts'],
  ['profile', 'bench/profile.ts'],
]);

await exitWith(async () => {
  const { node } = setup(lockedFolders());
  const { postgres, mariadb, redis } = programs;
  await installPrograms(missingPrograms([postgres, mariadb, redis]));
  await build(node);
  const [first = '', ...others] = process.argv.slice(2);
  const main = MAINS.get(first);
  const options = main ? others : process.argv.slice(2);
  return run(node, ['--import', './scripts/end-with-parent.mjs', main ?? 'bench/main.ts', ...options], { cwd: root });
});
