import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ends = fileURLToPath(new URL('../../../../scripts/end-with-parent.mjs', import.meta.url));
const compiler = fileURLToPath(new URL('../../../../node_modules/typescript-7/bin/tsc', import.meta.url));

/** A Next application of which nothing is built yet. */
export interface Application {
  /** Its folder. */
  readonly folder: string;
  /** Folder of the `next` package that builds and serves it. */
  readonly next: string;
}

/** `next build`. */
export async function build(application: Application): Promise<void> {
  const { child, output } = run(application, ['build'], {});
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`next build has failed:\n${output.join('')}`);
}

/**
 * The types of an application that was built, with those that the build has written.
 *
 * @returns What TypeScript complains about; '' when there is nothing.
 */
export async function typeFaults(folder: string): Promise<string> {
  const child = spawn(process.execPath, [compiler, '-p', folder, '--incremental', 'false', '--pretty', 'false']);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text));
  }
  const [code] = await once(child, 'close');
  return code === 0 ? '' : output.join('').trim() || `tsc ended with ${code}`;
}

/** An application that answers. */
export interface Served {
  readonly port: number;
  /** What it has written so far. */
  log(): string;
  stop(): Promise<void>;
}

/** `next start` on a free port of 127.0.0.1; `env` says everything about authentication. */
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
    env: { ...withoutOurs(process.env), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text));
  }
  return { child, output };
}

/** The machine's own settings do not matter, nor those by which a test runner tells that it is one. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(AUTH_|NEXTAUTH_|VITEST|NODE_OPTIONS|TEST$|VERCEL)/.test(name),
  );
  return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}
