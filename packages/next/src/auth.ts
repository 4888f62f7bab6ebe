import type { Awaitable, Session } from '@latchkey/core/types';
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next';
import type { NextFetchEvent, NextRequest } from 'next/server.js';
import type { ConfigSource } from './config.ts';
import { guard, type NextAuthRequest } from './guard.ts';
import { authHere } from './here.ts';
import { authInPages, type PagesRequest, type PagesResponse } from './pages-router.ts';

/** What Next gives a route handler beside the request. */
export interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>;
}

/** A route handler, or a proxy, as `auth(handler)` returns it. */
export type RouteHandler<C = RouteContext> = (request: NextRequest, context: C) => Promise<Response>;

/**
 * The session, wherever Next runs code on the server. It is `null` also where it cannot be told whether there is one (the
 * configuration is wrong, the store is down, a callback throws): the log tells why.
 */
export interface Auth<S = Session> {
  /** In server components, server actions and route handlers. The session is read, not extended. */
  (): Promise<S | null>;
  /** As proxy (middleware): `export { auth as proxy } from './auth'`. Who may pass says `callbacks.authorized`. */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>;
  /**
   * Around a route handler or a proxy: `request.auth` is the session. The handler runs whoever asks; only a `Response` of
   * `callbacks.authorized`, or its failure, is answered without it.
   */
  <C = RouteContext>(
    handler: (request: NextAuthRequest<S>, context: C) => Awaitable<Response | null | undefined | void>,
  ): RouteHandler<C>;
  /** In an API route of the Pages Router. The session is extended where it is time for that. */
  (request: NextApiRequest, response: NextApiResponse): Promise<S | null>;
  /** In `getServerSideProps`. The session is extended where it is time for that. */
  (context: GetServerSidePropsContext): Promise<S | null>;
}

/** Not by its class alone: servers put their own in the place of the global one. What is no request of a proxy is never refused. */
function isRequest(value: unknown): value is NextRequest {
  return value instanceof Request || (typeof value === 'object' && value !== null && 'nextUrl' in value);
}

/** Tells the forms of `auth` apart by what it is given. */
export function authOf<S>(source: ConfigSource): Auth<S> {
  const auth = (...given: readonly unknown[]): unknown => {
    const [first, second] = given;
    if (given.length === 0) return authHere(source);
    if (typeof first === 'function') {
      return (request: NextRequest, context: unknown) => guard(source, request, (visited) => first(visited, context));
    }
    if (isRequest(first)) return guard(source, first);
    const { req = first, res = second } = (first ?? {}) as { req?: unknown; res?: unknown };
    if (!req || !res)
      throw new TypeError('auth() takes nothing, a request and an event, a handler, req and res, or a context');
    return authInPages(source, req as PagesRequest, res as PagesResponse);
  };
  return auth as Auth<S>;
}
