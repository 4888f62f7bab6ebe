import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import { buildWhenNeeded } from '../../../../scripts/build-when-needed.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const latchkey = ['core', 'tanstack-start', 'testing'].map((name) => join(packages, name, 'dist'));

const contract = join(packages, 'tanstack-start/test/apps/contract');

/** The parts of the suite that Start lacks. */
export const features = {
  // Start has no setting for proxies: `trustHost` decides about forwarded headers.
  ignoresProxy: false,
  refusesHosts: false,
  // Start has no parsers of bodies.
  parseBodies: false,
};

/**
 * Starts the application of the suite in a process of its own.
 *
 * @param app The folder with the build's configuration, and with the Start that it uses. Default: that of the sources.
 */
export async function start(setup: BindingSetup, app: string = contract) {
  const server = await build(app, setup.base ?? '');
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', BINDING_SETUP: JSON.stringify(setup) };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts'), server], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { origin: new URL(url).origin, stop: () => void child.kill() };
}

/**
 * Builds an application for production, unless the last build is up to date.
 *
 * @param base The base path of the router, such as `/shop`; '' for the root.
 * @returns The file with the server.
 */
async function build(app: string, base: string): Promise<string> {
  const { resolve } = createRequire(join(app, 'package.json'));
  const vite = resolve('vite/package.json');
  const sources = [join(contract, 'src'), join(app, 'vite.config.ts'), join(app, 'package.json')];
  const output = join(app, `build${base || '/root'}`);
  const parts = { sources: [...sources, vite, ...latchkey], without: ['*.gen.ts', '**/*.d.ts.map'], output };
  await buildWhenNeeded({ ...parts, others: [resolve('@tanstack/react-start/package.json')] }, async () => {
    await promisify(execFile)(process.execPath, [join(vite, '../bin/vite.js'), 'build'], {
      cwd: app,
      env: { ...process.env, NODE_ENV: 'production', BASE_PATH: base },
    });
  });
  return join(output, 'server/server.js');
}
