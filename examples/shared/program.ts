import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Problem } from './port.ts';

const endWithParent: string = pathToFileURL(`${import.meta.dirname}/../../scripts/end-with-parent.mjs`).href;

/** Options of a program. */
export interface ProgramOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** Starts a Node.js program that ends when this process ends, even if this process is killed. */
export function startProgram(program: string, args: readonly string[], { cwd, env }: ProgramOptions): ChildProcess {
  return spawn(process.execPath, ['--import', endWithParent, program, ...args], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * Runs a program and waits until it has ended.
 *
 * @throws {Problem} with the whole output if it fails.
 */
export async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<void> {
  const child = startProgram(program, args, options);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part) => said.push(part));
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Problem(`${[program, ...args].join(' ')} ended with ${code ?? signal}:\n${said.join('')}`);
}

/**
 * Starts a server and waits until it answers. From then on this process prints its output, and ends when it ends.
 *
 * @param address The URL at which it answers.
 * @throws {Problem} with the whole output if it ends before.
 */
export async function startServer(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
  address: string,
): Promise<ChildProcess> {
  const child = startProgram(program, args, options);
  await untilAnswers(child, address);
  child.stdout?.pipe(process.stdout);
  child.stderr?.pipe(process.stderr);
  child.once('close', (code) => process.exit(code ?? 1));
  return child;
}

/**
 * Waits until a program answers at a URL.
 *
 * @throws {Problem} with the whole output if it ends before.
 */
export async function untilAnswers(child: ChildProcess, address: string): Promise<void> {
  const said: string[] = [];
  const hear = (part: unknown): void => void said.push(String(part));
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream?.on('data', hear);
  const state = { isOver: false };
  child.once('close', () => {
    state.isOver = true;
  });
  while (!(await answers(address))) {
    if (state.isOver) throw new Problem(`${child.spawnargs.join(' ')} ended:\n${said.join('')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const stream of streams) stream?.off('data', hear);
}

async function answers(address: string): Promise<boolean> {
  try {
    const { status } = await fetch(address, { redirect: 'manual' });
    return status < 500;
  } catch {
    return false;
  }
}
