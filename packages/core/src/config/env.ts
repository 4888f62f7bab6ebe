import type { CallOptions } from '../context.ts';
import type { Provider, ProviderConfig } from '../providers/index.ts';
import type { AuthConfig } from '../types.ts';
import { trimmedPath } from './base-path.ts';
import { defaults } from './defaults.ts';
import { entriesOf } from './entries.ts';
import { envName } from './env-name.ts';
import { createLogger, type Warning } from './logger.ts';
import { rootedPages } from './pages.ts';

/** Environment variables by name; `process.env` fits. */
export type Env = Record<string, string | undefined>;

/**
 * Fills in what the environment says and the configuration leaves open; writes to `config`, and only what changes. For
 * framework authors; the bindings of this project use {@link withEnv}, which copies.
 *
 * Reads `AUTH_URL` (its path is the base path), `AUTH_SECRET`, `AUTH_SECRET_1` … `_3`, `AUTH_REDIRECT_PROXY_URL`, `AUTH_TRUST_HOST`,
 * and per provider `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER`, `_KEY`; `NEXTAUTH_SECRET` and `NEXTAUTH_URL` as older names.
 *
 * @param suppressBasePathWarning The binding sets `basePath` itself, so that `AUTH_URL` repeating it is no mistake.
 */
export function setEnvDefaults(envObject: Env, config: AuthConfig, suppressBasePathWarning = false): void {
  const facts = factsOf(envObject, config, suppressBasePathWarning);
  for (const [key, value] of Object.entries(facts)) {
    if ((config as unknown as Record<string, unknown>)[key] !== value) Object.assign(config, { [key]: value });
  }
}

interface Copy {
  /** The members that the configuration had. */
  from: AuthConfig;
  basePath: string;
  configured: EnvConfigured;
}

const copies = new WeakMap<AuthConfig, WeakMap<Env, Copy>>();

/** A configuration with the environment's facts, and what the environment says about calls. */
export interface EnvConfigured {
  config: AuthConfig;
  call: Pick<CallOptions, 'origin' | 'development'>;
  /** The base path that the configuration or the environment names; `undefined` where neither does. */
  statedPath?: string | undefined;
}

/**
 * A copy of the configuration with what the environment says; the configuration itself may be frozen. Remembered per
 * configuration and environment object, whose variables are read once.
 *
 * @param basePath Where we are mounted if neither the configuration nor the environment says it.
 */
export function withEnv(config: AuthConfig, envObject: Env, basePath: string = defaults.basePath): EnvConfigured {
  const byEnv = copies.get(config) ?? new WeakMap<Env, Copy>();
  copies.set(config, byEnv);
  const known = byEnv.get(envObject);
  if (known && known.basePath === basePath && sameMembers(known.from, config)) return known.configured;
  const facts = factsOf(envObject, config, true, basePath);
  const copy: AuthConfig = { ...config, ...facts, basePath: trimmedPath(facts.basePath ?? '') };
  const pages = rootedPages(config.pages);
  if (pages !== config.pages) copy.pages = pages;
  const isStated = config.basePath !== undefined || pathOf(envUrl(envObject)) !== '';
  const statedPath = isStated ? copy.basePath : undefined;
  const configured: EnvConfigured = Object.freeze({ config: copy, call: callFacts(envObject), statedPath });
  byEnv.set(envObject, { from: { ...config, providers: [...entriesOf(config)] }, basePath, configured });
  return configured;
}

const calls = new WeakMap<Env, EnvConfigured['call']>();

function callFacts(env: Env): EnvConfigured['call'] {
  const known = calls.get(env);
  if (known) return known;
  const made = { origin: originOf(envUrl(env)), development: env.NODE_ENV === 'development' };
  calls.set(env, made);
  return made;
}

function sameMembers(before: AuthConfig, now: AuthConfig): boolean {
  const keys = Object.keys(now) as (keyof AuthConfig)[];
  if (keys.length !== Object.keys(before).length) return false;
  for (const key of keys) if (key !== 'providers' && before[key] !== now[key]) return false;
  const entries = entriesOf(now);
  if (before.providers.length !== entries.length) return false;
  for (let index = 0; index < entries.length; index++) if (before.providers[index] !== entries[index]) return false;
  return true;
}

function factsOf(
  env: Env,
  config: AuthConfig,
  quiet: boolean,
  basePath: string = defaults.basePath,
): Partial<AuthConfig> {
  const entries = entriesOf(config);
  const providers = entries.map((entry) => (isProvider(entry) ? withProviderEnv(env, entry) : entry));
  const unchanged = providers.every((provider, index) => provider === entries[index]);
  return {
    basePath: basePathOf(env, config, quiet, basePath),
    ...(config.secret?.length ? {} : { secret: secretsOf(env) }),
    ...(config.redirectProxyUrl ? {} : optional('redirectProxyUrl', env.AUTH_REDIRECT_PROXY_URL)),
    ...(config.trustHost === undefined ? { trustHost: trustsHost(env) } : {}),
    ...(unchanged ? {} : { providers }),
  };
}

/** What is no provider is left as it is: the check of the configuration tells it, with the remedy. */
function isProvider(entry: unknown): entry is Provider {
  return typeof entry === 'function' || (typeof entry === 'object' && entry !== null);
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined || value === '' ? {} : ({ [key]: value } as Partial<Record<K, V>>);
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
  words: 'AUTH_URL is no web address, so it does not count. Write it with https://.',
};

const PATH_REDUNDANT: Warning = {
  code: 'env-url-basepath-redundant',
  words: 'AUTH_URL has a path, and `basePath` is set, too. Give the path in one place.',
};

/** The path of the handler is told in several places, and not in all of them the same. */
export const PATH_MISMATCH: Warning = {
  code: 'env-url-basepath-mismatch',
  words: 'AUTH_URL, `basePath` and the place of the handler differ. Give the path in one place.',
};

/** The address of the site, by its name or its older one. */
export function envUrl(env: Env): string | undefined {
  return env.AUTH_URL || env.NEXTAUTH_URL;
}

/** Is it an absolute http address? */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

function pathOf(url: string | undefined): string {
  return url && isWebAddress(url) ? trimmedPath(new URL(url).pathname) : '';
}

function originOf(url: string | undefined): string | undefined {
  return url && isWebAddress(url) ? new URL(url).origin : undefined;
}

/** `AUTH_SECRET_3` … `_1` are newer than `AUTH_SECRET`, which stays readable. */
function secretsOf(env: Env): string[] {
  const secrets = [env.AUTH_SECRET_3, env.AUTH_SECRET_2, env.AUTH_SECRET_1, env.AUTH_SECRET || env.NEXTAUTH_SECRET];
  return secrets.filter((secret): secret is string => secret !== undefined && secret !== '');
}

function trustsHost(env: Env): boolean {
  const said = flag(env.AUTH_TRUST_HOST);
  if (said !== undefined) return said;
  // An address that is none pins no host, so it does not count.
  return Boolean(originOf(envUrl(env)) || env.VERCEL || env.CF_PAGES) || env.NODE_ENV !== 'production';
}

function flag(value: string | undefined): boolean | undefined {
  if (value === undefined || value === '') return undefined;
  return value === 'true' || value === '1';
}

const withFacts = new WeakMap<object, WeakMap<Env, Provider>>();

/** The provider with what the environment says about it; the entry itself when it says nothing. */
function withProviderEnv(env: Env, entry: Provider): Provider {
  const byEnv = withFacts.get(entry) ?? new WeakMap<Env, Provider>();
  withFacts.set(entry, byEnv);
  const known = byEnv.get(env);
  if (known) return known;
  const made = readProviderEnv(env, entry);
  byEnv.set(env, made);
  return made;
}

function readProviderEnv(env: Env, entry: Provider): Provider {
  if (typeof entry === 'function') {
    const factory = entry as (options: object) => ProviderConfig;
    return factory(providerFacts(env, idOf(factory)));
  }
  const facts = providerFacts(env, entry.id ?? '');
  const wanted: Record<string, unknown> =
    entry.type === 'email'
      ? optional('apiKey', facts.apiKey)
      : entry.type === 'oauth' || entry.type === 'oidc'
        ? {
            ...optional('clientId', facts.clientId),
            ...optional('clientSecret', facts.clientSecret),
            ...optional('issuer', facts.issuer),
          }
        : {};
  const given: Record<string, unknown> = { ...entry, ...entry.options };
  // The issuer that a factory has by default is nobody's choice: else `AUTH_<ID>_ISSUER` would limit `Vendor`, and not `Vendor({})`.
  if (entry.options) given['issuer'] = (entry.options as { issuer?: unknown }).issuer;
  const open = Object.entries(wanted).filter(([key]) => given[key] === undefined);
  if (open.length === 0) return entry;
  return { ...entry, ...Object.fromEntries(open) } as Provider;
}

/** Factories may read their options at once; with an empty object each can say its id. */
function idOf(factory: (options: object) => ProviderConfig): string {
  try {
    return factory({}).id;
  } catch {
    return '';
  }
}

type ProviderFacts = Partial<Record<'clientId' | 'clientSecret' | 'issuer' | 'apiKey', string>>;

function providerFacts(env: Env, id: string): ProviderFacts {
  const prefix = `AUTH_${envName(id)}`;
  return {
    ...optional('clientId', env[`${prefix}_ID`]),
    ...optional('clientSecret', env[`${prefix}_SECRET`]),
    ...optional('issuer', env[`${prefix}_ISSUER`]),
    ...optional('apiKey', env[`${prefix}_KEY`]),
  };
}
