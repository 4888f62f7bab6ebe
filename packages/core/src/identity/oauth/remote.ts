import * as oauth from 'oauth4webapi';
import { BoundedMap } from '../../bounded-map.ts';
import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { readObject } from '../../plain-object.ts';

/** A request function as the protocol library calls it. */
type LibraryFetch = (
  url: string,
  options: oauth.CustomFetchOptions<'GET' | 'POST', BodyInit | undefined>,
) => Promise<Response>;

/** Options for each request of the protocol library. */
export interface RemoteOptions {
  [oauth.customFetch]: LibraryFetch;
  [oauth.allowInsecureRequests]: boolean;
}

/** Returns the options for requests to a provider. */
export function remoteOptions({ fetch }: OAuthProvider): RemoteOptions {
  // `isAcceptableUrl` has decided already which http URLs are acceptable.
  return { [oauth.customFetch]: remoteCache(fetch).request, [oauth.allowInsecureRequests]: true };
}

/** Returns the options for fetching signing keys. If the provider is down, its last keys are used for up to a day. */
export function keyOptions({ fetch }: OAuthProvider): RemoteOptions {
  return { [oauth.customFetch]: remoteCache(fetch).requestKeys, [oauth.allowInsecureRequests]: true };
}

/** Everything that is remembered of the servers behind one `fetch`. */
interface RemoteCache {
  /** Metadata by discovery location, see `server.ts`. */
  readonly metadata: BoundedMap<string, CachedMetadata>;
  /** By address of a key set: the object by which the protocol library remembers the keys, for 5 minutes. */
  readonly keySets: BoundedMap<string, oauth.AuthorizationServer>;
  /** `fetch` for metadata, see {@link staleFetch}. */
  readonly fetchMetadata: typeof fetch;
  // One function object each: the library joins simultaneous requests only if they use the same one.
  readonly request: LibraryFetch;
  readonly requestKeys: LibraryFetch;
}

/** Metadata, or the request for them. */
interface CachedMetadata {
  readonly server: Promise<oauth.AuthorizationServer>;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const caches = new WeakMap<typeof fetch, RemoteCache>();

/** Returns the cache of a `fetch`. Applications with different `customFetch` functions share nothing. */
export function remoteCache(base: typeof fetch): RemoteCache {
  const known = caches.get(base);
  if (known) return known;
  const fetchMetadata = staleFetch(base);
  const cache: RemoteCache = {
    metadata: new BoundedMap(),
    keySets: new BoundedMap(),
    fetchMetadata,
    request: forLibrary(base),
    requestKeys: forLibrary(fetchMetadata),
  };
  caches.set(base, cache);
  return cache;
}

function forLibrary(base: typeof fetch): LibraryFetch {
  return (url, { body = null, signal = null, ...options }) => base(url, { ...options, body, signal });
}

interface StoredAnswer {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Returns a `fetch` for metadata and key sets. If the provider fails, its last good answer is returned again, for up to
 * a day. This lies below the protocol library, so that the library's own rules about refetching apply.
 */
function staleFetch(base: typeof fetch): typeof fetch {
  const answers = new BoundedMap<string, StoredAnswer>();
  return async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    try {
      const answer = await base(input, init);
      if (answer.status !== 200) return staleAnswer(answers.get(url)) ?? answer;
      const text = await answer.text();
      if (!isUsable(text))
        return staleAnswer(answers.get(url)) ?? new Response(null, { status: 502, statusText: NOT_JSON });
      answers.set(url, { text, at: Date.now() });
      return jsonResponse(text, answer.headers);
    } catch (error) {
      const stale = staleAnswer(answers.get(url));
      if (stale) return stale;
      throw error;
    }
  };
}

/** Status text in place of an answer that cannot be used. */
export const NOT_JSON: string = 'the body is not a JSON object';

function staleAnswer(stored: StoredAnswer | undefined): Response | undefined {
  return stored && Date.now() - stored.at < limits.metadataStale * 1000 ? jsonResponse(stored.text) : undefined;
}

function jsonResponse(text: string, headers?: Headers): Response {
  return new Response(text, { headers: { 'content-type': headers?.get('content-type') ?? 'application/json' } });
}

/**
 * Returns whether a text is a JSON object and, if it is a key set, not too large. Other texts replace no stored answer.
 */
function isUsable(text: string): boolean {
  const value = readObject(text);
  if (!value) return false;
  const { keys } = value;
  return keys === undefined || (Array.isArray(keys) && keys.length <= limits.keysPerSet);
}
