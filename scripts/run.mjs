import { spawn } from 'node:child_process';
import { constants } from 'node:os';
// The scripts of this folder also end when npm has ended.
import './end-with-parent.mjs';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);
/** Milliseconds that a child may take to end after a signal. */
const patience = 10_000;

/** A problem that a person has to solve. The message says what is wrong and what to do. */
export class Problem extends Error {}

/**
 * Runs a script's main function and exits with the code that it returns. A {@link Problem} is printed without its
 * stack.
 *
 * @param {() => Promise<number>} main
 */
export async function exitWith(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Problem ? `latchkey: ${error.message}` : error);
    process.exitCode = 1;
  }
}

/**
 * Runs a program, which writes to the output of this process.
 *
 * Only the first signal that this process gets is passed on, because on Ctrl-C both the terminal and npm send one. The
 * child has its own process group; otherwise it would get the terminal's signal as well.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Omit<import('node:child_process').SpawnOptions, 'stdio' | 'detached'>} [options]
 * @returns {Promise<number>} The exit code; 128 + n if signal n ended the program.
 */
export function run(command, args, options = {}) {
  const child = spawn(command, args, {
    ...options,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  let forwarded = false;
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    if (forwarded) return;
    forwarded = true;
    child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), patience).unref();
  };
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  }).finally(() => {
    for (const signal of signals) process.off(signal, forward);
  });
}
