import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { runProgram } from '../shared/program.ts';

const folder = import.meta.dirname;
const { resolve } = createRequire(import.meta.url);
const astro = join(dirname(resolve('astro/config')), '../..');

/** Runs `astro build`, unless it has been run with the same sources. */
export function buildApplication(): Promise<void> {
  const packages = ['core', 'astro', 'adapter-sql'].map((name) => join(folder, '../../packages', name, 'dist'));
  return buildWhenNeeded(
    {
      sources: [folder, join(folder, '../shared'), ...packages],
      without: ['test', 'dist', '.astro', '.data', 'README.md', '*.tsbuildinfo', '**/*.d.ts.map'],
      output: join(folder, 'dist'),
      others: [join(astro, 'package.json')],
    },
    async () => {
      console.log('Building the application, which takes about 5 seconds …');
      await runProgram(join(astro, 'bin/astro.mjs'), ['build'], {
        cwd: folder,
        env: { ASTRO_TELEMETRY_DISABLED: '1' },
      });
    },
  );
}
