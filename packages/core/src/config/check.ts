import {
  AuthError,
  errorOf,
  InvalidEndpoints,
  MissingAdapter,
  MissingSecret,
  SessionRecordsError,
  UnsupportedStrategy,
  UntrustedHost,
} from '../errors.ts';
import type { Warning } from '../log/logger.ts';
import { isRecord } from '../plain-object.ts';
import { allowShortSecret, deployment } from '../symbols.ts';
import type { AuthConfig, CookieOption } from '../types/config.ts';
import { serializeCookie } from '../wire/cookie.ts';
import { type CookieOverrides, type CookieTable, cookieKeys, cookieTable } from '../wire/cookie-table.ts';
import { checkAccount } from './check-account.ts';
import { checkLegacy } from './check-legacy.ts';
import { checkTheme } from './check-theme.ts';
import { checkTokens } from './check-tokens.ts';
import { defaults, limits } from './defaults.ts';
import { unknownCallbacks } from './hooks.ts';
import { isPageLink, isPageOf, isWebAddress, rootedPages } from './paths.ts';
import { readableProviders } from './provider-options.ts';
import type { ConfigCheck } from './settings.ts';
import { type OptionType, usableConfig, wrongOptions } from './usable-config.ts';

/** The results of the checks of a configuration, except of its providers. */
export interface Findings {
  /** Mistakes. Each message ends with its remedy. */
  readonly problems: readonly AuthError[];
  /** Hints about a configuration that works. */
  readonly warnings: readonly Warning[];
}

type Finding = AuthError | Warning;

type Finder = (config: AuthConfig, check: ConfigCheck, url: URL) => Finding | readonly Finding[];

const finders: Readonly<Record<ConfigCheck, Finder>> = {
  types: checkTypes,
  pages: checkPages,
  theme: checkTheme,
  trustHost: (_, __, url) => untrustedHost(url),
  secret: missingSecret,
  providers: () => new AuthError('`providers` must be a list. Give the ways to sign in, or `[]`'),
  'session.strategy': ({ session }) =>
    new UnsupportedStrategy(`\`session.strategy\` must not be "${String(session?.strategy)}". Use "jwt" or "database"`),
  adapter: () => new MissingAdapter('database sessions need an `adapter`. Add one, or use `session.strategy: "jwt"`'),
  'session.maxAge': notSeconds,
  'session.updateAge': notSeconds,
  'jwt.maxAge': notSeconds,
  'session.maxLifetime': checkMaxLifetime,
  'session.records': checkRecords,
  legacy: checkLegacy,
  logout: checkLogout,
  tokens: checkTokens,
  account: checkAccount,
  linking: checkLinking,
  cookies: checkCookies,
  shortSecret: checkSecrets,
  callbacks: checkCallbacks,
  debug: () => ({ code: 'debug-enabled', words: 'debug is on. Turn it off in production.' }),
  enableWebAuthn: () => ({ code: 'experimental-webauthn', words: 'passkeys are experimental and may change.' }),
};

/**
 * Runs checks on a configuration; see `checksNeeded` of `settings.ts`.
 *
 * @param url The URL of the request, for messages.
 */
export function checkBasics(config: AuthConfig, needed: readonly ConfigCheck[], url: URL): Findings {
  const usable = usableConfig(config);
  const found = needed.flatMap((check) => finders[check](check === 'types' ? config : usable, check, url));
  return {
    problems: found.filter((one) => one instanceof AuthError),
    warnings: found.filter((one): one is Warning => !(one instanceof AuthError)),
  };
}

function missingSecret(config: AuthConfig): MissingSecret {
  const hint = config[deployment] ? '' : '. (`Auth()` itself does not read the environment, see `setEnvDefaults`)';
  return new MissingSecret(
    `AUTH_SECRET (\`secret\`) is not set. Run \`npx @latchkey/cli secret --write .env\`, or set it to the output of \`openssl rand -base64 33\`${hint}`,
  );
}

/** Checks of options that only sign-ins and pages need. They do not refuse the reading of a session. */
export const notForSessions: ReadonlySet<ConfigCheck> = new Set<ConfigCheck>(['pages', 'theme']);

/**
 * Returns the problem of a request whose host is not trusted.
 *
 * @param url The URL of the request. A client chooses its host, so the message quotes it.
 */
export function untrustedHost({ host, origin }: URL): UntrustedHost {
  const name = JSON.stringify(host.slice(0, 255));
  return new UntrustedHost(
    `the request names the host ${name}, which is not trusted. If this is your site, set AUTH_URL (for example ${origin.slice(0, 255)}), or AUTH_TRUST_HOST=true (\`trustHost: true\`) if the server in front sets the Host header itself`,
    { host },
  );
}

/** For the message: "must be …". */
const typeWords: Readonly<Record<OptionType, string>> = {
  text: 'a string',
  flag: '`true` or `false`',
  group: 'an object',
  action: 'a function',
  list: 'a list',
  texts: 'a list of strings',
  secret: 'a string or a list of strings',
  store: 'an object or a function',
  feature: '`true`, `false` or an object',
};

function checkTypes(config: AuthConfig): AuthError[] {
  return wrongOptions(config).map(({ name, member, type, value }) => {
    const path = member === undefined ? name : `${name}.${member}`;
    const found = Array.isArray(value) ? 'list' : typeof value;
    return new AuthError(
      `\`${path}\` must be ${typeWords[type]}, but is of type ${found}. Correct it, or leave it out`,
    );
  });
}

function checkSecrets({ secret, jwt, ...config }: AuthConfig): Finding {
  const lengths = [secret ?? [], jwt?.secret ?? []].flat().map(({ length }) => length);
  const shortest = Math.min(...lengths.filter((length) => length > 0));
  const words = `a secret has ${shortest} characters, but needs ${defaults.secretLength} or more`;
  if (!config[deployment]?.isProduction || config[allowShortSecret] === true) {
    return { code: 'short-secret', words: `${words}. Make one with \`openssl rand -base64 33\`.` };
  }
  return new AuthError(
    `${words} in production, because an attacker can guess it. Set AUTH_SECRET to the output of \`openssl rand -base64 33\`. While you replace a short secret, set \`[allowShortSecret]: true\``,
  );
}

function checkCallbacks(config: AuthConfig): Warning {
  const names = unknownCallbacks(config).map((name) => `\`callbacks.${name}\``);
  return {
    code: 'unknown-callback',
    words: `${names.join(', ')}: a callback of this name is never called. Correct the name: sign-ins that a misspelled \`signIn\` should refuse are allowed.`,
  };
}

function checkPages({ pages }: AuthConfig): AuthError[] {
  const wrong = Object.entries(rootedPages(pages) ?? {}).filter(([name, page]) => page && !isPageOf(name, page));
  return wrong.map(([name, page]) => {
    const must = isPageLink(name)
      ? `a path of this site, for example /${name.toLowerCase()}, or an https URL`
      : 'a path, or an http or https URL. Write it like /login';
    return new AuthError(`\`pages.${name}\` (${JSON.stringify(page)}) must be ${must}`);
  });
}

function notSeconds({ session, jwt }: AuthConfig, check: ConfigCheck): AuthError {
  const values: Partial<Record<ConfigCheck, unknown>> = {
    'session.maxAge': session?.maxAge,
    'session.updateAge': session?.updateAge,
    'jwt.maxAge': jwt?.maxAge,
  };
  const value = values[check];
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
  return new AuthError(`\`${check}\` is ${shown}. It must be a number of seconds, 0 or more`);
}

function checkMaxLifetime({ session, adapter }: AuthConfig): AuthError[] {
  const { maxLifetime, records, strategy } = session ?? {};
  const problems: AuthError[] = [];
  if (!isWhole(maxLifetime, limits.maxLifetime, Number.MAX_SAFE_INTEGER)) {
    problems.push(
      new AuthError(`\`session.maxLifetime\` must be a whole number of seconds, ${limits.maxLifetime} or more`),
    );
  }
  if (!records && (strategy ?? (adapter ? 'database' : 'jwt')) === 'database') {
    problems.push(new AuthError('`session.maxLifetime` needs `session.records` with database sessions. Set both'));
  }
  return problems;
}

function checkRecords(config: AuthConfig): Finding[] {
  const { session, adapter } = config;
  if (session?.records === true) return hasRecordStore(config) ? [] : [missingRecordStore()];
  if (!isRecord(session?.records)) return [new AuthError('`session.records` must be true, false or an object')];
  const { revocationLag, maxPerUser, label, network } = session.records;
  const findings: Finding[] = hasRecordStore(config) ? [] : [missingRecordStore()];
  const problem = (words: string): number => findings.push(new AuthError(`\`session.records.${words}`));
  if (revocationLag !== undefined && !isWhole(revocationLag, 0, limits.revocationLag)) {
    problem(`revocationLag\` must be a whole number of seconds from 0 to ${limits.revocationLag}`);
  }
  if (maxPerUser !== undefined && !isWhole(maxPerUser, 1, limits.maxPerUser)) {
    problem(`maxPerUser\` must be a whole number from 1 to ${limits.maxPerUser}`);
  }
  if (label !== undefined && label !== false && typeof label !== 'function') {
    problem('label` must be a function or false');
  }
  if (network !== undefined && typeof network !== 'boolean') problem('network` must be true or false');
  if (revocationLag !== undefined && (session.strategy ?? (adapter ? 'database' : 'jwt')) === 'database') {
    findings.push({ code: 'revocation-lag', words: '`revocationLag` has no effect on database sessions.' });
  }
  return findings;
}

/** A function that makes the adapter is not called here; a record store that it lacks is found at the first session. */
function hasRecordStore({ session, adapter }: AuthConfig): boolean {
  const own = isRecord(session?.records) ? session.records.store : undefined;
  return isRecord(own) || typeof adapter === 'function' || isRecord(isRecord(adapter) && adapter.sessionRecords);
}

function missingRecordStore(): SessionRecordsError {
  return new SessionRecordsError(
    '`session.records` needs a store. Set `records.store` to `SqlSessionRecords(db)` or `RedisSessionRecords(client)`',
  );
}

function checkLogout({ logout, session, adapter, providers }: AuthConfig): AuthError[] {
  const problems: AuthError[] = [];
  const { provider, backchannel } = logout ?? {};
  const isDatabase = (session?.strategy ?? (adapter ? 'database' : 'jwt')) === 'database';
  for (const [name, value] of Object.entries({ provider, backchannel })) {
    if (value === undefined || typeof value === 'boolean') continue;
    problems.push(new AuthError(`\`logout.${name}\` must be true or false`));
  }
  if (provider && isDatabase && !session?.records) {
    problems.push(new AuthError('`logout.provider` needs `session.records` with database sessions. Set both'));
  }
  if (backchannel && !session?.records) {
    problems.push(new AuthError('`logout.backchannel` needs `session.records`. Set both'));
  }
  if ((provider || backchannel) && !readableProviders({ providers }).some(({ type }) => type === 'oidc')) {
    problems.push(new AuthError('`logout` needs a provider of type "oidc". Add one, or remove `logout`'));
  }
  return problems;
}

function checkLinking({ linking, adapter }: AuthConfig): AuthError[] {
  if (linking !== 'guided') {
    return [new AuthError('`linking` must be "guided". Correct it, or leave it out')];
  }
  return adapter ? [] : [new MissingAdapter('`linking` needs an `adapter`. Add one, or remove `linking`')];
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

/**
 * Checks the address of a redirect proxy.
 *
 * @param prefix The beginning of the message.
 */
export function checkProxyUrl(prefix: string, url: unknown): InvalidEndpoints[] {
  if (!url || (typeof url === 'string' && isWebAddress(url))) return [];
  return [
    new InvalidEndpoints(
      `${prefix}\`redirectProxyUrl\` must be an absolute URL. Give the full address, up to the base path, of the deployment that providers redirect to`,
    ),
  ];
}

/** Checks for https unless the configuration says otherwise: some rules apply to https only. */
function checkCookies({ cookies, useSecureCookies }: AuthConfig): AuthError[] {
  const isSecure = useSecureCookies ?? true;
  const texts = prefixProblems(isSecure, cookies);
  texts.push(...cookieProblems(cookieTable(isSecure, { ...cookies, prefix: undefined })));
  // With the prefix, a name can also be equal to one that the application has chosen.
  if (texts.length === 0) texts.push(...cookieProblems(cookieTable(isSecure, cookies)));
  return [...new Set(texts)].map((text) => new AuthError(text));
}

/** Lists the mistakes of `cookies.prefix` and `cookies.migrate`. */
function prefixProblems(isSecure: boolean, cookies: CookieOverrides = {}): string[] {
  const { prefix, migrate } = cookies;
  const problems: string[] = [];
  if (prefix !== undefined && prefix !== '__Host-') {
    problems.push('`cookies.prefix` must be "__Host-". Correct it, or leave it out');
  }
  if (migrate && prefix === undefined) {
    problems.push('`cookies.migrate` needs `cookies.prefix`. Set that to "__Host-", or remove `cookies.migrate`');
  }
  if (migrate && !isMigration(migrate)) {
    problems.push('`cookies.migrate.from` must be a date before `cookies.migrate.until`. Set both to a `Date`');
  }
  return prefix !== undefined && isSecure ? [...problems, ...conflicts(cookies)] : problems;
}

/**
 * Browsers refuse these options with the prefix (RFC 6265bis §4.1.3.2). Not for names of the application's own, nor for
 * cookies that always have the prefix: {@link cookieProblems} checks those.
 */
function conflicts(cookies: CookieOverrides): string[] {
  const usual = cookieTable(true);
  return cookieKeys.flatMap((key) => {
    const { name, options: { domain, path = '/', secure = true } = {} } = cookies[key] ?? {};
    if (name !== undefined || usual[key].name.startsWith('__Host-')) return [];
    const refused = { domain: domain !== undefined, path: path !== '/', secure: !secure };
    const options = Object.entries(refused).filter(([, isRefused]) => isRefused);
    return options.map(
      ([option]) =>
        `\`cookies.prefix\` cannot be combined with \`cookies.${key}.options.${option}\`. Remove one of them`,
    );
  });
}

function isMigration(migrate: unknown): boolean {
  if (!isRecord(migrate)) return false;
  const { from, until } = migrate;
  return from instanceof Date && until instanceof Date && from < until;
}

/**
 * Lists what browsers or the grammar of the Set-Cookie header do not accept in a table (RFC 6265bis §4.1.3, §5.7). Each
 * text ends with its remedy.
 */
export function cookieProblems(table: CookieTable): string[] {
  return cookieKeys.flatMap((key) => {
    const { name } = table[key];
    const broken = [...brokenRules(table[key])];
    // The name is the salt of the cookie's seal: with one name, a browser could present one cookie as the other.
    if (cookieKeys.some((other) => other !== key && table[other].name === name)) {
      broken.push('two of the cookies have this name. Give each a name of its own.');
    }
    return broken.map((text) => `cookies.${key} (${name}): ${text}`);
  });
}

function* brokenRules({ name, options }: CookieOption): Iterable<string> {
  const { domain, path, secure, sameSite, partitioned } = options;
  const isHost = /^__host-/i.test(name);
  if (isHost && domain !== undefined) {
    yield 'browsers refuse a __Host- cookie with a Domain. Remove options.domain or choose a name that begins with __Secure-.';
  }
  if (isHost && path !== '/') {
    yield "browsers refuse a __Host- cookie for a part of the site. Set options.path to '/' or choose a name that begins with __Secure-.";
  }
  if (/^__(?:host|secure)-/i.test(name) && secure !== true) {
    yield 'browsers refuse a cookie of this prefix without Secure. Set options.secure to true or choose a name without the prefix.';
  }
  if (String(sameSite).toLowerCase() === 'none' && secure !== true) {
    yield "browsers refuse SameSite=None without Secure. Set options.secure to true or options.sameSite to 'lax'.";
  }
  if (partitioned === true && secure !== true) {
    yield 'browsers refuse Partitioned without Secure. Set options.secure to true or remove options.partitioned.';
  }
  try {
    serializeCookie({ name, value: '', options });
  } catch (error) {
    yield `${errorOf(error).message}. Use characters that RFC 6265 §4.1.1 allows.`;
  }
}
