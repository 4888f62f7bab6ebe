import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('../server.ts', import.meta.url));

/** The demo in a process of its own. */
export interface Demo {
  readonly origin: string;
  /** What it has printed so far. */
  output(): string;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A port that is free, and whose neighbour most likely is. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await new Promise((resolve) => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** A folder for the demo's data, and how to remove it. */
export function dataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-demo-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts the demo and waits until it can be opened. */
export async function startDemo(port: number, folder: string, env: Record<string, string> = {}): Promise<Demo> {
  const { child, text, ended } = run({ PORT: String(port), DATA_DIR: folder, ...env });
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
export async function runDemo(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const { child, ended, text } = run(env);
  // If it starts nevertheless, it must not stay.
  const patience = setTimeout(() => child.kill('SIGKILL'), 10_000);
  const code = await ended;
  clearTimeout(patience);
  return { code, output: text() };
}

interface Run {
  child: ChildProcess;
  text(): string;
  ended: Promise<number | null>;
}

function run(env: Record<string, string>): Run {
  const { AUTH_SECRET: _, AUTH_URL: __, DATABASE_URL: ___, ...inherited } = process.env;
  const child = spawn(process.execPath, [server], { env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part) => parts.push(part));
  return { child, text: () => parts.join(''), ended: new Promise((resolve) => child.once('close', resolve)) };
}
