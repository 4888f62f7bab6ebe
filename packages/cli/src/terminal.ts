import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Everything that a command takes from the process, so that tests can replace it. */
export interface Terminal {
  /** The folder of the application. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Someone can answer questions. */
  readonly isInteractive: boolean;
  /** Characters in a line. */
  readonly columns: number;
  /** Writes a line of the result. */
  print(line: string): void;
  /** Writes a line that is not part of the result. */
  warn(line: string): void;
  /** Reads all input. */
  input(): string;
  /** Asks a question that is answered with yes or no. */
  confirm(question: string): Promise<boolean>;
}

/** Returns the terminal of this process. */
export function terminal(): Terminal {
  const { stdout, stderr, stdin } = process;
  return {
    cwd: process.cwd(),
    env: process.env,
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    columns: Math.min(Math.max(stdout.columns ?? 100, 60), 120),
    print: (line) => stdout.write(`${clean(line)}\n`),
    warn: (line) => stderr.write(`${clean(line)}\n`),
    input: () => readFileSync(stdin.fd, 'utf8'),
    async confirm(question) {
      const { confirm } = await import('@clack/prompts');
      return (await confirm({ message: clean(question), initialValue: false })) === true;
    },
  };
}

/**
 * Removes escape sequences and control characters, except line breaks and tabs. Texts of providers and applications
 * must not change the terminal, or look like other texts.
 */
export function clean(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROL, '');
}

// C0 and C1 without tab and line feed, and the characters that change the direction of text.
const CONTROL = /[^\P{Cc}\t\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The command cannot do its work: wrong usage, or a configuration that cannot be loaded. */
export class Failure extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the text of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
