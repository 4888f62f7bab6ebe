import { checkBasics } from '../config/check.ts';
import { lazily } from '../config/lazy.ts';
import type { Settings } from '../config/settings.ts';
import type { Entered } from '../guards/admit.ts';
import { configurationReply } from './configuration.ts';
import type { Looked, Misconfiguration } from './misconfiguration.ts';
import { newReference } from './reference.ts';

const check = lazily(async () => (await import('../config/check-providers.ts')).providerProblems);

/**
 * Looks at the configuration as a whole, and logs once what is wrong or to be warned of.
 *
 * @param isRead A session is read: where nothing else is wrong, the providers are not looked at.
 */
export async function reportOnce(
  settings: Settings,
  looked: Looked,
  isRead: boolean,
): Promise<Misconfiguration | undefined> {
  const { problems: basics, warnings } = checkBasics(settings.config, settings.doubts);
  for (const warning of warnings) settings.logger.warn(warning);
  if (isRead && basics.length === 0) {
    looked.basics.add(settings);
    return undefined;
  }
  const problems = [...basics, ...(await check())(settings)];
  // Another request may have been faster while the checks were loaded.
  if (looked.whole.has(settings)) return looked.whole.get(settings);
  const reference = newReference();
  const found =
    problems.length === 0
      ? undefined
      : { reply: (entered: Entered) => configurationReply(entered, problems, reference) };
  looked.whole.set(settings, found);
  for (const problem of problems) {
    problem.cause = { ...problem.cause, reference };
    await settings.logger.error(problem);
  }
  return found;
}
