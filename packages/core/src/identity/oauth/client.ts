import * as oauth from 'oauth4webapi';
import { limits } from '../../config/defaults.ts';
import { envName } from '../../config/env-name.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { AuthError } from '../../errors.ts';
import { keep } from './bounded-map.ts';
import { staleFetch } from './stale-fetch.ts';

/** The client as the protocol library wants it; its clock is the request's. */
export function clientOf(provider: OAuthProvider, now: Date): oauth.Client {
  if (!provider.clientId) {
    throw new AuthError(
      `provider "${provider.id}" has no client id. Set \`clientId\`, or AUTH_${envName(provider.id)}_ID in the environment`,
    );
  }
  return {
    [oauth.clockSkew]: Math.round((now.getTime() - Date.now()) / 1000),
    [oauth.clockTolerance]: limits.idTokenSkew,
    client_id: provider.clientId,
    ...(provider.client as Partial<oauth.Client>),
  };
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
  return { [oauth.customFetch]: forLibrary(provider.fetch), [oauth.allowInsecureRequests]: true };
}

/** The same function object: the library joins equal requests by it. Its options are those of `fetch`. */
function forLibrary(base: typeof fetch): LibraryFetch {
  return base as unknown as LibraryFetch;
}

const keyCaches = new WeakMap<typeof fetch, Map<string, oauth.JWKSCacheInput>>();

/** Options for fetching signing keys: stale ones stand in while the provider is down, and every provider object shares them. */
export function keyOptions(
  provider: OAuthProvider,
  server: oauth.AuthorizationServer,
): RemoteOptions & oauth.JWKSCacheOptions {
  const caches = keyCaches.get(provider.fetch) ?? new Map<string, oauth.JWKSCacheInput>();
  keyCaches.set(provider.fetch, caches);
  const address = server.jwks_uri ?? '';
  const cache = caches.get(address) ?? {};
  keep(caches, address, cache);
  return {
    ...remoteOptions(provider),
    [oauth.customFetch]: forLibrary(staleFetch(provider.fetch)),
    [oauth.jwksCache]: cache,
  };
}
