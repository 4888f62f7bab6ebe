import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWhenNeeded } from '../../../../scripts/build-when-needed.ts';

export { configOfTest, typeFaults } from '../../../../test/next-build.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const ends = `${root}scripts/end-with-parent.mjs`;

/** A Next.js application. */
export interface Application {
  /** Its folder. */
  readonly folder: string;
  /** Folder of the `next` package that builds and serves it. */
  readonly next: string;
}

/** The built packages that an application of Latchkey contains. */
export const latchkey: readonly string[] = ['core', 'next'].map((name) => `${root}packages/${name}/dist`);

/** How to build an application whose folder is not the place of its sources. */
export interface Sources {
  /** The folders that the application is made of, beside `next`. Default: its folder and {@link latchkey}. */
  readonly from?: readonly string[];
  /** Writes the sources to the folder. */
  readonly lay?: () => void;
  /** Further arguments of `next build`. */
  readonly options?: readonly string[];
}

/** Runs `next build`, unless the last build was made of the same sources. */
export function build(application: Application, { from, lay, options = [] }: Sources = {}): Promise<void> {
  const { folder, next } = application;
  return buildWhenNeeded(
    {
      sources: [...(from ?? [folder, ...latchkey]), `${next}/package.json`],
      without: ['.next', 'next-env.d.ts', '*.tsbuildinfo', '**/*.d.ts.map'],
      output: join(folder, '.next'),
      others: [],
    },
    async () => {
      lay?.();
      await runBuild(application, options);
    },
  );
}

async function runBuild(application: Application, options: readonly string[]): Promise<void> {
  const { child, output } = run(application, ['build', ...options], {});
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`next build has failed:\n${output.join('')}`);
}

/** An application that answers. */
export interface Served {
  readonly port: number;
  /** Its output so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Runs `next start` on a free port of 127.0.0.1; `env` holds all settings of the authentication. */
export async function serve(application: Application, env: Record<string, string>): Promise<Served> {
  const { child, output } = run(application, ['start', '-p', '0', '-H', '127.0.0.1'], env);
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const written = output.join('');
      const address = /http:\/\/127\.0\.0\.1:(\d+)/.exec(written);
      if (address && written.includes('Ready')) resolve(Number(address[1]));
    });
    child.once('close', () => reject(new Error(`next start has ended:\n${output.join('')}`)));
  });
  return {
    port,
    log: () => output.join(''),
    async stop() {
      if (child.exitCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function run(
  { folder, next }: Application,
  args: string[],
  env: Record<string, string>,
): { child: ChildProcess; output: string[] } {
  const output: string[] = [];
  const child = spawn(process.execPath, ['--import', ends, `${next}/dist/bin/next`, ...args], {
    cwd: folder,
    env: { ...withoutSettings(process.env), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text));
  }
  return { child, output };
}

/** Removes the machine's own settings, and the variables by which a test runner is recognized. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(AUTH_|NEXTAUTH_|VITEST|NODE_OPTIONS|TEST$|VERCEL)/.test(name),
  );
  return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}
