import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { onParentEnd } from './parent.mjs';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);
/** Milliseconds a child may take to end after a signal. */
const patience = 10_000;

/**
 * Runs a program with our output as its own, and resolves with its exit code (128 + n when signal n ended it).
 *
 * The first signal that we get is passed on, further ones are not: on Ctrl-C both the terminal and npm send one. The
 * child has its own process group, or it would hear the terminal's as well.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {Omit<import('node:child_process').SpawnOptions, 'stdio' | 'detached'>} [options]
 * @returns {Promise<number>}
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
  onParentEnd(() => forward('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  }).finally(() => {
    for (const signal of signals) process.off(signal, forward);
  });
}
