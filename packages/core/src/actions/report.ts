import type { Settings } from '../config/settings.ts';
import type { Looked, Misconfiguration } from './misconfiguration.ts';

/**
 * Looks at the configuration as a whole, and logs what is wrong, once.
 *
 * @param isRead A session is read: where nothing else is wrong, the providers are not looked at.
 */
export async function reportOnce(
  settings: Settings,
  looked: Looked,
  isRead: boolean,
): Promise<Misconfiguration | undefined> {
  const basics = await settings.problems();
  if (isRead && basics.length === 0) {
    looked.basics.add(settings);
    return undefined;
  }
  const problems = [...basics, ...(await settings.providerProblems())];
  // Another request may have been faster while the checks were loaded.
  if (looked.whole.has(settings)) return looked.whole.get(settings);
  const reference = newReference();
  const found = problems.length === 0 ? undefined : { problems, reference };
  looked.whole.set(settings, found);
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
