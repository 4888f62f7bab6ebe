import type { Env } from '@latchkey/core/binding';
import { AuthError } from '@latchkey/core/errors';
import type { RouterContextProvider } from 'react-router';

/** React Router's context of a request. */
export type RouterContext = Readonly<RouterContextProvider>;

/** The arguments of loaders, actions and middleware that are used. Those of React Router 7 and 8 fit. */
export interface RouterArgs {
  /** The request as React Router passes it. */
  readonly request: Request;
  /** The context, which is the same for all parts of one request. */
  readonly context: RouterContext;
  /** The address of the page. React Router 7 does not have it; its `request.url` is that address. */
  readonly url?: URL | undefined;
}

/** A request that `sessionMiddleware` has seen. */
export interface RequestState extends RouterArgs {
  readonly url: URL;
  /** The response has passed `sessionMiddleware`. Cookies come too late. */
  isComplete: boolean;
  /**
   * If React Router's client would get data with this status, the browser loads a document from this address instead.
   */
  documentRedirect: { readonly status: number; readonly url: string } | undefined;
}

/**
 * Remembers a request, so that functions find it by its context.
 *
 * @throws {AuthError} If the context has been used for another request: a visitor would get the session of another one.
 */
export function rememberRequest(
  states: WeakMap<object, RequestState>,
  { request, context, url }: RouterArgs,
): RequestState {
  const known = states.get(context);
  if (known && known.request !== request) throw new AuthError(SHARED_CONTEXT);
  const state = { request, context, url: url ?? pageUrl(request), isComplete: false, documentRedirect: undefined };
  states.set(context, state);
  return state;
}

const SHARED_CONTEXT =
  'the context belongs to another request. Return a new `RouterContextProvider` for each request from `getLoadContext`';

/**
 * Returns the request of a context.
 *
 * @throws {AuthError} If `sessionMiddleware` has not run.
 */
export function requestStateOf(states: WeakMap<object, RequestState>, context: RouterContext): RequestState {
  const state = typeof context === 'object' && context !== null ? states.get(context) : undefined;
  if (state) return state;
  throw new AuthError(
    '`sessionMiddleware` has not run for this request. Export `middleware = [sessionMiddleware]` from `app/root.tsx`. ' +
      'React Router 7 also needs `future: { v8_middleware: true }` in `react-router.config.ts`',
  );
}

/** React Router 7 leaves its own parameter in the address that middleware receives. */
function pageUrl(request: Request): URL {
  const url = new URL(request.url);
  if (url.searchParams.has('_routes')) url.searchParams.delete('_routes');
  return url;
}

/**
 * Returns the request with the address of the page. In React Router 8, the path of a request for data ends in `.data`.
 */
export function pageRequest({ request, url }: RequestState): Request {
  return new URL(request.url).pathname === url.pathname ? request : new Request(url, request);
}

/** Returns whether a response carries the data of a page to React Router's client. */
export function isData(response: Response): boolean {
  return response.headers.has('x-remix-response');
}

/** Returns whether React Router builds the application. */
export function isBuilding(env: Env): boolean {
  return env['IS_RR_BUILD_REQUEST'] === 'yes';
}

/** Returns whether React Router prerenders the page. It then has no visitor. */
export function isPrerendering({ headers }: Request, env: Env): boolean {
  return isBuilding(env) && (headers.has('x-react-router-prerender') || headers.has('x-react-router-spa-mode'));
}
