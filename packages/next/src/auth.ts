import type { Awaitable, Session } from '@latchkey/core/types';
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next';
import type { NextFetchEvent, NextRequest } from 'next/server.js';
import type { ConfigSource } from './config.ts';
import { authHere } from './current-request.ts';
import { authInPages, pagesVisit } from './pages-router.ts';
import { guard, type NextAuthRequest } from './proxy.ts';

/** The second parameter of Next's route handlers. */
export interface RouteContext {
  /** The values of the dynamic segments of the path, such as `{ auth: ['callback', 'github'] }`. */
  params: Promise<Record<string, string | string[] | undefined>>;
}

/** A route handler, or a proxy, as `auth(handler)` returns it. */
export type RouteHandler<C = RouteContext> = (request: NextRequest, context: C) => Promise<Response>;

/**
 * Returns the session, in all places where Next runs code on the server. It is also `null` if the session cannot be
 * read: the configuration has a problem, the store is unavailable, or a callback throws. The log has the reason.
 */
export interface Auth<S = Session> {
  /**
   * In server components, server actions and route handlers. Reads the session without extending it.
   *
   * ```ts
   * const session = await auth();
   * ```
   */
  (): Promise<S | null>;
  /**
   * As proxy (middleware). `callbacks.authorized` decides which requests pass.
   *
   * ```ts
   * export { auth as proxy } from './auth';
   * ```
   */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>;
  /**
   * Around a route handler or a proxy: `request.auth` is the session. The handler runs for all visitors. Only a
   * `Response` of `callbacks.authorized`, or its failure, is answered without the handler.
   *
   * ```ts
   * export const GET = auth((request) => Response.json(request.auth?.user ?? null));
   * ```
   */
  <C = RouteContext>(
    handler: (request: NextAuthRequest<S>, context: C) => Awaitable<Response | null | undefined | void>,
  ): RouteHandler<C>;
  /**
   * In an API route of the Pages Router. Extends the session when it is due.
   *
   * ```ts
   * const session = await auth(req, res);
   * ```
   */
  (request: NextApiRequest, response: NextApiResponse): Promise<S | null>;
  /**
   * In `getServerSideProps`. Extends the session when it is due.
   *
   * ```ts
   * export const getServerSideProps = async (context) => ({ props: { session: await auth(context) } });
   * ```
   */
  (context: GetServerSidePropsContext): Promise<S | null>;
}

/** Creates `auth`, which distinguishes its forms by the parameters. */
export function authOf<S>(source: ConfigSource): Auth<S> {
  const auth = (...given: readonly unknown[]): unknown => {
    const [first, second] = given;
    if (given.length === 0) return authHere(source);
    if (typeof first === 'function') {
      return (request: NextRequest, context: unknown) => guard(source, request, (visited) => first(visited, context));
    }
    if (isRequest(first)) return guard(source, first);
    const visit = pagesVisit(first, second);
    if (!visit)
      throw new TypeError('auth() takes nothing, a request and an event, a handler, req and res, or a context');
    return authInPages(source, ...visit);
  };
  return auth as Auth<S>;
}

/**
 * Checks members, too: servers replace the global class, and a request of another class must be guarded all the same.
 */
function isRequest(value: unknown): value is NextRequest {
  return value instanceof Request || (typeof value === 'object' && value !== null && 'nextUrl' in value);
}
