import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildWhenNeeded } from '../../../scripts/build-when-needed.ts';

const packages = fileURLToPath(new URL('../../', import.meta.url));
const latchkey = ['core/dist', 'h3/dist', 'nuxt/dist', 'testing/dist'].map((path) => join(packages, path));
const ends = pathToFileURL(join(packages, '../scripts/end-with-parent.mjs')).href;
const nuxt4 = join(packages, '../test/compat/nuxt-4');

/**
 * Runs `nuxt build` in a folder, unless the last build is up to date.
 *
 * @param compat The folder in which Nuxt is installed.
 * @returns The folder with the output.
 */
export async function buildNuxt(folder: string, compat: string = nuxt4): Promise<string> {
  const output = join(folder, '.output');
  // `app` is that of Nuxt 4, `pages` of Nuxt 3.
  const sources = ['app', 'pages', 'server', 'nuxt.config.ts'].map((name) => join(folder, name)).filter(existsSync);
  const manifest = join(compat, 'package.json');
  await buildWhenNeeded(
    { sources: [...sources, ...latchkey, manifest], without: ['**/*.d.ts.map'], output, others: [] },
    async () => {
      // Nuxt resolves its packages from the folder of the application.
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
      symlinkSync(join(compat, 'node_modules'), join(folder, 'node_modules'));
      const { child, output: said } = run([join(compat, 'node_modules/nuxt/bin/nuxt.mjs'), 'build'], folder);
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`nuxt build has failed:\n${said.join('')}`);
    },
  );
  return output;
}

/** An application that listens. */
export interface Served {
  readonly origin: string;
  /** Its output so far. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Serves the output on a free port of 127.0.0.1.
 *
 * @param env All settings of the application.
 */
export async function serveNuxt(output: string, env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const { child, output: said } = run([join(output, 'server/index.mjs')], output, {
    ...env,
    NITRO_HOST: '127.0.0.1',
    NITRO_PORT: '0',
  });
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said.join(''));
      if (address) resolve(address[0]);
    });
    child.once('close', () => reject(new Error(`the server has ended:\n${said.join('')}`)));
  });
  return {
    origin,
    log: () => said.join(''),
    async stop() {
      if (child.exitCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const output: string[] = [];
  const child: ChildProcess = spawn(process.execPath, ['--import', ends, ...args], {
    cwd,
    env: { ...withoutSettings(process.env), NODE_ENV: 'production', NUXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => void output.push(text));
  return { child, output };
}

/** Removes the machine's own settings, and the variables by which a test runner is recognized. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(AUTH_|VITEST|NODE_OPTIONS|TEST$)/.test(name)));
}
