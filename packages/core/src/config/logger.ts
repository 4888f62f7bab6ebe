import { attempt } from '../chain.ts';
import type { Awaitable, LoggerInstance, Optional, WarningCode } from '../types.ts';
import { lazily } from './lazy.ts';
import type { Redacted } from './redact.ts';

/** What the log is warned of. The sentence is for the console; `docs/errors.md` has the remedy at length. */
export interface Warning {
  readonly code: WarningCode;
  readonly words: string;
}

/**
 * The log as the library uses it. The application's own functions are called at once. A line for the console is written when the
 * result is there: whoever is on the way of an answer waits for it, because a process may be frozen once it has answered.
 */
export interface Log {
  error(error: Error): Awaitable<void>;
  /** Once per log and code. Words alone are written at once. */
  warn(warning: Warning): void;
  warn(warning: Warning, detail: string): Awaitable<void>;
  /** @param metadata Called at once, and only where somebody listens: values may change soon after. */
  debug(message: string, metadata: () => Redacted): void;
}

/** Codes each log was warned of. One per log and process: repeated warnings teach people to ignore them. */
const warnings = new WeakMap<object, Set<WarningCode>>();

/** Most applications bring their own log, or have nothing to tell. */
const consoleLog = lazily(() => import('./console-log.ts'));

/**
 * The log of a configuration. The application's own functions are used where given, and their exceptions are swallowed: a
 * broken log must not break a sign-in. `debug` counts only when the application brings no logger.
 */
export function createLogger(own: Optional<LoggerInstance> | undefined, debug: boolean): Log {
  const debugging = own ? has(own, 'debug') : debug;
  const warned = warnings.get(own ?? console) ?? new Set<WarningCode>();
  warnings.set(own ?? console, warned);
  return {
    error: (error) => (has(own, 'error') ? safely(() => own?.error?.(error)) : logError(error)),
    warn: (warning: Warning, ...details: readonly string[]) => {
      if (warned.has(warning.code)) return;
      warned.add(warning.code);
      return has(own, 'warn') ? safely(() => own?.warn?.(warning.code, ...details)) : logWarning(warning, details);
    },
    debug: (message, metadata) => {
      if (!debugging) return;
      safely(() => (own?.debug ?? logDebug).call(own, message, metadata()));
    },
  };
}

/** Has the application a function of its own for this? One that cannot be read is one that says nothing. */
function has(own: Optional<LoggerInstance> | undefined, name: keyof LoggerInstance): boolean {
  try {
    return Boolean(own?.[name]);
  } catch {
    return true;
  }
}

function safely(log: () => unknown): void {
  try {
    const result = log();
    // An async log function may reject later; an unhandled rejection would end the process. Promises of other realms, and of
    // libraries, are no instances of ours.
    if (typeof result === 'object' && result !== null && 'then' in result)
      Promise.resolve(result).catch(() => undefined);
  } catch {
    // Nothing is left to tell it to.
  }
}

function logError(error: Error): Awaitable<void> {
  return attempt(
    consoleLog,
    (lines) => safely(() => lines.logError(error)),
    // What is in the message has not been looked at; the name is better than no line.
    () => safely(() => console.error(`[auth][error] ${error.name}. Its details could not be loaded`)),
  );
}

function logWarning({ code, words }: Warning, details: readonly string[]): Awaitable<void> {
  const write = (facts: string): void =>
    safely(() => console.warn(`[auth][warn][${code}] ${words}${facts} See docs/errors.md#${code}`));
  if (details.length === 0) return write('');
  return attempt(
    consoleLog,
    ({ factsOf }) => write(factsOf(details)),
    () => write(''),
  );
}

function logDebug(message: string, metadata: Redacted): void {
  console.log(`[auth][debug] ${message}`, metadata);
}
