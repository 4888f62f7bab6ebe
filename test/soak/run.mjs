import { installPrograms, missingPrograms, programs } from '../../scripts/programs.mjs';
import { exitWith, run } from '../../scripts/run.mjs';
import { root, setup } from '../../scripts/setup.mjs';

// `npm run soak -- --minutes 1 --seed 7`: traffic while parts of a site are killed; see test/soak/README.md.
await exitWith(async () => {
  const { node } = setup();
  await installPrograms(missingPrograms([programs.postgres, programs.redis]));
  const imports = ['./scripts/end-with-parent.mjs', './packages/adapter-sql/test/faults/sources.mjs'];
  const options = imports.flatMap((file) => ['--import', file]);
  return run(node, [...options, 'test/soak/main.ts', ...process.argv.slice(2)], { cwd: root });
});
