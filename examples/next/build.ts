import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { runProgram } from '../shared/program.ts';

const folder = import.meta.dirname;
const { resolve } = createRequire(import.meta.url);

/** The command `next`. */
export const next: string = join(resolve('next/package.json'), '../dist/bin/next');

/**
 * Runs `next build`, unless it has been run with the same sources.
 *
 * @param basePath The application's base path, such as `/shop`; '' for the root.
 */
export function buildApplication(basePath: string): Promise<void> {
  const packages = ['core', 'next', 'adapter-sql'].map((name) => join(folder, '../../packages', name, 'dist'));
  return buildWhenNeeded(
    {
      sources: [folder, join(folder, '../shared'), ...packages],
      without: ['test', 'build', '.next', '.data', 'next-env.d.ts', 'README.md', '*.tsbuildinfo', '**/*.d.ts.map'],
      output: join(folder, basePath ? `build${basePath}` : '.next'),
      others: [resolve('next/package.json'), basePath],
    },
    async () => {
      console.log('Building the application, which takes about 10 seconds …');
      await runProgram(next, ['build'], { cwd: folder, env: { BASE_PATH: basePath, NEXT_TELEMETRY_DISABLED: '1' } });
    },
  );
}
