import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { runProgram } from '../shared/program.ts';

const folder = import.meta.dirname;
const { resolve } = createRequire(import.meta.url);

/** Runs `vite build`, unless it has been run with the same sources. */
export function buildApplication(): Promise<void> {
  const packages = ['core', 'h3', 'adapter-sql'].map((name) => join(folder, '../../packages', name, 'dist'));
  return buildWhenNeeded(
    {
      sources: [folder, join(folder, '../shared'), ...packages],
      without: ['test', 'dist', '.data', 'README.md', '*.gen.ts', '*.tsbuildinfo', '**/*.d.ts.map'],
      output: join(folder, 'dist'),
      others: [resolve('vite/package.json')],
    },
    async () => {
      console.log('Building the application, which takes about 10 seconds …');
      await runProgram(join(resolve('vite/package.json'), '../bin/vite.js'), ['build'], { cwd: folder, env: {} });
    },
  );
}
