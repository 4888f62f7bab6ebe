import * as oauth from 'oauth4webapi';
import { limits } from '../../config/defaults.ts';
import { envName } from '../../config/env-name.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { AuthError } from '../../errors.ts';
import { keep } from './bounded-map.ts';
import { libraryFetch } from './library-answer.ts';
import { staleFetch } from './stale-fetch.ts';

/** The client as the protocol library wants it; its clock is the request's. */
export function clientOf(provider: OAuthProvider, now: Date): oauth.Client {
  const skew = Math.round((now.getTime() - Date.now()) / 1000);
  if (skew !== 0) return clientWith(provider, skew);
  const known = clients.get(provider) ?? clientWith(provider, 0);
  clients.set(provider, known);
  return known;
}

const clients = new WeakMap<OAuthProvider, oauth.Client>();

function clientWith(provider: OAuthProvider, skew: number): oauth.Client {
  const client_id = clientIdOf(provider);
  return {
    [oauth.clockSkew]: skew,
    [oauth.clockTolerance]: limits.idTokenSkew,
    ...(provider.client as Partial<oauth.Client>),
    client_id,
  };
}

/**
 * Who we are to the provider; the metadata in `client` win.
 *
 * @throws {AuthError} when the provider has no client id.
 */
export function clientIdOf({ id, clientId, client }: OAuthProvider): string {
  if (clientId) return typeof client['client_id'] === 'string' ? client['client_id'] : clientId;
  throw new AuthError(
    `provider "${id}" has no client id. Set \`clientId\`, or AUTH_${envName(id)}_ID in the environment`,
  );
}

type LibraryFetch = (
  url: string,
  options: oauth.CustomFetchOptions<'GET' | 'POST', BodyInit | undefined>,
) => Promise<Response>;

/** Options of every request of the library to this provider. */
export interface RemoteOptions {
  [oauth.customFetch]: LibraryFetch;
  [oauth.allowInsecureRequests]: boolean;
}

/** Which http addresses are acceptable was decided before, see config/remote-url.ts. */
export function remoteOptions(provider: OAuthProvider): RemoteOptions {
  return { [oauth.customFetch]: forLibrary(libraryFetch(provider.fetch)), [oauth.allowInsecureRequests]: true };
}

/** The same function object: the library joins equal requests by it. Its options are those of `fetch`. */
function forLibrary(base: typeof fetch): LibraryFetch {
  return base as unknown as LibraryFetch;
}

const keyCaches = new WeakMap<typeof fetch, Map<string, oauth.JWKSCacheInput>>();

/** What the library has fetched last of a server's signing keys; it writes to it. Every provider object shares it. */
export function knownKeys(
  { fetch }: OAuthProvider,
  { jwks_uri = '' }: oauth.AuthorizationServer,
): oauth.JWKSCacheInput {
  const caches = keyCaches.get(fetch) ?? new Map<string, oauth.JWKSCacheInput>();
  const known = caches.get(jwks_uri);
  if (known) return known;
  const cache: oauth.JWKSCacheInput = {};
  keyCaches.set(fetch, caches);
  keep(caches, jwks_uri, cache);
  return cache;
}

/** Options for fetching signing keys: stale ones stand in while the provider is down. */
export function keyOptions(
  provider: OAuthProvider,
  server: oauth.AuthorizationServer,
): RemoteOptions & oauth.JWKSCacheOptions {
  return {
    ...remoteOptions(provider),
    [oauth.customFetch]: forLibrary(staleFetch(provider.fetch)),
    [oauth.jwksCache]: knownKeys(provider, server),
  };
}
