import type { AuthError } from '../errors.ts';
import type { Log } from '../log/logger.ts';
import { deployment } from '../symbols.ts';
import type { AuthConfig } from '../types/config.ts';

/** The problems that the log has since the start of the application. */
export interface StartReport {
  /** Their messages. */
  readonly messages: ReadonlySet<string>;
  /** The reference under which the log has them. */
  readonly reference: string;
}

/** By the application's own configuration. */
const reports = new WeakMap<object, StartReport>();

/** Remembers that problems were reported, so that the first request does not report them again. */
export function rememberReport(config: AuthConfig, report: StartReport): void {
  reports.set(config, report);
}

/**
 * Returns the report of the application's start.
 *
 * @param config A copy with the environment's values.
 */
export function startReportOf(config: AuthConfig): StartReport | undefined {
  const source = config[deployment]?.source;
  return source && reports.get(source);
}

/** A short name under which a visitor can report a problem that only the log describes. */
export function newReference(): string {
  return crypto.randomUUID().slice(0, 8);
}

/** Logs a problem of a configuration. It has no useful stack: the check is the same for all applications. */
export function logProblem(logger: Log, problem: AuthError, reference: string): void {
  problem.cause = { ...problem.cause, reference };
  problem.stack = `${problem.name}: ${problem.message}`;
  logger.error(problem);
}

/** Next.js makes a configuration several times in one process, and again after each edit. */
const WRITTEN = Symbol.for('latchkey.start');
/** Texts that are remembered; the bound is for processes that make configurations without end. */
const MOST_TEXTS = 500;

/** The texts that this process has logged at the start, with the references of problems. */
export function writtenTexts(): Map<string, string> {
  const known: unknown = Reflect.get(globalThis, WRITTEN);
  if (known instanceof Map && known.size < MOST_TEXTS) return known;
  const made = new Map<string, string>();
  Reflect.set(globalThis, WRITTEN, made);
  return made;
}
