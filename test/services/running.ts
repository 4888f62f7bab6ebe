import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { charge } from './charges.ts';
import type { Command } from './engine.ts';

/** Milliseconds that a process may take to end after a signal. */
const patience = 20_000;

/** A running program, with the processes that it has started. */
export class Running {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #closed = false;
  #failure: Error | undefined;

  /** @param endSignal The signal with which the guard ends the program if the tests do not end it. */
  constructor({ program, args, account }: Command, folder: string, endSignal: NodeJS.Signals) {
    this.#folder = folder;
    const log = openSync(logIn(folder), 'a');
    this.#child = spawn(program, args, {
      ...account,
      cwd: folder,
      // A group of its own, for Ctrl-C in the terminal and for the guard.
      detached: true,
      // When a MariaDB starts, it deletes all temporary tables in `TMPDIR`. Other servers (10.11) that use these tables
      // crash. So each program has its own folder.
      env: { ...process.env, LC_ALL: 'C', TMPDIR: folder },
      // Each process that the program starts inherits the pipe, which therefore closes when the last one has ended.
      stdio: ['ignore', log, log, 'pipe'],
    });
    closeSync(log);
    this.#child.on('error', (error) => {
      this.#failure = error;
    });
    this.#child.on('close', () => {
      this.#closed = true;
      charge({ folder });
    });
    const { pid } = this.#child;
    if (pid) charge({ folder, process: { pid, signal: endSignal } });
    this.#letWorkerEnd();
  }

  /** Tells whether the program itself has ended. */
  get hasEnded(): boolean {
    return this.#failure !== undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Its exit code; `null` after a signal. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** The last lines that it wrote. */
  get lastWords(): string {
    const words = readFileSync(logIn(this.#folder), 'utf8').trimEnd().split('\n').slice(-15).join('\n');
    return this.#failure ? `${words}\n${this.#failure.message}` : words;
  }

  /** Sends a signal, if the program still runs. */
  signal(name: NodeJS.Signals): void {
    if (!this.hasEnded) this.#child.kill(name);
  }

  /** Resolves when the program and every process that it has started have ended. */
  async ended(timeout: number = patience): Promise<void> {
    const deadline = Date.now() + timeout;
    while (!this.#closed) {
      if (Date.now() > deadline) throw new Error(`${this.#child.spawnfile} does not end:\n${this.lastWords}`);
      await sleep(10);
    }
  }

  /** Allows the worker to end while its servers run. */
  #letWorkerEnd(): void {
    this.#child.unref();
    const pipe = this.#child.stdio[3];
    if (pipe instanceof Socket) pipe.unref();
  }
}

function logIn(folder: string): string {
  return join(folder, 'log');
}
