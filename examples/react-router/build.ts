import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { runProgram } from '../shared/program.ts';

const folder = import.meta.dirname;
const { resolve } = createRequire(import.meta.url);
const dev = resolve('@react-router/dev/package.json');

/** Runs `react-router build`, unless it has been run with the same sources. */
export function buildApplication(): Promise<void> {
  const packages = ['core', 'react-router', 'adapter-sql'].map((name) => join(folder, '../../packages', name, 'dist'));
  return buildWhenNeeded(
    {
      sources: [folder, join(folder, '../shared'), ...packages],
      without: ['test', 'build', '.react-router', '.data', 'README.md', '*.tsbuildinfo', '**/*.d.ts.map'],
      output: join(folder, 'build'),
      others: [dev],
    },
    async () => {
      console.log('Building the application, which takes about 5 seconds …');
      await runProgram(join(dev, '../bin.cjs'), ['build'], { cwd: folder, env: {} });
    },
  );
}
