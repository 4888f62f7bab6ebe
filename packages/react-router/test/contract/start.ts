import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import { buildWhenNeeded } from '../../../../scripts/build-when-needed.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const latchkey = ['core/src', 'react-router/src', 'testing/src'].map((path) => join(packages, path));

const configuration = ['vite.config.ts', 'react-router.config.ts', 'package.json'];

/** The folder of the application that the suite tests. */
export const app: string = fileURLToPath(new URL('../app', import.meta.url));

/**
 * Builds an application for production with the React Router that its folder resolves, unless the last build is up to
 * date.
 *
 * @returns The file with the server's part.
 */
export async function buildApp(folder: string): Promise<string> {
  const dev = createRequire(join(folder, 'package.json')).resolve('@react-router/dev/package.json');
  const { bin } = JSON.parse(readFileSync(dev, 'utf8')) as { bin: Record<string, string> };
  const program = bin['react-router'] ?? '';
  const sources = [join(app, 'app'), ...configuration.map((name) => join(folder, name))];
  const output = join(folder, 'build');
  await buildWhenNeeded({ sources: [...sources, dev, ...latchkey], without: [], output, others: [] }, async () => {
    const env = { ...process.env, NODE_ENV: 'production' as const };
    await promisify(execFile)(process.execPath, [join(dev, '..', program), 'build'], { cwd: folder, env });
  });
  return join(output, 'server/index.js');
}

/** Starts the server of a built application. */
export async function serve(build: string, setup: BindingSetup = {}, program = join(import.meta.dirname, 'server.ts')) {
  const server = spawn(process.execPath, [program], {
    env: { NODE_ENV: 'production', BINDING_SETUP: JSON.stringify(setup), BINDING_BUILD: build },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // React Router 7 warns of each malformed path.
  let warnings = '';
  server.stderr.on('data', (text) => {
    warnings += text;
  });
  const [port] = await Promise.race([
    once(server.stdout, 'data'),
    once(server, 'exit').then(() => Promise.reject(new Error(`the server has not started: ${warnings}`))),
  ]);
  return { origin: `http://127.0.0.1:${String(port).trim()}`, stop: () => void server.kill() };
}
