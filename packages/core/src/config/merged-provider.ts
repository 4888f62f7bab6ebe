import { AuthError } from '../errors.ts';
import type { Provider, ProviderConfig } from '../providers/index.ts';
import { allowInsecureIssuer, customFetch } from '../symbols.ts';
import { isPlainObject, merge } from './merge.ts';
import { ownOrForeign } from './own-or-foreign.ts';

const merged = new WeakMap<object, ProviderConfig>();

/**
 * The provider object behind a configuration's entry, with the application's options laid over the factory's defaults.
 * Remembered per entry: what lies inside an entry is read once, so replace entries instead of editing them.
 *
 * @throws {AuthError} when the entry is no provider, or a factory that cannot be called without options.
 */
export function mergedProvider(entry: Provider): ProviderConfig {
  const known = merged.get(entry);
  if (known) return known;
  const made = mergeOptions(typeof entry === 'function' ? callFactory(entry as () => ProviderConfig) : entry);
  merged.set(entry, made);
  return made;
}

function callFactory(factory: () => ProviderConfig): ProviderConfig {
  try {
    return factory();
  } catch (error) {
    throw new AuthError(
      `a provider factory (${factory.name || 'unnamed'}) cannot be used without options. Call it in \`providers\`, with the options it needs`,
      { cause: error },
    );
  }
}

function mergeOptions(provider: ProviderConfig): ProviderConfig {
  if (typeof provider !== 'object' || provider === null) {
    throw new AuthError(
      'an entry of `providers` is neither a provider object nor a factory that returns one. Import the factory, or write the object',
    );
  }
  const { options, ...own } = provider as ProviderConfig & { options?: Record<string, unknown> };
  const result = belowIssuer(merge(withEndpointObjects(own), withEndpointObjects(options ?? {})));
  for (const symbol of [customFetch, allowInsecureIssuer]) {
    const value = ownOrForeign(options ?? {}, symbol) ?? ownOrForeign(own, symbol);
    if (value !== undefined) Object.assign(result, { [symbol]: value });
  }
  return result as unknown as ProviderConfig;
}

/** A string endpoint is short for `{ url }`, so that an object laid over it keeps the address. */
function withEndpointObjects(provider: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...provider };
  for (const key of ['authorization', 'token', 'userinfo']) {
    if (typeof copy[key] === 'string') copy[key] = { url: copy[key] };
  }
  return copy;
}

/** Addresses that begin with `./` lie below the issuer, whose last slash does not count. Without an issuer there are none. */
function belowIssuer(provider: Record<string, unknown>): Record<string, unknown> {
  const { issuer } = provider;
  const absolute = (address: unknown): unknown => {
    if (typeof address !== 'string' || !address.startsWith('./')) return address;
    return typeof issuer === 'string' && issuer !== '' ? `${issuer.replace(/\/$/, '')}${address.slice(1)}` : undefined;
  };
  const copy = { ...provider };
  for (const key of ['wellKnown', 'jwks_endpoint']) if (key in copy) copy[key] = absolute(copy[key]);
  for (const key of ['authorization', 'token', 'userinfo']) {
    const endpoint = copy[key];
    if (isPlainObject(endpoint)) copy[key] = { ...endpoint, url: absolute(endpoint['url']) };
  }
  return copy;
}
