import type { AuthError } from '../errors.ts';
import type { Log, Warning } from '../log/logger.ts';
import type { AuthConfig } from '../types/config.ts';
import { type KnownSite, logCallbackUrls } from './callback-urls.ts';
import { missingClientsWarning } from './check-clients.ts';
import { unknownOptionsWarning } from './check-options.ts';
import { type Configured, findingsOf } from './findings.ts';
import { missingTables } from './missing-tables.ts';
import { modeOf } from './mode.ts';
import { logProblem, newReference, rememberReport, writtenTexts } from './start-report.ts';

const NODE_ENV_UNSET: Warning = {
  code: 'node-env-unset',
  words:
    'NODE_ENV is not set, so only loopback and private hosts are trusted, and local requests see error details. Set it to `production` on servers, and to `development` elsewhere.',
};

/**
 * Logs everything that is wrong with a configuration, before the first request. In development, it also logs what helps
 * to write the configuration.
 *
 * @param given The application's own object.
 */
export async function reportConfig(given: AuthConfig, configured: Configured & KnownSite): Promise<void> {
  const { settings, warnings, ...found } = findingsOf(configured);
  const problems = found.problems.map(({ error }) => error);
  const { logger, config } = settings;
  const { isUnset, isDevelopment } = modeOf(configured.env ?? {});
  if (isUnset) logger.warn(NODE_ENV_UNSET);
  for (const warning of warnings) logger.warn(...warning);
  warnOf(logger, missingClientsWarning(config));
  if (problems.length > 0) logProblems(given, logger, problems);
  if (!isDevelopment) return;
  warnOf(logger, unknownOptionsWarning(given), otherPort(configured));
  if (problems.length > 0) return;
  logCallbackUrls(settings, configured);
  const lack = await missingTables(settings);
  if (lack) logger.error(lack);
}

function warnOf(logger: Log, ...warnings: readonly (Warning | undefined)[]): void {
  for (const warning of warnings) if (warning) logger.warn(warning);
}

function logProblems(given: AuthConfig, logger: Log, problems: readonly AuthError[]): void {
  const texts = writtenTexts();
  const reference = problems.map(({ message }) => texts.get(message)).find(Boolean) ?? newReference();
  for (const problem of problems.filter(({ message }) => !texts.has(message))) {
    texts.set(problem.message, reference);
    logProblem(logger, problem, reference);
  }
  rememberReport(given, { reference, messages: new Set(problems.map(({ message }) => message)) });
}

/** Only http on loopback: elsewhere a proxy may have another port. */
const LOOPBACK = /^http:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::(\d+))?$/;

function otherPort({ origin = '', env }: KnownSite): Warning | undefined {
  const [isLoopback, stated = '80'] = LOOPBACK.exec(origin) ?? [];
  const port = env?.PORT;
  if (!isLoopback || !port || stated === port) return undefined;
  return {
    code: 'env-url-port',
    words: `AUTH_URL names the port ${stated}, but PORT is ${port}. Make both equal: callback URLs have the port of AUTH_URL.`,
  };
}
