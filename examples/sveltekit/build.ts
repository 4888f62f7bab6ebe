import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildWhenNeeded } from '../../scripts/build-when-needed.ts';
import { runProgram } from '../shared/program.ts';

const folder = import.meta.dirname;
const { resolve } = createRequire(import.meta.url);
const vite = join(resolve('vite/package.json'), '../bin/vite.js');

/**
 * Runs `vite build`, unless it has been run with the same sources.
 *
 * @param basePath The application's base path, such as `/shop`; '' for the root.
 * @returns The folder with the server.
 */
export async function buildApplication(basePath: string): Promise<string> {
  const output = join(folder, `build${basePath || '/root'}`);
  const packages = ['core/dist', 'sveltekit/dist', 'sveltekit/components', 'adapter-sql/dist'];
  await buildWhenNeeded(
    {
      sources: [folder, join(folder, '../shared'), ...packages.map((name) => join(folder, '../../packages', name))],
      without: ['test', 'build', '.svelte-kit', '.data', 'README.md', '*.tsbuildinfo', '**/*.d.ts.map'],
      output,
      others: [resolve('@sveltejs/kit/package.json'), basePath],
    },
    async () => {
      console.log('Building the application, which takes about 5 seconds …');
      await runProgram(vite, ['build'], { cwd: folder, env: { BASE_PATH: basePath } });
    },
  );
  return output;
}
