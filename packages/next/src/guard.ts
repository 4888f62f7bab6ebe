import type { Cookie, Session } from '@latchkey/core/types';
import { type NextRequest, NextResponse } from 'next/server.js';
import { asAsked, asVisited } from './as-visited.ts';
import { type ConfigSource, type Configured, configuredFor } from './config.ts';
import { isAction, originOf } from './place.ts';
import { hasChanged } from './request-in-progress.ts';
import { rethrowOwn, sessionFor } from './session.ts';
import { isSignInPage, leadsBack, signInAddress } from './sign-in-page.ts';
import { withCookies } from './with-cookies.ts';

/** A request that says whose it is. */
export interface NextAuthRequest<S = Session> extends NextRequest {
  /** The session, `null` without one. */
  auth: S | null;
}

/** A handler that `auth(handler)` wraps. */
export type Guarded = (request: NextAuthRequest) => unknown;

/**
 * Lets a request of Next's proxy pass, or not; and wraps handlers. Where the configuration or the `authorized` callback fails the
 * answer is 500: nobody passes because a question could not be asked.
 */
export async function guard(source: ConfigSource, request: NextRequest, handler?: Guarded): Promise<Response> {
  const configured = await attempt(() => configuredFor(source, request));
  if (configured === undefined) return failed();
  const visited = asVisited(request, visitedOrigin(configured, request));
  const visit: Visit = { configured, request: visited, ...(await identify(configured, visited)) };
  const response = await answer(visit, handler);
  const isOutdated = handler !== undefined && visit.cookies.length > 0 && (await hasChanged());
  return withCookies(asAsked(response, request, visited), isOutdated ? [] : visit.cookies);
}

/** What headers say of a host that is not trusted would lead visitors, and caches, to whatever site somebody has written there. */
function visitedOrigin(configured: Configured, { headers, nextUrl }: NextRequest): string {
  const { trustHost } = configured.config;
  return originOf(configured, trustHost ? headers : new Headers(), nextUrl.protocol);
}

interface Visit {
  readonly configured: Configured;
  readonly request: NextRequest;
  readonly session: Session | null;
  /** What the answer has to set, because the session was read. */
  readonly cookies: readonly Cookie[];
}

/**
 * Our own actions set the cookies of the session themselves: what is read here would undo a sign-out. So could any answer that comes late,
 * of which Next's prefetching makes many: elsewhere the session is set when it is due, or has changed.
 */
async function identify(
  configured: Configured,
  { headers, nextUrl }: NextRequest,
): Promise<Pick<Visit, 'session' | 'cookies'>> {
  const cookies: Cookie[] = [];
  const setCookie = isAction(nextUrl.pathname, configured) ? undefined : (cookie: Cookie) => void cookies.push(cookie);
  const cookie = headers.get('cookie') ?? undefined;
  const visit = { origin: nextUrl.origin, cookie, setCookie, onlyWhenDue: true, allCookies: true };
  return { session: await sessionFor(configured, visit), cookies };
}

async function answer(visit: Visit, handler: Guarded | undefined): Promise<Response> {
  const { configured, request, session } = visit;
  const decision = await decide(visit);
  if (isResponse(decision) && !leadsBack(decision, request, configured)) return decision;
  if (handler) {
    const response = await handler(Object.assign(request, { auth: session }));
    return (response as Response | null | undefined) ?? NextResponse.next();
  }
  // Where visitors are sent they must arrive.
  if (decision || isSignInPage(request, configured)) return NextResponse.next();
  return NextResponse.redirect(signInAddress(request, configured));
}

/** May it pass? A `Response` is the answer. */
async function decide({ configured, request, session }: Visit): Promise<boolean | Response> {
  const { authorized } = configured;
  if (authorized === undefined || isAction(request.nextUrl.pathname, configured)) return true;
  const decision = await attempt(async () => (await authorized({ request, auth: session })) ?? false);
  if (decision === undefined) return isSignInPage(request, configured) || failed();
  return isResponse(decision) ? decision : Boolean(decision);
}

/** Not by its class: servers put their own in the place of the global one, and what was made of another is a refusal all the same. */
function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers } = value as Partial<Response>;
  return value instanceof Response || (typeof status === 'number' && typeof headers?.get === 'function');
}

/** `undefined` when it has failed; the log tells why. */
async function attempt<T extends object | boolean>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    rethrowOwn(error);
    console.error(error);
    return undefined;
  }
}

function failed(): Response {
  return new Response("The server's log tells what is wrong.", { status: 500 });
}
