import * as oauth from 'oauth4webapi';
import { chain } from '../../chain.ts';
import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { isAcceptableUrl } from '../../config/remote-url.ts';
import { InvalidEndpoints } from '../../errors.ts';
import type { Awaitable } from '../../types.ts';
import { keep } from './bounded-map.ts';
import { staleFetch } from './stale-fetch.ts';

/** An authorization server's metadata; one object per discovery address, so that the library's key cache lasts. */
export type Server = oauth.AuthorizationServer;

interface Entry {
  server: Server;
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

interface Cache {
  entries: Map<string, Entry>;
  loading: Map<string, Promise<Server>>;
}

const caches = new WeakMap<typeof fetch, Cache>();

/**
 * The metadata of a provider: what it publishes (OpenID Connect Discovery §4), with the configured endpoints laid over.
 *
 * Fetched once under concurrency, kept for an hour, and for a day while the provider is down.
 */
export function discovered(provider: OAuthProvider): Awaitable<Server> {
  const { address, key } = placeOf(provider);
  const cache = cacheOf(provider.fetch);
  const known = cache.entries.get(key);
  if (known && Date.now() - known.at < limits.metadataFresh * 1000) return known.server;
  return joined(provider, address, cache, key);
}

async function joined(provider: OAuthProvider, address: string, cache: Cache, key: string): Promise<Server> {
  const loading = cache.loading.get(key) ?? load(provider, address, cache);
  cache.loading.set(key, loading);
  try {
    return await loading;
  } finally {
    cache.loading.delete(key);
  }
}

/** Where a provider's metadata are, and under what they are remembered. */
interface Place {
  readonly address: string;
  readonly key: string;
}

const places = new WeakMap<OAuthProvider, Place>();

function placeOf(provider: OAuthProvider): Place {
  const known = places.get(provider);
  if (known) return known;
  const address = discoveryAddress(provider);
  if (address === undefined)
    throw new InvalidEndpoints(`provider "${provider.id}" has no issuer to ask for its endpoints. Set \`issuer\``);
  const place = { address, key: keyOf(provider, address) };
  places.set(provider, place);
  return place;
}

function cacheOf(base: typeof fetch): Cache {
  const known = caches.get(base);
  if (known) return known;
  const made: Cache = { entries: new Map(), loading: new Map() };
  caches.set(base, made);
  return made;
}

/** The address with what the metadata were checked for: at the same one, another provider may expect more. */
function keyOf({ issuer, allowInsecure, tokenIssuer }: OAuthProvider, address: string): string {
  return `${address} ${issuer ?? ''} ${allowInsecure} ${tokenIssuer !== undefined}`;
}

/** Where a provider's metadata are. */
function discoveryAddress({ wellKnown, issuer }: OAuthProvider): string | undefined {
  if (wellKnown) return wellKnown;
  return issuer && `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

async function load(provider: OAuthProvider, address: string, cache: Cache): Promise<Server> {
  const answer = await staleFetch(provider.fetch)(address, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
  });
  const text = await answer.clone().text();
  const server = await oauth.processDiscoveryResponse(expectedIssuer(provider, text), answer);
  checkEndpoints(provider, server);
  const key = keyOf(provider, address);
  const known = cache.entries.get(key);
  const entry = { server: known?.text === text ? known.server : server, text, at: Date.now() };
  keep(cache.entries, key, entry);
  return entry.server;
}

const SUFFIX = '/.well-known/openid-configuration';

/**
 * Without a configured issuer the metadata's address tells it; where it does not, the owner has vouched for what is there. So has
 * a provider with an issuer per tenant, whose metadata may name a pattern.
 */
function expectedIssuer({ id, issuer, wellKnown, tokenIssuer }: OAuthProvider, metadata: string): URL {
  const expected = tokenIssuer
    ? (issuerOf(metadata) ?? issuer)
    : (issuer ?? (wellKnown?.endsWith(SUFFIX) ? wellKnown.slice(0, -SUFFIX.length) : issuerOf(metadata)));
  if (typeof expected === 'string' && URL.canParse(expected)) return new URL(expected);
  throw new InvalidEndpoints(
    `provider "${id}": its issuer is no address. Set \`issuer\` to the one that its metadata name`,
    { provider: id },
  );
}

function issuerOf(metadata: string): unknown {
  try {
    return (JSON.parse(metadata) as { issuer?: unknown } | null)?.issuer;
  } catch {
    return undefined;
  }
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const;

/** Metadata must not send a visitor, or our secret, just anywhere. */
function checkEndpoints(provider: OAuthProvider, server: Server): void {
  for (const name of ENDPOINTS) {
    const url: unknown = server[name];
    if (url === undefined) continue;
    if (typeof url !== 'string' || !isAcceptableUrl(url, provider.allowInsecure)) {
      throw new InvalidEndpoints(
        `provider "${provider.id}": its metadata's ${name} is no https address. Set the endpoint, or for http the option [allowInsecureIssuer]`,
        { provider: provider.id },
      );
    }
  }
}

/** The metadata that a callback works with. */
export interface CallbackServer {
  readonly server: Server;
  /** The provider publishes keys, or the configuration tells where they are. */
  readonly hasKeys: boolean;
}

const merged = new WeakMap<OAuthProvider, WeakMap<Server, Server>>();
/** Stands for the issuer of a provider that has none: the library wants a name, and no answer can bear this one (RFC 6761 §6.4). */
export const NO_ISSUER = 'https://issuer.invalid';
const NO_METADATA: Server = { issuer: '' };

/**
 * The server as the callback needs it: metadata where an endpoint or the signing keys are not configured, the configured
 * endpoints first. The same object comes back for the same provider and metadata.
 */
export function callbackServer(provider: OAuthProvider): Awaitable<CallbackServer> {
  return chain(neededMetadata(provider), (metadata) => mergedServer(provider, metadata ?? NO_METADATA));
}

function mergedServer(provider: OAuthProvider, metadata: Server): CallbackServer {
  const byMetadata = merged.get(provider) ?? new WeakMap<Server, Server>();
  merged.set(provider, byMetadata);
  const server = byMetadata.get(metadata) ?? mergeEndpoints(provider, metadata);
  byMetadata.set(metadata, server);
  return { server, hasKeys: server.jwks_uri !== undefined };
}

function mergeEndpoints(provider: OAuthProvider, metadata: Server): Server {
  const { token, userinfo, jwks_endpoint: keys, issuer } = provider;
  return {
    ...metadata,
    issuer: metadata.issuer || issuer || NO_ISSUER,
    ...(token.url && { token_endpoint: withParams(token.url, token.params).href }),
    ...(userinfo.url && { userinfo_endpoint: withParams(userinfo.url, userinfo.params).href }),
    ...(keys && { jwks_uri: keys }),
  };
}

/** Metadata are needed for a missing endpoint and, with OIDC, for the keys; GitHub's, say, never. */
function neededMetadata(provider: OAuthProvider): Awaitable<Server | undefined> {
  if (discoveryAddress(provider) === undefined) return undefined;
  const noToken = !provider.token.url && !provider.token.request;
  const usesUserinfo = provider.type === 'oauth' || !provider.idToken;
  const noUserinfo = usesUserinfo && !provider.userinfo.url && !provider.userinfo.request;
  const noKeys = provider.type === 'oidc' && !provider.jwks_endpoint;
  if (noToken || noUserinfo) return discovered(provider);
  if (!noKeys) return undefined;
  return publishedMetadata(provider);
}

/** All endpoints are configured: a provider that answers "there are no metadata" publishes no keys. Any other failure is one. */
async function publishedMetadata(provider: OAuthProvider): Promise<Server | undefined> {
  try {
    return await discovered(provider);
  } catch (error) {
    const answer = error instanceof oauth.OperationProcessingError ? error.cause : undefined;
    if (answer instanceof Response && answer.status === 404) return undefined;
    throw error;
  }
}

/** An endpoint's address with its configured query parameters. */
export function withParams(url: URL, params: Readonly<Record<string, string>>): URL {
  const full = new URL(url);
  for (const [name, value] of Object.entries(params)) full.searchParams.set(name, value);
  return full;
}
