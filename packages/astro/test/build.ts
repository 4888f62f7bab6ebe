import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildWhenNeeded } from '../../../scripts/build-when-needed.ts';

const packages = fileURLToPath(new URL('../../', import.meta.url));
const latchkey = ['core/dist', 'astro/dist', 'testing/dist'].map((path) => join(packages, path));
const ends = pathToFileURL(join(packages, '../scripts/end-with-parent.mjs')).href;

/**
 * Runs `astro build` with the Astro that the folder resolves, unless the last build is up to date.
 *
 * @param env Variables that the configuration of the application reads.
 * @returns The folder with the output.
 */
export async function buildAstro(folder: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { resolve } = createRequire(join(folder, 'package.json'));
  const manifest = join(dirname(resolve('astro/config')), '../../package.json');
  const settings = JSON.stringify(env);
  const output = join(folder, 'dist', settings.replace(/\W+/g, '-'));
  const sources = ['src', 'astro.config.mjs', 'package.json'].map((name) => join(folder, name));
  await buildWhenNeeded(
    { sources: [...sources, ...latchkey], without: ['**/*.d.ts.map'], output, others: [settings, manifest] },
    async () => {
      const { child, output: said } = run([join(manifest, '../bin/astro.mjs'), 'build'], folder, {
        ...env,
        OUT_DIR: output,
      });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`astro build has failed:\n${said.join('')}`);
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

/** Serves the output on a free port of 127.0.0.1. `env` has all settings of the authentication. */
export async function serveAstro(output: string, env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const { child, output: said } = run([join(output, 'server/entry.mjs')], output, {
    ...env,
    HOST: '127.0.0.1',
    PORT: '0',
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
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const output: string[] = [];
  const child: ChildProcess = spawn(process.execPath, ['--import', ends, ...args], {
    cwd,
    env: { ...withoutSettings(process.env), NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', ...env },
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
