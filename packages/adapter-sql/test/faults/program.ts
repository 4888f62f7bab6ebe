import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program in another process that answers questions. */
export interface Program {
  /**
   * Sends a question, and returns the answer.
   *
   * @throws {Error} if the program has ended.
   */
  ask(question: string): Promise<string>;
  /** Ends it, and returns its exit code. */
  end(): Promise<number | null>;
  /** Kills it if it still runs. */
  kill(): Promise<void>;
}

/** Starts a program of this folder. It ends with the tests. */
export function startProgram(file: string, ...parameters: string[]): Program {
  const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const child = fork(path(file), parameters, { execArgv: ['--import', path('sources.mjs')] });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  return {
    async ask(question) {
      const answer = once(child, 'message').then(([text]) => String(text));
      child.send(question);
      const gone = ended.then(({ code, signal }) => {
        throw new Error(`${file} has ended: ${code ?? signal}`);
      });
      return Promise.race([answer, gone]);
    },
    async end() {
      child.disconnect();
      return (await ended).code;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
