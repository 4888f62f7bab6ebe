import { format } from 'node:util';
import type { LoggerInstance } from '../../src/types/config.ts';

/** All logged values, as text. */
export interface LogBook {
  /** The application's own logger; `undefined` where the console is it. */
  readonly logger: LoggerInstance | undefined;
  /** `type` of each error. */
  types(): readonly string[];
  /** All that could be read in it. */
  text(): string;
  clear(): void;
}

/** A custom logger, which receives the error objects. */
export function ownLog(): LogBook {
  const entries: unknown[] = [];
  const types: string[] = [];
  return {
    logger: {
      error: (error) => {
        entries.push(error);
        types.push((error as Error & { type?: string }).type ?? error.name);
      },
      warn: (...warning) => void entries.push(warning),
      debug: (...message) => void entries.push(message),
    },
    types: () => types,
    text: () => entries.map((entry) => textsOf(entry)).join('\n'),
    clear: () => {
      entries.length = 0;
      types.length = 0;
    },
  };
}

/** Records the console, which is the default logger. {@link restoreConsole} ends that. */
export function consoleLog(): LogBook {
  return {
    logger: undefined,
    types: () => printed.flatMap((line) => /^\[auth\]\[error\] (\w+):/.exec(line)?.[1] ?? []),
    text: () => printed.join('\n'),
    clear: () => {
      printed.length = 0;
    },
  };
}

const printed: string[] = [];
const caught: { usual?: Pick<Console, 'error' | 'warn' | 'log'> } = {};

/** Keeps what is printed to the console from now on. */
export function catchConsole(): void {
  const note = (...args: unknown[]): void => void printed.push(format(...args));
  const { error, warn, log } = console;
  caught.usual ??= { error, warn, log };
  Object.assign(console, { error: note, warn: note, log: note });
}

/** Prints again. */
export function restoreConsole(): void {
  Object.assign(console, caught.usual);
  delete caught.usual;
  printed.length = 0;
}

const DEEPEST = 10;

/** Returns all strings in a value, including error causes, but not stack traces: those are slow to build. */
function textsOf(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === DEEPEST) return '';
  const names = value instanceof Error ? [...Object.keys(value), 'message', 'cause', 'errors'] : Object.keys(value);
  const members = value as Record<string, unknown>;
  return [...new Set(names)].map((name) => `${name}: ${textsOf(members[name], depth + 1)}`).join('\n');
}
