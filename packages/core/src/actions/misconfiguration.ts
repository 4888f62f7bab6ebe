import type { Settings } from '../config/settings.ts';
import type { AuthError } from '../errors.ts';
import type { Entered } from '../guards/admit.ts';
import type { Awaitable } from '../types.ts';

/** What is wrong with a configuration, and under which reference the log tells it. */
export interface Misconfiguration {
  readonly problems: readonly AuthError[];
  readonly reference: string;
}

/** Configurations that were looked at as a whole. */
const reported = new WeakMap<Settings, Misconfiguration | undefined>();

/**
 * All problems of the configuration, logged when they are found. Reading a session does not need the providers, so it does
 * not look at them.
 */
export function misconfigurationOf({ settings, action, incoming }: Entered): Awaitable<Misconfiguration | undefined> {
  if (reported.has(settings)) return reported.get(settings);
  if (action === 'session' && incoming.method === 'GET' && settings.problems.length === 0) return undefined;
  return reportOnce(settings);
}

async function reportOnce(settings: Settings): Promise<Misconfiguration | undefined> {
  const problems = [...settings.problems, ...(await settings.providerProblems())];
  // Another request may have been faster while the checks were loaded.
  if (reported.has(settings)) return reported.get(settings);
  const reference = newReference();
  const found = problems.length === 0 ? undefined : { problems, reference };
  reported.set(settings, found);
  for (const problem of problems) {
    problem.cause = { ...problem.cause, reference };
    settings.logger.error(problem);
  }
  return found;
}

/** A short name under which a visitor can report what only the log tells. */
export function newReference(): string {
  return crypto.randomUUID().slice(0, 8);
}
