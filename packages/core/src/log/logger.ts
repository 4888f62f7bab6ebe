import { AuthError, ERRORS_PAGE } from '../errors.ts';
import type { LoggerInstance, WarningCode } from '../types/config.ts';
import type { Optional } from '../types/user.ts';
import type { DebugCategory } from './categories.ts';
import { type Redacted, redact, redactText } from './redact.ts';

/** A warning. `docs/errors.md` has its remedy in full. */
export interface Warning {
  readonly code: WarningCode;
  /** The sentences for the console. */
  readonly words: string;
}

/** The log, as the library uses it. Its methods never throw. */
export interface Log {
  error(error: Error): void;
  /** An act of a visitor, such as a wrong password: one line. A logger without `info` gets it as an error. */
  info(error: AuthError): void;
  /** The same, for a visitor who has canceled at the provider. A logger without `info` gets a debug message. */
  canceled(error: AuthError, metadata: () => Redacted): void;
  /** Each code is written once per logger and process. */
  warn(warning: Warning, detail?: string): void;
  /** Writes a line for the developer to the console, unless the application has a logger. */
  notice(message: string): void;
  /** @param metadata Called at once, because values may change later; not called if debug messages are off. */
  debug(category: DebugCategory, message: string, metadata: () => Redacted): void;
}

type OwnLogger = Optional<LoggerInstance>;

/** Codes that were written, by logger: hosts that make a configuration per request would repeat each warning. */
const written = new WeakMap<object, Set<WarningCode>>();

/**
 * Returns the log of a configuration. It uses those functions that the application defines, and the console for the
 * others. Exceptions of the application's functions are ignored, because a broken log must not break a sign-in.
 *
 * @param debug The debug messages that are written to the console. Ignored if the application has a logger.
 */
export function createLogger(own: OwnLogger | undefined, debug: boolean | readonly DebugCategory[]): Log {
  const debugging = own ? has(own, 'debug') : debug;
  const isOn = (category: DebugCategory): boolean =>
    typeof debugging === 'boolean' ? debugging : debugging.includes(category);
  const codes = written.get(own ?? console) ?? new Set<WarningCode>();
  written.set(own ?? console, codes);
  return {
    error: (error) => safely(() => (has(own, 'error') ? own?.error?.(error) : writeError(error))),
    info: (error) =>
      safely(() => {
        if (has(own, 'info')) return own?.info?.(error);
        return has(own, 'error') ? own?.error?.(error) : writeInfo(error);
      }),
    canceled: (error, metadata) => {
      if (!own || has(own, 'info')) safely(() => (own ? own.info?.(error) : writeInfo(error)));
      else if (isOn('oauth')) safely(() => own.debug?.('the visitor canceled', metadata()));
    },
    warn: (warning, ...details: readonly string[]) => {
      if (codes.has(warning.code)) return;
      codes.add(warning.code);
      safely(() => (has(own, 'warn') ? own?.warn?.(warning.code, ...details) : writeWarning(warning, details)));
    },
    notice: (message) => {
      if (!own) console.log(`[auth][info] ${indented(message)}`);
    },
    debug: (category, message, metadata) => {
      if (!isOn(category)) return;
      safely(() => (own?.debug ? own.debug(message, metadata()) : writeDebug(category, message, metadata())));
    },
  };
}

/**
 * Returns whether the application defines a function. A getter that throws counts as a definition; the call is then
 * ignored.
 */
function has(own: OwnLogger | undefined, name: keyof LoggerInstance): boolean {
  try {
    return Boolean(own?.[name]);
  } catch {
    return true;
  }
}

function safely(log: () => unknown): void {
  try {
    const result = log();
    // An async function may reject later, and an unhandled rejection would end the process. Promises of libraries and
    // other realms are not instances of `Promise`.
    if (typeof result === 'object' && result !== null && 'then' in result)
      Promise.resolve(result).catch(() => undefined);
  } catch {
    // There is no other place to report it.
  }
}

function writeWarning({ code, words }: Warning, details: readonly string[]): void {
  const facts = details.map((detail) => indented(String(detail))).join(' ');
  console.warn(`[auth][warn][${code}] ${words}${facts && ` (${facts})`} See ${ERRORS_PAGE}#${code}`);
}

/** The facts that one line has. They are codes and ids, not texts that a visitor has typed. */
const INFO_FACTS = ['provider', 'error', 'check', 'by', 'reason'] as const;

function writeInfo({ type, refusal, cause: facts }: AuthError): void {
  const parts = [['cause', refusal] as const, ...INFO_FACTS.map((name) => [name, facts?.[name]] as const)];
  const words = parts.flatMap(([name, value]) => (typeof value === 'string' ? [`${name}=${oneWord(value)}`] : []));
  console.log([`[auth][info] ${type}`, ...words].join(' '));
}

/** Providers choose their error codes. */
function oneWord(value: string): string {
  return redactText(value.slice(0, 200)).replace(/\s+/g, '_');
}

function writeDebug(category: DebugCategory, message: string, metadata: Redacted): void {
  console.log(`[auth][debug] ${category}: ${message}`, metadata);
}

/** Writes an error, its causes and its facts. */
function writeError(error: Error): void {
  const name = error instanceof AuthError ? error.type : error.name;
  console.error(`[auth][error] ${indented(`${name}: ${error.message}`)}`);
  const { err: _, ...known } = (error instanceof AuthError ? error.cause : undefined) ?? {};
  const facts = error instanceof AuthError && error.refusal ? { cause: error.refusal, ...known } : known;
  const causes = error instanceof AuthError ? causesOf(error) : [];
  for (const cause of causes) console.error(`[auth][cause] ${indented(cause.stack ?? String(cause))}`);
  if (causes.length === 0) writeStack(error);
  if (Object.keys(facts).length > 0) console.error('[auth][details]', redact(facts));
}

/** Number of causes that are written; the bound also ends causes that form a circle. */
const MOST_CAUSES = 5;

/**
 * Lists the causes of an error, the direct one first. The reason is often in the last one: an error such as
 * `fetch failed` does not state it.
 */
function causesOf(error: Error): Error[] {
  const causes: Error[] = [];
  for (let next = causeOf(error); next instanceof Error && !causes.includes(next); next = causeOf(next)) {
    if (causes.push(next) === MOST_CAUSES) break;
  }
  return causes;
}

function causeOf(error: Error): unknown {
  if (error instanceof AuthError) return error.cause?.err;
  // A failed connection to several addresses of a host is an AggregateError without a message.
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

function writeStack(error: Error): void {
  const frames = error.stack?.split('\n').slice(1).join('\n');
  if (frames) console.error(indented(`\n${frames}`).slice(1));
}

/**
 * Returns a redacted text whose further lines are indented. The message of an exception may contain line breaks, and
 * must not look like a line of this log.
 */
function indented(text: string): string {
  return redactText(text).replace(/\n(?=\S)/g, '\n    ');
}
