import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TokenVault, VaultEntry, VaultKey } from '@latchkey/core/types';

/** Resolves the packages' names to their sources. */
const sources = fileURLToPath(new URL('../../packages/adapter-sql/test/faults/sources.mjs', import.meta.url));

/** A store that processes share. */
export interface Store {
  readonly kind: string;
  readonly url: string;
  readonly prefix: string;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** A token vault in another process. */
export class Process implements TokenVault {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: Answer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    child.on('exit', () => {
      for (const [id, answer] of this.#waiting) answer({ id, error: 'the process has ended' });
    });
  }

  /** @param fast Minutes by which its clock is fast. */
  static async start({ kind, url, prefix }: Store, fast = 0): Promise<Process> {
    const child = fork(new URL('process.ts', import.meta.url), [kind, url, prefix, String(fast)], {
      serialization: 'advanced',
      execArgv: ['--import', sources],
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process ended before it was ready')));
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return new Process(child);
  }

  read = (key: VaultKey) => this.#ask<VaultEntry | null>('read', [key]);
  find = (userId: string, provider?: string) => this.#ask<VaultEntry[]>('find', [userId, provider]);
  lease = (...args: Parameters<TokenVault['lease']>) => this.#ask<boolean>('lease', args);
  write = (entry: VaultEntry, expected: number | null) => this.#ask<boolean>('write', [entry, expected]);
  remove = (key: VaultKey) => this.#ask<undefined>('remove', [key]);

  /** Kills the process after a step, before it answers. */
  async dieAfter(step: keyof TokenVault, ...args: unknown[]): Promise<void> {
    const ended = once(this.#child, 'exit');
    await this.#ask(step, args, true).catch(() => undefined);
    await ended;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  async #ask<T>(step: keyof TokenVault, args: unknown[], dies = false): Promise<T> {
    const id = ++this.#count;
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#child.send({ id, step, args, dies });
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(error);
    return result as T;
  }
}
