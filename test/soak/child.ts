import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Has the packages' names lead to their sources, so that nothing need be built. */
const sources = fileURLToPath(new URL('../../packages/adapter-sql/test/faults/sources.mjs', import.meta.url));
/**
 * By default, V8 enlarges the young generation with the traffic. With a fixed size, growth of the resident memory means
 * that memory is kept.
 */
const measurable = ['--expose-gc', '--max-semi-space-size=2'];
/** Lines of its output that are remembered. */
const REMEMBERED = 30;
/** Milliseconds that a process has for an answer. */
const PATIENCE = 120_000;

/** A program of this folder in a process of its own. It says things by itself (`{ say }`) and answers questions. */
export class Child {
  /** The last lines that it wrote. */
  readonly lines: string[] = [];
  /** Resolves when it has ended, for any reason. */
  readonly ended: Promise<string>;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  readonly #name: string;
  #asked = 0;
  #hasEnded = false;

  /** @param hear Receives the messages that are not responses. */
  constructor(file: string, env: Readonly<Record<string, string>>, hear: (said: unknown) => void = () => undefined) {
    this.#name = file;
    this.#process = fork(fileURLToPath(new URL(file, import.meta.url)), [], {
      execArgv: [...measurable, '--import', sources],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#remember(line));
    }
    this.#process.on('message', (message: { id?: number; answer?: unknown; say?: unknown }) => {
      if (message.id === undefined) return hear(message.say);
      this.#waiting.get(message.id)?.(message.answer);
      this.#waiting.delete(message.id);
    });
    // A message to a process that has just been killed.
    this.#process.on('error', () => undefined);
    this.ended = once(this.#process, 'exit').then(([code, signal]) => {
      this.#hasEnded = true;
      return String(code ?? signal);
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Returns its response.
   *
   * @throws {Error} when it ends before, or takes too long.
   */
  async ask<Answer>(question: string): Promise<Answer> {
    this.#asked += 1;
    const id = this.#asked;
    const answer = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    let timeout: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timeout = setTimeout(() => reject(new Error(`${this.#name} does not answer "${question}"`)), PATIENCE);
    });
    const gone = this.ended.then((how): never => {
      throw new Error(`${this.#name} has ended (${how}):\n${this.lines.join('\n')}`);
    });
    try {
      if (!this.#hasEnded) this.#process.send({ id, question }, () => undefined);
      return (await Promise.race([answer, gone, late])) as Answer;
    } finally {
      clearTimeout(timeout);
      this.#waiting.delete(id);
    }
  }

  /** Ends it. Resolves when it has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<string> {
    if (!this.#hasEnded) this.#process.kill(signal);
    return this.ended;
  }

  #remember(line: string): void {
    this.lines.push(`${new Date().toISOString().slice(14, 23)} ${line.replaceAll(/See docs\S+/g, '').slice(0, 300)}`);
    if (this.lines.length > REMEMBERED) this.lines.shift();
  }
}
