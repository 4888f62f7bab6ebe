import { AuthError } from '../errors.ts';
import { isPlainObject, isRecord, type Plain } from '../plain-object.ts';
import type { Provider, ProviderConfig } from '../providers/index.ts';
import { allowInsecureIssuer, customFetch } from '../symbols.ts';
import type { StoreUse } from '../types/adapter.ts';
import type { AuthConfig } from '../types/config.ts';
import type { ProviderType } from '../types/user.ts';
import { defaults } from './defaults.ts';
import { providerEntries, type Settings } from './settings.ts';

const ID = /^[\w.~-]+$/;

/** Returns whether a value can be a provider's id: a segment of a path that needs no encoding. */
export function isProviderId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id);
}

const TYPES: ReadonlySet<unknown> = new Set(['oauth', 'oidc', 'email', 'credentials', 'webauthn']);

/** Returns whether a value is the type of a provider. */
export function isProviderType(type: unknown): type is ProviderType {
  return TYPES.has(type);
}

/**
 * Returns the providers of a configuration that requests can name. Other entries are left out; the check of the
 * configuration reports them.
 */
export function readableProviders(config: Pick<AuthConfig, 'providers'>): readonly ProviderConfig[] {
  return providerEntries(config).flatMap((entry) => {
    try {
      const provider = withOptions(entry);
      return isProviderId(provider.id) && isProviderType(provider.type) ? [provider] : [];
    } catch {
      return [];
    }
  });
}

/** Returns what an application stores, beside users, accounts and one-time tokens. */
export function storeUse({ config, strategy }: Pick<Settings, 'config' | 'strategy'>): StoreUse {
  const passkeys = readableProviders(config).some(({ type }) => type === 'webauthn');
  return { sessions: strategy === 'database', passkeys };
}

/**
 * Returns the provider object of an entry of `providers`, with the application's options laid over the factory's
 * defaults.
 *
 * @throws {AuthError} if the entry is not a provider, or if it is a factory that needs options.
 */
export function withOptions(entry: Provider): ProviderConfig {
  const provider: unknown = typeof entry === 'function' ? callFactory(entry) : entry;
  if (!isRecord(provider)) {
    throw new AuthError(
      'an entry of `providers` is neither a provider object nor a factory that returns one. Import the factory, or write the object',
    );
  }
  return mergeOptions(provider);
}

function callFactory(factory: (...options: never[]) => unknown): unknown {
  try {
    return factory();
  } catch (error) {
    throw new AuthError(
      `a provider factory (${factory.name || 'unnamed'}) cannot be used without options. Call it in \`providers\`, with the options it needs`,
      { cause: error },
    );
  }
}

function mergeOptions({ options: given, ...own }: Plain): ProviderConfig {
  const options = isRecord(given) ? given : {};
  const over = withEndpointObjects(options);
  const merged = belowIssuer(merge(withoutNamed(withEndpointObjects(own), over), over));
  // `merge` copies members with string keys only.
  const symbols: Record<symbol, unknown> = {};
  for (const symbol of [customFetch, allowInsecureIssuer]) {
    const value = symbolMember(options, symbol) ?? symbolMember(own, symbol);
    if (value !== undefined) symbols[symbol] = value;
  }
  const derived = { ...codeDefaults(merged, given), ...senderOf(options), ...ownName(merged, options) };
  return { ...merged, ...derived, ...symbols } as unknown as ProviderConfig;
}

/** An application that sends the sign-in mails itself may not have given the built-in sender what it needs. */
function senderOf({ sendVerificationRequest, sendMail }: Plain): Plain {
  return sendVerificationRequest === undefined ? {} : { sendMail };
}

/** A name of the application wins over the label of the built-in provider. */
function ownName({ style }: Plain, options: Plain): Plain {
  const isNamed = options['name'] !== undefined && isRecord(style);
  return isNamed
    ? { style: { ...style, label: isRecord(options['style']) ? options['style']['label'] : undefined } }
    : {};
}

/** Returns the defaults of an email provider that also mails codes. They differ from those of a link alone. */
function codeDefaults({ type, code, confirm, maxAge }: Plain, options: unknown): Plain {
  if (type !== 'email' || code !== true) return {};
  // The built-in factories set the lifetime of a link alone, below the options of the application.
  const isOfFactory = isRecord(options) && options['maxAge'] === undefined && maxAge === defaults.email.maxAge;
  return {
    confirm: confirm ?? 'other-browser',
    maxAge: maxAge === undefined || isOfFactory ? defaults.email.codeMaxAge : maxAge,
  };
}

const ENDPOINTS = ['authorization', 'token', 'userinfo'];
const ADDRESSES = ['wellKnown', 'jwks_endpoint', 'redirectProxyUrl'];

/**
 * Turns endpoints that are addresses into `{ url }`, so that an object laid over one keeps the URL. Objects of the
 * class `URL` become strings.
 */
function withEndpointObjects(provider: Plain): Plain {
  const copy = { ...provider };
  for (const key of ADDRESSES) if (isUrl(copy[key])) copy[key] = String(copy[key]);
  for (const key of ENDPOINTS) {
    const given = copy[key];
    if (typeof given === 'string' || isUrl(given)) copy[key] = { url: String(given) };
    else if (isPlainObject(given) && isUrl(given['url'])) copy[key] = { ...given, url: String(given['url']) };
  }
  return copy;
}

/** `instanceof` does not know the URLs of another realm, such as a test runner's. */
function isUrl(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object URL]';
}

/**
 * Returns the factory's defaults without the `params` that the application's own address of the endpoint names: the
 * address wins with its whole query.
 */
function withoutNamed(own: Plain, options: Plain): Plain {
  const copy = { ...own };
  for (const key of ENDPOINTS) {
    const [below, given] = [copy[key], options[key]];
    if (!isPlainObject(below) || !isPlainObject(given) || !isPlainObject(below['params'])) continue;
    const named = queryNames(given['url']);
    const params = Object.entries(below['params']).filter(([name]) => !named.has(name));
    copy[key] = { ...below, params: Object.fromEntries(params) };
  }
  return copy;
}

/** Returns the names of the parameters in an address, which may be relative. */
function queryNames(url: unknown): ReadonlySet<string> {
  const [, query = ''] = /\?([^#]*)/.exec(typeof url === 'string' ? url : '') ?? [];
  return new Set(new URLSearchParams(query).keys());
}

/** Resolves URLs that begin with `./` against the issuer. Without an issuer they become `undefined`. */
function belowIssuer(provider: Plain): Plain {
  const { issuer } = provider;
  const absolute = (url: unknown): unknown => {
    if (typeof url !== 'string' || !url.startsWith('./')) return url;
    return typeof issuer === 'string' && issuer !== '' ? `${issuer.replace(/\/$/, '')}${url.slice(1)}` : undefined;
  };
  const copy = { ...provider };
  for (const key of ['wellKnown', 'jwks_endpoint']) if (key in copy) copy[key] = absolute(copy[key]);
  for (const key of ENDPOINTS) {
    const endpoint = copy[key];
    if (isPlainObject(endpoint)) copy[key] = { ...endpoint, url: absolute(endpoint['url']) };
  }
  return copy;
}

/**
 * Returns a new object with the members of `over` laid over those of `base`. Plain objects are merged; other values,
 * lists too, are replaced. `undefined` keeps the value of `base`; `null` replaces it.
 */
export function merge(base: Plain, over: Plain): Plain {
  const merged: Plain = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined || key === '__proto__') continue;
    const below = merged[key];
    merged[key] = isPlainObject(value) && isPlainObject(below) ? merge(below, value) : value;
  }
  return merged;
}

/**
 * Returns the member of an object under a symbol. If the object was made with another package's symbol, for example by
 * a provider of Auth.js v5, the member is found by the symbol's description.
 */
export function symbolMember(object: object, symbol: symbol): unknown {
  if (symbol in object) return Reflect.get(object, symbol);
  const sameName = Object.getOwnPropertySymbols(object).find((key) => key.description === symbol.description);
  return sameName && Reflect.get(object, sameName);
}
