import { checkBasics, notForSessions } from '../config/check.ts';
import { AUTHENTICATION_NOT_CHECKED, uncheckedAuthentication } from '../config/check-authentication.ts';
import { unknownOptionsWarning } from '../config/check-options.ts';
import { type ProviderProblem, providerFindings } from '../config/check-providers.ts';
import type { Settings } from '../config/settings.ts';
import { logProblem, newReference, startReportOf } from '../config/start-report.ts';
import { usableConfig } from '../config/usable-config.ts';
import type { AuthError } from '../errors.ts';
import type { Warning } from '../log/logger.ts';
import { redact } from '../log/redact.ts';

/** Problems, and the reference under which the log has them. */
export interface LoggedProblems {
  readonly problems: readonly Error[];
  readonly reference: string;
}

/** The result of checking a configuration. */
export interface CheckResult extends LoggedProblems {
  /** Problems of the whole configuration: no request is carried out. Empty if nothing is wrong. */
  readonly problems: readonly Error[];
  /** Those of them that concern the reading of a session, too. */
  readonly ofSessions: readonly Error[];
  /** Everything that was found, also the problems of single providers. */
  readonly logged: readonly Error[];
  /** Problems of single providers, by id. The other providers work. */
  readonly ofProviders: ReadonlyMap<string, readonly Error[]>;
  /** All checks were made, also those that reading a session does not need. */
  readonly isComplete: boolean;
}

/** The request with which a configuration is checked. */
interface CheckRequest {
  /** If no check that concerns the reading of a session finds a problem, the others are left for later. */
  readonly isRead: boolean;
  readonly url: URL;
  /** The problems of the option `locale`. */
  readonly ofLocale: readonly AuthError[];
  readonly isDevelopment: boolean;
}

/** Checks a configuration, and logs what is wrong and what its owner should know. */
export function checkConfiguration(
  settings: Settings,
  { isRead, url, ofLocale, isDevelopment }: CheckRequest,
): CheckResult {
  const { config, checksNeeded, logger } = settings;
  const ofSessions = checkBasics(
    config,
    checksNeeded.filter((check) => !notForSessions.has(check)),
    url,
  );
  const started = startReportOf(config);
  const reference = started?.reference ?? newReference();
  const partial = { ofSessions: ofSessions.problems, ofProviders: new Map(), reference };
  if (isRead && ofSessions.problems.length === 0) {
    for (const warning of ofSessions.warnings) logger.warn(warning);
    return { ...partial, problems: [], logged: [], isComplete: false };
  }
  const others = checkBasics(
    config,
    checksNeeded.filter((check) => notForSessions.has(check)),
    url,
  );
  for (const warning of [...ofSessions.warnings, ...others.warnings]) logger.warn(warning);
  const unchecked = uncheckedAuthentication(usableConfig(config));
  if (unchecked.length > 0) logger.warn(AUTHENTICATION_NOT_CHECKED, `providers: ${unchecked.join(', ')}`);
  const unknown = isDevelopment ? unknownOptionsWarning(config) : undefined;
  if (unknown) logger.warn(unknown);
  const { general, scoped } = providerFindings(settings);
  const problems = [...ofSessions.problems, ...others.problems, ...ofLocale, ...general];
  const logged = [...problems, ...scoped.map(({ error }) => error)];
  const isNew = ({ message }: AuthError): boolean => !started?.messages.has(message);
  logProblems(settings, logged.filter(isNew), reference);
  const { strategy, basePath } = settings;
  logger.debug('config', 'the configuration was checked', () =>
    redact({ strategy, basePath, problems: logged.length }),
  );
  if (started && logged.length === 0) logger.warn(ENVIRONMENT_LATE);
  return { ...partial, problems, logged, ofProviders: byProvider(scoped), isComplete: true };
}

const ENVIRONMENT_LATE: Warning = {
  code: 'environment-late',
  words:
    'the problems that were logged at the start are gone, because the environment has changed since. Load it before the configuration is made.',
};

/** Logs problems under the reference that visitors can report. */
export function logProblems({ logger }: Settings, problems: readonly AuthError[], reference: string): void {
  for (const problem of problems) logProblem(logger, problem, reference);
}

function byProvider(scoped: readonly ProviderProblem[]): ReadonlyMap<string, readonly Error[]> {
  const problems = new Map<string, Error[]>();
  for (const { ids, error } of scoped) {
    for (const id of ids) problems.set(id, [...(problems.get(id) ?? []), error]);
  }
  return problems;
}
