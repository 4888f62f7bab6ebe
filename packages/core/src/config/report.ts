import { AdapterError, AuthError, errorOf, UntrustedHost } from '../errors.ts';
import type { Log, Warning } from '../log/logger.ts';
import { isRecord } from '../plain-object.ts';
import type { AdapterMigrations, MigrationPlan, MigrationUse } from '../types/adapter.ts';
import type { AuthConfig } from '../types/config.ts';
import { checkBasics } from './check.ts';
import { AUTHENTICATION_NOT_CHECKED, uncheckedAuthentication } from './check-authentication.ts';
import { localeProblems } from './check-locale.ts';
import { unknownOptionsWarning } from './check-options.ts';
import { providerFindings } from './check-providers.ts';
import type { Env, EnvConfigured } from './env.ts';
import { modeOf } from './mode.ts';
import { type ListedProvider, providersOf } from './provider.ts';
import { type Settings, settingsFor } from './settings.ts';
import { logProblem, newReference, rememberReport } from './start-report.ts';
import { usableConfig } from './usable-config.ts';

/** Everything that can be said about a configuration before the first request. */
interface Findings {
  readonly settings: Settings;
  readonly problems: readonly AuthError[];
  readonly warnings: readonly [warning: Warning, detail?: string][];
}

const NODE_ENV_UNSET: Warning = {
  code: 'node-env-unset',
  words:
    'NODE_ENV is not set, so only loopback and private hosts are trusted, and local requests see error details. Set it to `production` on servers, and to `development` elsewhere.',
};

/** A site whose URL is not known: messages must not name it. */
const NO_SITE = 'http://localhost';

/** A configuration, completed by an environment. */
export interface Configured extends Pick<EnvConfigured, 'config'> {
  /** `undefined` if the configuration was complete. */
  readonly env: Env | undefined;
  /** The origin of `AUTH_URL`. */
  readonly origin: string | undefined;
}

/** Checks a configuration as the first request does. Sends no request, calls no callback, makes no adapter. */
function findingsOf({ config, env, origin }: Configured): Findings {
  const settings = settingsFor(config);
  const checks = settings.checksNeeded.filter((check) => check !== 'trustHost');
  const basics = checkBasics(config, checks, new URL(origin ?? NO_SITE));
  const { general, scoped } = providerFindings(settings);
  const unchecked = uncheckedAuthentication(usableConfig(config));
  return {
    settings,
    problems: [
      ...(settings.checksNeeded.includes('trustHost') ? [noTrustedHost(env)] : []),
      ...basics.problems,
      ...(config.locale ? localeProblems(config.locale) : []),
      ...general,
      ...scoped.map(({ error }) => error),
    ],
    warnings: [
      ...basics.warnings.map((warning): [Warning] => [warning]),
      ...(unchecked.length > 0 ? [uncheckedWarning(unchecked)] : []),
    ],
  };
}

function uncheckedWarning(ids: readonly string[]): [Warning, string] {
  return [AUTHENTICATION_NOT_CHECKED, `providers: ${ids.join(', ')}`];
}

function noTrustedHost({ NODE_ENV }: Env = {}): UntrustedHost {
  const reason = NODE_ENV === undefined ? '' : `: NODE_ENV is ${JSON.stringify(NODE_ENV)}, and AUTH_URL is not set`;
  return new UntrustedHost(
    `no host is trusted${reason}. Set AUTH_URL to the URL of the site, or AUTH_TRUST_HOST=true (\`trustHost: true\`) if the server in front sets the Host header itself`,
  );
}

/**
 * Throws if a configuration has problems.
 *
 * @throws {AuthError} with all problems in `errors`.
 */
export function refuseProblems(configured: Configured): void {
  const { problems } = findingsOf(configured);
  const [first] = problems;
  if (!first) return;
  const texts = problems.map(({ type, message }) => `- ${type}: ${message}`);
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const error = new AuthError(`the configuration has ${count}:\n${texts.join('\n')}`, { err: first });
  error.errors = problems;
  throw error;
}

/**
 * Logs everything that is wrong with a configuration, before the first request.
 *
 * @param given The application's own object.
 */
export async function reportConfig(given: AuthConfig, configured: Configured): Promise<void> {
  const { settings, problems, warnings } = findingsOf(configured);
  const { logger } = settings;
  const { isUnset, isDevelopment } = modeOf(configured.env ?? {});
  if (isUnset) logger.warn(NODE_ENV_UNSET);
  for (const warning of warnings) logger.warn(...warning);
  if (problems.length > 0) logProblems(given, logger, problems);
  if (!isDevelopment) return;
  const unknown = unknownOptionsWarning(given);
  if (unknown) logger.warn(unknown);
  if (problems.length > 0) return;
  logCallbackUrls(settings, configured.origin);
  await reportMissingTables(settings);
}

/** Next.js makes a configuration several times in one process, and again after each edit. */
const WRITTEN = Symbol.for('latchkey.start');
/** Texts that are remembered; the bound is for processes that make configurations without end. */
const MOST_TEXTS = 500;

/** The texts that this process has logged at the start, with the references of problems. */
function written(): Map<string, string> {
  const known: unknown = Reflect.get(globalThis, WRITTEN);
  if (known instanceof Map && known.size < MOST_TEXTS) return known;
  const made = new Map<string, string>();
  Reflect.set(globalThis, WRITTEN, made);
  return made;
}

function logProblems(given: AuthConfig, logger: Log, problems: readonly AuthError[]): void {
  const texts = written();
  const reference = problems.map(({ message }) => texts.get(message)).find(Boolean) ?? newReference();
  for (const problem of problems.filter(({ message }) => !texts.has(message))) {
    texts.set(problem.message, reference);
    logProblem(logger, problem, reference);
  }
  rememberReport(given, { reference, messages: new Set(problems.map(({ message }) => message)) });
}

/** Names the URLs to register at the providers. Without `AUTH_URL`, the port is not known yet. */
function logCallbackUrls(settings: Settings, origin = 'http://localhost:<port>'): void {
  const texts = written();
  const providers = providersOf(settings, `${origin}${settings.basePath}`);
  for (const { name, id, callbackUrl } of providers.filter(isOAuth)) {
    const text = `${name || id}: register the callback URL ${callbackUrl}`;
    if (!texts.has(text)) settings.logger.notice(text);
    texts.set(text, '');
  }
}

function isOAuth({ type }: ListedProvider): boolean {
  return type === 'oauth' || type === 'oidc';
}

/** Milliseconds that the store may take to list what it lacks. */
const PLAN_LIMIT = 2000;

/** An adapter that a function makes is not made. */
async function reportMissingTables({ config, logger, strategy }: Settings): Promise<void> {
  const { adapter, providers } = config;
  const migrations = isRecord(adapter) ? (adapter as { migrations?: AdapterMigrations }).migrations : undefined;
  if (!migrations) return;
  try {
    const plan = await withinLimit(migrations, { tokens: config.tokens?.store === true });
    if (!plan) return;
    const hasPasskeys = providers.some((provider) => typeof provider === 'object' && provider.type === 'webauthn');
    const isNeeded = (rows: string): boolean =>
      (rows !== 'authenticators' || hasPasskeys) && (rows !== 'sessions' || strategy === 'database');
    const missing = plan.steps.filter(({ kind, automatic, rows }) => kind === 'table' && !automatic && isNeeded(rows));
    if (missing.length > 0) logger.error(missingTables(plan, missing));
  } catch (error) {
    const words = 'the store could not be read at the start. Check that it runs, and its address';
    logger.error(new AdapterError(words, { err: errorOf(error), method: 'migrations.plan' }));
  }
}

function missingTables({ database }: MigrationPlan, missing: MigrationPlan['steps']): AdapterError {
  const names = missing.map(({ table }) => `"${table}"`).join(', ');
  return new AdapterError(
    `${database.engine} has no table ${names}. Run \`npx @latchkey/cli migrate\`, or print the statements with \`npx @latchkey/cli migrate --sql\``,
  );
}

async function withinLimit(migrations: AdapterMigrations, use: MigrationUse): Promise<MigrationPlan | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PLAN_LIMIT);
  });
  try {
    return await Promise.race([migrations.plan(use), late]);
  } finally {
    clearTimeout(timer);
  }
}
