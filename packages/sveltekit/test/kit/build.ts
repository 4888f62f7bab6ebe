import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildWhenNeeded } from '../../../../scripts/build-when-needed.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const parts = ['core/dist', 'sveltekit/dist', 'sveltekit/components', 'testing/dist'];
const latchkey = parts.map((path) => join(packages, path));

/**
 * Builds an application for production with the Kit that its folder resolves, unless the last build is up to date.
 *
 * @returns The folder with the server.
 */
export async function buildKit(app: string): Promise<string> {
  const { resolve } = createRequire(join(app, 'package.json'));
  const vite = resolve('vite/package.json');
  const sources = [join(app, 'src'), join(app, 'vite.config.ts'), join(app, 'package.json'), vite, ...latchkey];
  const output = join(app, '.svelte-kit');
  await buildWhenNeeded({ sources, without: ['**/*.d.ts.map'], output, others: [] }, async () => {
    await promisify(execFile)(process.execPath, [join(vite, '../bin/vite.js'), 'build'], {
      cwd: app,
      env: { ...process.env, NODE_ENV: 'production' },
    });
  });
  return join(output, 'output', 'server');
}
