import type { Settings } from '../config/settings.ts';
import type { AuthError } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';

/** What is wrong with a configuration, and under which reference the log tells it. */
export interface Misconfiguration {
  readonly problems: readonly AuthError[];
  readonly reference: string;
}

const reported = new WeakMap<Settings, Misconfiguration>();

/**
 * All problems of the configuration, logged when they are found. Reading a session does not need the providers, so it does
 * not look at them.
 */
export function misconfigurationOf({ settings, action, incoming }: Entered): Misconfiguration | undefined {
  const known = reported.get(settings);
  if (known) return known;
  const needsProviders = action !== 'session' || incoming.method !== 'GET' || settings.problems.length > 0;
  const problems = [...settings.problems, ...(needsProviders ? settings.providerProblems() : [])];
  if (problems.length === 0) return undefined;
  const found: Misconfiguration = { problems, reference: newReference() };
  reported.set(settings, found);
  for (const problem of problems) {
    problem.cause = { ...problem.cause, reference: found.reference };
    settings.logger.error(problem);
  }
  return found;
}

/** A short name under which a visitor can report what only the log tells. */
export function newReference(): string {
  return crypto.randomUUID().slice(0, 8);
}
