import type { CallOptions } from '../context.ts';
import { debugCategories } from '../log/categories.ts';
import { createLogger, type Warning } from '../log/logger.ts';
import type { Plain } from '../plain-object.ts';
import type { Provider, ProviderConfig } from '../providers/index.ts';
import { deployment } from '../symbols.ts';
import type { AuthConfig, Deployment } from '../types/config.ts';
import { defaults } from './defaults.ts';
import { modeOf } from './mode.ts';
import { isWebAddress, rootedPages, trimmedPath } from './paths.ts';
import { providerEntries } from './settings.ts';
import { areProvidersUnchanged, isUnchanged, providersSnapshotOf, type Snapshot, snapshotOf } from './snapshot.ts';

/** Environment variables by name; `process.env` fits. */
export type Env = Record<string, string | undefined>;

/** Returns the environment variables of the process. Some runtimes have no process. */
export function processEnv(): Env {
  return (globalThis as { process?: { env?: Env } }).process?.env ?? NO_ENV;
}

/** One object, because `withEnv` remembers a copy for each. */
const NO_ENV: Env = Object.freeze({});

/**
 * Writes values of the environment to those members of `config` that are not set. For framework authors. The bindings
 * of this project use {@link withEnv}, which returns a copy.
 *
 * Reads `AUTH_URL` (its path is the base path), `AUTH_SECRET`, `AUTH_SECRET_1` … `_3`, `AUTH_REDIRECT_PROXY_URL`,
 * `AUTH_REDIRECT_PROXY_ORIGINS`, `AUTH_TRUST_HOST` and `NODE_ENV`. For each provider it reads `AUTH_<ID>_ID`,
 * `_SECRET`, `_ISSUER` and `_KEY`. `NEXTAUTH_SECRET` and `NEXTAUTH_URL` are older names of `AUTH_SECRET` and
 * `AUTH_URL`.
 *
 * ```ts
 * const config: AuthConfig = { providers: [GitHub] };
 * setEnvDefaults(process.env, config);
 * export const handler = (request: Request) => Auth(request, config);
 * ```
 *
 * @param suppressBasePathWarning Set if the binding itself sets `basePath`, so that the same path in `AUTH_URL` is not
 * a mistake.
 */
export function setEnvDefaults(envObject: Env, config: AuthConfig, suppressBasePathWarning = false): void {
  const facts = factsOf(envObject, config, suppressBasePathWarning);
  for (const [key, value] of Object.entries(facts)) {
    if (Reflect.get(config, key) !== value) Object.assign(config, { [key]: value });
  }
  const [known, found] = [config[deployment], deploymentOf(envObject)];
  const isSame =
    known?.isProduction === found.isProduction &&
    known.isPlatform === found.isPlatform &&
    known.origin === found.origin;
  if (!isSame) config[deployment] = found;
}

/** A configuration with the environment's values, and what the environment says about calls. */
export interface EnvConfigured {
  /** The configuration, with the environment's values for options that it does not set. */
  config: AuthConfig;
  /** The origin of `AUTH_URL`, and whether the environment says `development`; `undefined` where it says nothing. */
  call: Pick<CallOptions, 'origin' | 'development'>;
  /** The base path that the configuration or the environment names; `undefined` if neither does. */
  statedPath?: string | undefined;
  /** Cloudflare Pages passes on the `X-Forwarded-Host` of a client, so only `Host` counts there. Default: `false`. */
  ignoresForwardedHost?: boolean | undefined;
}

interface Copy {
  readonly env: Env;
  readonly basePath: string;
  /** The configuration when it was copied. */
  readonly snapshot: Snapshot;
  /** The list `providers`, and its entries at that time. */
  readonly list: AuthConfig['providers'];
  readonly entries: readonly Provider[];
  readonly ofProviders: Snapshot;
  readonly configured: EnvConfigured;
}

const copies = new WeakMap<AuthConfig, Copy>();

/** Returns whether a request has read the environment for this configuration. */
export function isInUse(config: AuthConfig): boolean {
  return copies.has(config);
}

/**
 * Returns a copy of the configuration with the environment's values. The configuration may be frozen. The copy is
 * remembered until the configuration changes; until then the variables are not read again.
 *
 * ```ts
 * const { config, call } = withEnv(options, process.env);
 * const response = await Auth(request, config, call);
 * ```
 *
 * @param basePath The base path if neither the configuration nor the environment names one.
 */
export function withEnv(config: AuthConfig, envObject: Env, basePath: string = defaults.basePath): EnvConfigured {
  const known = copies.get(config);
  if (known?.env === envObject && known.basePath === basePath) {
    if (isUpToDate(config, known)) return known.configured;
    if (modeOf(envObject).isDevelopment) warnOfEdit(config, known);
  }
  const configured = copyWithEnv(config, envObject, basePath);
  const list = config.providers;
  copies.set(config, {
    env: envObject,
    basePath,
    snapshot: snapshotOf(config),
    list,
    entries: [...providerEntries(config)],
    ofProviders: providersSnapshotOf(list),
    configured,
  });
  return configured;
}

/** Returns a new copy of the configuration with the environment's values, which is not remembered. */
export function copyWithEnv(config: AuthConfig, env: Env, basePath: string): EnvConfigured {
  const facts = factsOf(env, config, true, basePath);
  const copy: AuthConfig = { ...config, ...facts };
  if (typeof facts.basePath === 'string') copy.basePath = trimmedPath(facts.basePath);
  const pages = rootedPages(config.pages);
  if (pages !== config.pages) copy.pages = pages;
  const url = envUrl(env);
  const explains = modeOf(env).development !== false;
  copy[deployment] = { ...deploymentOf(env), source: config, explains, debug: debugCategories(env) };
  const isStated = config.basePath !== undefined || pathOf(url) !== '';
  return Object.freeze({
    config: copy,
    call: { origin: originOf(url), development: modeOf(env).development },
    statedPath: isStated ? copy.basePath : undefined,
    ...(env.CF_PAGES && { ignoresForwardedHost: true }),
  });
}

const PROVIDER_CHANGED: Warning = {
  code: 'provider-changed',
  words:
    'a provider was changed after its first use. The new values apply, but pending sign-ins may fail. Make a new provider instead.',
};

function isUpToDate(config: AuthConfig, { snapshot, ofProviders }: Copy): boolean {
  return isUnchanged(config, snapshot) && areProvidersUnchanged(config.providers, ofProviders);
}

/** Warns if the list has the same provider objects as before, but their members differ. */
function warnOfEdit(config: AuthConfig, { list, entries, ofProviders }: Copy): void {
  const providers = providerEntries(config);
  if (providers !== list || providers.length !== entries.length) return;
  const hasSameEntries = providers.every((entry, index) => entry === entries[index]);
  if (hasSameEntries && !areProvidersUnchanged(list, ofProviders))
    createLogger(config.logger, false).warn(PROVIDER_CHANGED);
}

function deploymentOf(env: Env): Deployment {
  return {
    isProduction: modeOf(env).isProduction,
    isPlatform: isPlatform(env),
    origin: originOf(envUrl(env)),
  };
}

/**
 * Returns whether a platform runs the application that sets both headers of the host. Cloudflare Pages vouches for
 * `Host` alone: a client's `X-Forwarded-Host` reaches the application.
 */
function isPlatform(env: Env): boolean {
  return Boolean(env.VERCEL);
}

function factsOf(
  env: Env,
  config: AuthConfig,
  quiet: boolean,
  basePath: string = defaults.basePath,
): Partial<AuthConfig> {
  const entries = providerEntries(config);
  const providers = entries.map((entry) => (isProvider(entry) ? withProviderEnv(env, entry) : entry));
  const unchanged = providers.every((provider, index) => provider === entries[index]);
  return {
    basePath: basePathOf(env, config, quiet, basePath),
    ...(isUnset(config.secret) ? { secret: secretsOf(env) } : {}),
    ...(config.redirectProxyUrl ? {} : stated({ redirectProxyUrl: env.AUTH_REDIRECT_PROXY_URL })),
    ...(config.redirectProxyOrigins || !env.AUTH_REDIRECT_PROXY_ORIGINS
      ? {}
      : { redirectProxyOrigins: env.AUTH_REDIRECT_PROXY_ORIGINS.split(/[\s,]+/).filter(Boolean) }),
    ...(config.trustHost === undefined ? { trustHost: trustsHost(env) } : {}),
    // The origin of AUTH_URL replaces the host of each request.
    ...(config.trustHost === 'local' && originOf(envUrl(env)) ? { trustHost: true } : {}),
    ...(unchanged ? {} : { providers }),
  };
}

/** An option of a wrong type is not unset: the check of the configuration reports it. */
function isUnset(secret: unknown): boolean {
  return secret === undefined || secret === null || secret === '' || (Array.isArray(secret) && secret.length === 0);
}

/** Other entries stay as they are: the check of the configuration reports them. */
function isProvider(entry: unknown): entry is Provider {
  return typeof entry === 'function' || (typeof entry === 'object' && entry !== null);
}

/** Returns the members that are neither `undefined` nor empty. */
function stated(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(members).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(entries);
}

function basePathOf(env: Env, config: AuthConfig, quiet: boolean, otherwise: string): string {
  const url = envUrl(env);
  const path = pathOf(url);
  const logger = createLogger(config.logger, false);
  if (url && !isWebAddress(url)) logger.warn(URL_INVALID);
  if (config.basePath === undefined) return path || otherwise;
  if (path && !quiet) logger.warn(PATH_REDUNDANT);
  return config.basePath;
}

const URL_INVALID: Warning = {
  code: 'env-url-invalid',
  words: 'AUTH_URL must be an http or https URL; its value is ignored. Begin it with https://.',
};

const PATH_REDUNDANT: Warning = {
  code: 'env-url-basepath-redundant',
  words: 'AUTH_URL has a path, and `basePath` is set too. Set the path in one place.',
};

/** The warning about base paths that differ: in `AUTH_URL`, in `basePath`, and where the handler is mounted. */
export const PATH_MISMATCH: Warning = {
  code: 'env-url-basepath-mismatch',
  words: 'AUTH_URL, `basePath` and the path of the handler differ. Set the path in one place.',
};

/** Returns the application's URL, from `AUTH_URL` or its older name. */
export function envUrl(env: Env): string | undefined {
  return env.AUTH_URL || env.NEXTAUTH_URL;
}

function pathOf(url: string | undefined): string {
  return url && isWebAddress(url) ? trimmedPath(new URL(url).pathname) : '';
}

function originOf(url: string | undefined): string | undefined {
  return url && isWebAddress(url) ? new URL(url).origin : undefined;
}

/** `AUTH_SECRET_3` … `_1` are newer than `AUTH_SECRET`, which still opens what it has sealed. */
function secretsOf(env: Env): string[] {
  const secrets = [env.AUTH_SECRET_3, env.AUTH_SECRET_2, env.AUTH_SECRET_1, env.AUTH_SECRET || env.NEXTAUTH_SECRET];
  return secrets.filter((secret): secret is string => secret !== undefined && secret !== '');
}

function trustsHost(env: Env): boolean | 'local' {
  if (env.AUTH_TRUST_HOST) return env.AUTH_TRUST_HOST === 'true' || env.AUTH_TRUST_HOST === '1';
  // A value of AUTH_URL that is not a URL does not fix the host.
  const isHosted = isPlatform(env) || Boolean(env.CF_PAGES);
  return originOf(envUrl(env)) || isHosted ? true : modeOf(env).trustHost;
}

/** Returns the provider with the environment's values; the entry itself if the environment does not have any. */
function withProviderEnv(env: Env, entry: Provider): Provider {
  if (typeof entry === 'function') return madeOf(entry, providerFacts(env, idOf(entry)));
  const given: Plain = { ...entry, ...entry.options };
  // A default issuer of the factory does not count: `AUTH_<ID>_ISSUER` must apply to `Vendor` and `Vendor({})` alike.
  const options: Plain | undefined = entry.options && { ...entry.options };
  if (options) given['issuer'] = options['issuer'];
  const facts = Object.entries(factsForType(entry.type, providerFacts(env, entry.id ?? '')));
  const open = facts.filter(([key]) => given[key] === undefined);
  return open.length === 0 ? entry : { ...entry, ...Object.fromEntries(open) };
}

/**
 * Calls a factory. The members that it leaves open are set beside `options`, too, where other code reads them. If it
 * throws, the factory itself is returned: the check of the configuration reports that, and the other providers work.
 */
function madeOf(factory: Extract<Provider, (...args: never[]) => unknown>, facts: Record<string, string>): Provider {
  try {
    const provider = factory(facts);
    const given: Plain = { ...provider };
    const open = Object.entries(factsForType(provider.type, facts)).filter(([key]) => given[key] === undefined);
    return { ...provider, ...Object.fromEntries(open) };
  } catch {
    return factory;
  }
}

/**
 * Returns the id of an entry of `providers`; '' if it lacks an id. Resolving the whole provider would load much more
 * code. Factories may read their options, so they get an empty object.
 */
export function idOf(entry: Provider): string {
  try {
    const provider = typeof entry === 'function' ? entry({} as never) : entry;
    const options: Plain = { ...provider.options };
    return String(options['id'] ?? provider.id ?? '');
  } catch {
    return ''; // The check of the configuration reports the entry.
  }
}

function factsForType(type: ProviderConfig['type'], facts: Record<string, string>): Record<string, string> {
  const { apiKey, ...ofClient } = facts;
  if (type === 'email') return stated({ apiKey });
  return type === 'oauth' || type === 'oidc' ? ofClient : {};
}

function providerFacts(env: Env, id: string): Record<string, string> {
  const prefix = `AUTH_${envName(id)}`;
  return stated({
    clientId: env[`${prefix}_ID`],
    clientSecret: env[`${prefix}_SECRET`],
    issuer: env[`${prefix}_ISSUER`],
    apiKey: env[`${prefix}_KEY`],
  });
}

/** Returns a provider's id as it is spelled in the environment: `AUTH_<name>_ID`. */
export function envName(id: string): string {
  return id.toUpperCase().replaceAll('-', '_');
}
