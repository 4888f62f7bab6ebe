import { Auth } from '../auth.ts';
import type { EnvConfigured } from '../config/env.ts';
import type { CallOptions } from '../context.ts';
import { namedOrigin } from '../entry/route.ts';
import { relatedOrigins, serveRelatedOrigins } from '../identity/webauthn/related-origins.ts';
import { isPrivateHost } from '../wire/host.ts';
import { isRoute, originOfUrl } from './origin.ts';
import { applyToHeaders, headChanges, type VisitCookies } from './renew.ts';
import type { Visit, VisitRequest } from './visit.ts';

/**
 * Returns the members of a {@link VisitRequest} that are the same for all frameworks with web-standard requests.
 *
 * ```ts
 * const visit = new Visit(configured, { ...webRequest(request), origin: requestOrigin(configured, request.headers) });
 * ```
 */
export function webRequest(request: Request): Pick<VisitRequest, 'method' | 'path' | 'header' | 'headers'> {
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  return {
    method,
    path: pathname + search,
    header: (name) => headers.get(name) ?? undefined,
    headers: () => new Headers(headers),
  };
}

/**
 * Returns the origin that the visitor uses; '' if it is unknown. `AUTH_URL` decides. Without it, the headers
 * `X-Forwarded-Host`, `X-Forwarded-Proto` and `Host` decide, and then the URL of the request. A framework with a
 * setting of its own for trusted proxies does not use this function.
 *
 * Core decides by `trustHost` whether it believes the result. If only private hosts are trusted (`trustHost: 'local'`),
 * a private `X-Forwarded-Host` does not count, because clients can send it. Then `Host` decides. A public one counts,
 * and core refuses the request.
 *
 * ```ts
 * requestOrigin(configured, request.headers, new URL(request.url)); // 'https://example.com'
 * ```
 *
 * @param address The URL of the request, or as much of it as the framework knows.
 */
export function requestOrigin(
  configured: EnvConfigured,
  headers: Pick<Headers, 'get'>,
  address: { readonly protocol?: string | undefined; readonly host?: string | undefined } = {},
): string {
  const { call, config, ignoresForwardedHost } = configured;
  if (call.origin !== undefined) return call.origin;
  const { protocol, host } = address;
  const fallback = host ? originOfUrl({ protocol: protocol ?? 'https:', host }) : '';
  const named = namedOrigin(headers, protocol) ?? fallback;
  const usesHost = ignoresForwardedHost || (config.trustHost === 'local' && isPrivateOrigin(named));
  return usesHost ? (namedOrigin(withoutForwardedHost(headers), protocol) ?? fallback) : named;
}

/** Returns whether an origin is on this machine or in a private network. '' is not. */
export function isPrivateOrigin(origin: string): boolean {
  return origin !== '' && isPrivateHost(new URL(origin).hostname);
}

function withoutForwardedHost(headers: Pick<Headers, 'get'>): Pick<Headers, 'get'> {
  return { get: (name) => (name === 'x-forwarded-host' ? null : headers.get(name)) };
}

/**
 * Answers a request for an action, or for the list of related origins (`/.well-known/webauthn`).
 *
 * ```ts
 * const answer = await answerRequest(request, visit);
 * if (answer) return answer;
 * ```
 *
 * @param call `forms` is how forms are trusted. Default: by the CSRF token.
 * @returns `undefined` for all other requests.
 */
export async function answerRequest(
  request: Request,
  visit: Visit,
  { forms }: Pick<CallOptions, 'forms'> = {},
): Promise<Response | undefined> {
  const { configured, basePath } = visit;
  const { config, call } = configured;
  const { clientAddress, hasClient } = visit.request;
  if (isRoute(new URL(request.url).pathname, basePath, config)) {
    const origin = visit.origin || undefined;
    return Auth(request, config, { ...call, origin, basePath, forms, clientAddress, revision: hasClient });
  }
  const list = serveRelatedOrigins(request, config);
  // Without related origins, the address may be the application's own.
  return list && relatedOrigins(config).origins.length > 0 ? list : undefined;
}

/**
 * Returns the response with the cookies of the visit, and with the `Cache-Control` header that it needs. It is a copy,
 * because the headers of some responses are immutable; the response itself if nothing has to change.
 *
 * ```ts
 * return completeResponse(await next(), visit);
 * ```
 */
export function completeResponse(response: Response, visit: VisitCookies): Response {
  const { add, drop, cacheControl } = headChanges(response.headers, visit);
  if (add.length === 0 && drop.length === 0 && cacheControl === undefined) return response;
  const copy = new Response(response.body, response);
  applyToHeaders(copy.headers, visit);
  return copy;
}
