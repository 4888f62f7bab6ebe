import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Which library answers behind the names that the application imports, and on which Express. */
export interface Variant {
  readonly library: 'original' | 'ours';
  readonly express: 4 | 5;
}

/** The application in a process of its own. */
export interface RunningApp extends Variant {
  readonly origin: string;
  stop(): Promise<void>;
}

const file = (name: string): string => new URL(name, import.meta.url).pathname;

/**
 * Starts the application.
 *
 * @param env Its environment variables.
 * @throws {Error} with its output if it ends before it listens.
 */
export async function startApp({ library, express }: Variant, port: number, env: object): Promise<RunningApp> {
  const app = spawn(process.execPath, ['--import', file('names.mjs'), file('app.ts')], {
    env: {
      ...env,
      LIBRARY: library,
      EXPRESS: String(express),
      PORT: String(port),
      // The wildcard of the documentation is Express 4's, and the original knows no other.
      ...(express === 5 && { AUTH_MOUNT: '/auth' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await listening(app);
  return { library, express, origin: `http://127.0.0.1:${port}`, stop: () => stop(app) };
}

async function listening(app: ChildProcess): Promise<void> {
  const said: string[] = [];
  app.stderr?.on('data', (text) => void said.push(String(text)));
  for await (const line of createInterface({ input: app.stdout as NodeJS.ReadableStream })) {
    said.push(line);
    if (line.startsWith('listening on')) {
      app.stdout?.resume();
      return;
    }
  }
  throw new Error(`the application has ended:\n${said.join('\n')}`);
}

async function stop(app: ChildProcess): Promise<void> {
  if (app.exitCode !== null) return;
  const ended = once(app, 'exit');
  app.kill();
  await ended;
}
