import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { install, root } from '../../scripts/setup.mjs';
import { runProgram } from '../shared/program.ts';

const folder = import.meta.dirname;
/** Nuxt is not in the lockfile of the root, because it is large. */
const nuxt = join(root, 'test/compat/nuxt-4');

/** Runs `nuxt build`, unless it has been run with the same sources. */
export function buildApplication(): Promise<void> {
  install(nuxt);
  const packages = ['core', 'h3', 'nuxt', 'adapter-sql'].map((name) => join(root, 'packages', name, 'dist'));
  return buildWhenNeeded(
    {
      sources: [folder, join(folder, '../shared'), ...packages, join(nuxt, 'package.json')],
      without: ['test', '.nuxt', '.output', '.data', 'README.md', '**/*.d.ts.map'],
      output: join(folder, '.output'),
      others: [],
    },
    async () => {
      console.log('Building the application, which takes about 30 seconds …');
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
      symlinkSync(join(nuxt, 'node_modules'), join(folder, 'node_modules'));
      await runProgram(join(nuxt, 'node_modules/nuxt/bin/nuxt.mjs'), ['build'], {
        cwd: folder,
        env: { NUXT_TELEMETRY_DISABLED: '1' },
      });
    },
  );
}
