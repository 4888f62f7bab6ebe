import {
  completeResponse,
  headChanges,
  isPrivateOrigin,
  renewTokens,
  requestOrigin,
  serializeCookie,
  Visit,
  type VisitCookies,
  webRequest,
} from '@latchkey/core/binding';
import type { Cookie, Session } from '@latchkey/core/types';
import { NextRequest, NextResponse } from 'next/server.js';
import { type ConfigSource, type Configured, configuredFor } from './config.ts';
import { hasChanged } from './current-request.ts';
import { isAction } from './paths.ts';
import { readOrNull, rethrowNextError } from './session.ts';
import { isSignInPage, leadsBack, signInAddress } from './sign-in-page.ts';

/** A request with its session. */
export interface NextAuthRequest<S = Session> extends NextRequest {
  /** The session; `null` if the visitor is not signed in. */
  auth: S | null;
}

/** A handler inside `auth(handler)`. */
export type Guarded = (request: NextAuthRequest) => unknown;

/**
 * Decides whether a request of Next's proxy passes, and runs a wrapped handler. If the configuration or the callback
 * `authorized` fails, the answer is 500, so that a failure does not open a page.
 */
export async function guard(source: ConfigSource, request: NextRequest, handler?: Guarded): Promise<Response> {
  const configured = await orUndefined(() => configuredFor(source, request));
  if (configured === undefined) return failure();
  const visited = withVisitorOrigin(request, trustedOrigin(configured, request));
  const visit = visitFor(configured, visited, request);
  const session = await readOrNull(() => visit.session());
  const guarded: GuardedVisit = { configured, request: visited, session };
  const response = await answer(guarded, handler);
  const tokens = session && !isAction(visited.nextUrl.pathname, configured) ? await renewedTokens(visit) : [];
  const { renewed } = visit;
  const hasOwnChange = handler !== undefined && renewed.length + tokens.length > 0 && (await hasChanged());
  // The provider accepts the old refresh token no more, so the new one must reach the browser, as cookies of calls do.
  const cookies = { renewed, callCookies: hasOwnChange ? [] : tokens, hasChanged: hasOwnChange };
  return withPrivacy(withNextOrigin(response, request, visited), cookies, isForVisitor(guarded, handler));
}

/** Without trust in the host, its headers must not decide where visitors and caches are sent. */
function trustedOrigin(configured: Configured, { headers, nextUrl }: NextRequest): string {
  const { trustHost } = configured.config;
  const named = requestOrigin(configured, headers, { protocol: nextUrl.protocol });
  const isTrusted = trustHost === 'local' ? isPrivateOrigin(named) : trustHost === true;
  return isTrusted ? named : (configured.call.origin ?? '');
}

/**
 * Returns the request with the origin that the visitor uses. Next invents the host of its requests: behind a proxy
 * and in a container it is that of the server.
 *
 * @param origin '' if it is unknown.
 */
function withVisitorOrigin(request: NextRequest, origin: string): NextRequest {
  if (origin === '' || request.nextUrl.origin === origin) return request;
  const { protocol, hostname, port } = new URL(origin);
  // A clone keeps Next's paths and languages. A new request does not.
  const nextUrl = Object.assign(request.nextUrl.clone(), { protocol, hostname, port });
  return Object.defineProperty(new NextRequest(nextUrl.href, request), 'nextUrl', { value: nextUrl });
}

/**
 * Changes a rewrite to the visitor's origin into one to Next's own. Otherwise Next would send itself a network
 * request.
 */
function withNextOrigin(response: Response, request: NextRequest, visited: NextRequest): Response {
  const target = response.headers.get('x-middleware-rewrite');
  if (request === visited || target === null || !URL.canParse(target)) return response;
  const url = new URL(target);
  if (url.origin !== visited.nextUrl.origin) return response;
  response.headers.set('x-middleware-rewrite', request.nextUrl.origin + url.pathname + url.search);
  return response;
}

interface GuardedVisit {
  readonly configured: Configured;
  readonly request: NextRequest;
  readonly session: Session | null;
}

/**
 * Makes the visit of a request. Actions set the session's cookies themselves, and cookies from here would undo a
 * sign-out. A late answer could do the same, and Next's prefetching makes many. So the session is renewed only if it is
 * due or has changed.
 */
function visitFor(configured: Configured, visited: NextRequest, { headers, nextUrl }: NextRequest): Visit {
  const { protocol } = nextUrl;
  return new Visit(configured, {
    ...webRequest(visited),
    // Core decides by the named host whether there is a session: Next's own host may be private.
    origin: requestOrigin(configured, headers, { protocol }) || visited.nextUrl.origin,
    basePath: configured.basePath,
    cookies: 'all',
    renew: isAction(visited.nextUrl.pathname, configured) ? 'never' : 'when-due',
  });
}

/** Returns the cookies of provider tokens that were due. They are refreshed here because pages cannot set cookies. */
async function renewedTokens(visit: Visit): Promise<string[]> {
  const cookies: string[] = [];
  const { configured, host } = visit.visitor();
  const setCookie = (cookie: Cookie): void => void cookies.push(serializeCookie(cookie));
  await renewTokens({ configured, host: { ...host, setCookie } });
  return cookies;
}

async function answer(visit: GuardedVisit, handler: Guarded | undefined): Promise<Response> {
  const { configured, request, session } = visit;
  const decision = await decide(visit);
  if (isResponse(decision) && !leadsBack(decision, request, configured)) return decision;
  if (handler) {
    const response = await handler(Object.assign(request, { auth: session }));
    return (response as Response | null | undefined) ?? NextResponse.next();
  }
  // The sign-in page must be reachable.
  if (decision || isSignInPage(request, configured)) return NextResponse.next();
  return NextResponse.redirect(signInAddress(request, configured));
}

/** Asks `authorized`. A `Response` is the answer. */
async function decide({ configured, request, session }: GuardedVisit): Promise<boolean | Response> {
  const { authorized } = configured;
  if (authorized === undefined || isAction(request.nextUrl.pathname, configured)) return true;
  const decision = await orUndefined(async () => (await authorized({ request, auth: session })) ?? false);
  if (decision === undefined) return isSignInPage(request, configured) || failure();
  return isResponse(decision) ? decision : Boolean(decision);
}

/**
 * Checks members, too: servers replace the global class, and a `Response` of another class is a refusal all the same.
 */
function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers } = value as Partial<Response>;
  return value instanceof Response || (typeof status === 'number' && typeof headers?.get === 'function');
}

/** Logs a failure and returns `undefined` for it. */
async function orUndefined<T extends object | boolean>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    rethrowNextError(error);
    console.error(error);
    return undefined;
  }
}

function failure(): Response {
  const headers = {
    'cache-control': 'private, no-store',
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  };
  const text = 'The request could not be answered. The log of the server has the reason.';
  return new Response(text, { status: 500, headers });
}

/** The header by which Next's proxy passes cookies to the page that is rendered next. */
const FORWARDED = 'x-middleware-set-cookie';

/**
 * Headers that content delivery networks and proxies obey before `Cache-Control` (RFC 9213). The proxy sees neither the
 * headers of `next.config.js`, nor those of the page that Next renders next, which may replace `Cache-Control`.
 */
const NO_SHARED_CACHE: Readonly<Record<string, string>> = {
  'cdn-cache-control': 'no-store',
  'cloudflare-cdn-cache-control': 'no-store',
  'netlify-cdn-cache-control': 'no-store',
  'vercel-cdn-cache-control': 'no-store',
  'surrogate-control': 'no-store',
  'edge-control': 'no-store',
  'x-accel-expires': '0',
};

/**
 * Returns whether the session may have decided that a request passes. Next lets shared caches keep a page that was made
 * at build time. They would show it to visitors whom the guard refuses. The scripts and styles of the build are public.
 */
function isForVisitor({ configured, request, session }: GuardedVisit, handler: Guarded | undefined): boolean {
  const { pathname } = request.nextUrl;
  if (session === null || (handler === undefined && configured.authorized === undefined)) return false;
  return !pathname.startsWith('/_next/static/') && !isAction(pathname, configured);
}

/**
 * Returns the answer with the cookies that may be on it. No cache may keep it, unless the application has decided about
 * caches and no tokens were refreshed: it depends on the session. If Next goes on to a page or a route handler, that
 * decides. It does not decide if there are cookies, or if the answer is for this visitor alone.
 */
function withPrivacy(response: Response, cookies: VisitCookies, isPersonal: boolean): Response {
  const { add } = headChanges(response.headers, cookies);
  const rendersPage = response.headers.has('x-middleware-next') || response.headers.has('x-middleware-rewrite');
  const answer = completeResponse(response, { ...cookies, isPersonal: isPersonal || !rendersPage || add.length > 0 });
  if (add.length === 0) return answer;
  if (rendersPage) answer.headers.append(FORWARDED, add.join(','));
  for (const [name, value] of Object.entries(NO_SHARED_CACHE)) answer.headers.set(name, value);
  return answer;
}
