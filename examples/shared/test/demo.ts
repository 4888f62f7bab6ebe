import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export { freePort } from '../../../test/services/port.ts';

/** A demo that runs in its own process. */
export interface Demo {
  readonly origin: string;
  /** Its output so far. */
  output(): string;
  /** Sends a signal and waits until the process has ended. Resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Makes a folder for the demo's data. The caller removes it. */
export function dataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-demo-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Makes a folder for the demo's data, which is removed when the current test ends. */
export function testFolder(): string {
  const { path, remove } = dataFolder();
  onTestFinished(remove);
  return path;
}

/**
 * Starts the demo and waits until it is ready.
 *
 * @param example Its folder in `examples`.
 * @param folder The folder for its data.
 */
export async function startDemo(
  example: string,
  port: number,
  folder: string,
  env: Record<string, string> = {},
): Promise<Demo> {
  const { child, text, ended } = run(example, { PORT: String(port), DATA_DIR: folder, ...env });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => text().includes('Ctrl-C') && resolve());
    ended.then((code) => reject(new Error(`the demo ended with ${code}: ${text()} (npm run build?)`)), reject);
  });
  return {
    origin: `http://localhost:${port}`,
    output: text,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs a demo that is expected to end by itself, because it cannot start. */
export async function runDemo(
  example: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { child, ended, text } = run(example, env);
  // A demo that starts in spite of this must not keep running.
  const patience = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const code = await ended;
  clearTimeout(patience);
  return { code, output: text() };
}

interface Run {
  child: ChildProcess;
  text(): string;
  ended: Promise<number | null>;
}

function run(example: string, env: Record<string, string>): Run {
  const program = fileURLToPath(new URL(`../../${example}/start.ts`, import.meta.url));
  const { AUTH_SECRET: _, AUTH_URL: __, DATABASE_URL: ___, ...inherited } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part) => parts.push(part));
  return { child, text: () => parts.join(''), ended: new Promise((resolve) => child.once('close', resolve)) };
}
