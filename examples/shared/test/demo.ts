import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export { freePort } from '../../../test/services/port.ts';

/** A folder of `examples`. */
export type Example = 'express' | 'next' | 'sveltekit';

/** The demo in a process of its own. */
export interface Demo {
  readonly origin: string;
  /** What it has printed so far. */
  output(): string;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A folder for the demo's data, and how to remove it. */
export function dataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-demo-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Starts the demo and waits until it can be opened.
 *
 * @param folder For its data.
 */
export async function startDemo(
  example: Example,
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

/** Runs the demo where it cannot start. */
export async function runDemo(
  example: Example,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { child, ended, text } = run(example, env);
  // If it starts nevertheless, it must not stay.
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

function run(example: Example, env: Record<string, string>): Run {
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
