import type { Session } from '@latchkey/core/types';
import { createError, type H3Event } from 'h3';
import { getRouteRules } from 'nitropack/runtime';
import { auth, handler, requireSession } from '#latchkey/auth';

/** The functions that pages call while the server renders them, as `event.context.latchkey`. */
export interface PageAuth {
  /** Returns the session; `undefined` if the page is rendered for all visitors. */
  session(): Promise<Session | null | undefined>;
  /** Returns the address to which a visitor without a session is sent; `undefined` if the page can be shown. */
  guard(): Promise<string | undefined>;
}

/** A request of Node, or an object like it. A request within the server has the context of the page that asks. */
interface NodeRequest {
  readonly headers: Record<string, string | string[] | undefined>;
  readonly __unenv__?: { readonly latchkey?: unknown };
}

/** A layer of h3 1. */
type Layer = object;

/** The part of Nitro 2 that the plugin uses. */
export interface NitroApp {
  readonly h3App: { readonly stack: Layer[]; use(handler: (event: H3Event) => unknown): unknown };
}

/**
 * The plugin for Nitro: mounts the middleware of `H3Auth` before that of the application, which may ask for the
 * session. The rules of routes, which Nitro mounts first, stay before it.
 */
export default function mountHandler({ h3App }: NitroApp): void {
  const middleware = async (event: H3Event): Promise<unknown> => {
    const request = event.node?.req as NodeRequest;
    if (isOfPage(request)) request.headers['sec-fetch-mode'] = 'same-origin';
    event.context['latchkey'] = isShared(event) ? forAllVisitors : forVisitorOf(event);
    return import.meta.prerender ? undefined : handler(event);
  };
  // h3 prints a warning about handlers without this mark.
  h3App.use(Object.assign(middleware, { __is_handler__: true }));
  const own = h3App.stack.splice(-1);
  h3App.stack.splice(1, 0, ...own);
}

const forAllVisitors: PageAuth = { session: async () => undefined, guard: async () => undefined };

const forVisitorOf = (event: H3Event): PageAuth => ({
  session: () => auth(event).catch(throwHidden),
  async guard() {
    try {
      await requireSession(event);
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode !== 302) return throwHidden(error);
      return String(event.node?.res?.getHeader('location'));
    }
  },
});

/** Nuxt shows the message of an error that a page throws. That of an `AuthError` is for the operator of the site. */
function throwHidden(cause: unknown): never {
  if ((cause as { statusCode?: number }).statusCode) throw cause;
  throw Object.assign(createError({ statusCode: 500, unhandled: true }), { cause });
}

/**
 * Returns whether a page asks while the server renders it. `useFetch` passes the headers of the browser on. A guard
 * would take the request for that of a browser that opens a page, and its redirect would become the data of the page.
 */
function isOfPage({ __unenv__: context }: NodeRequest): boolean {
  return context?.latchkey !== undefined;
}

/** Returns whether the page is stored and shown to other visitors. */
function isShared(event: H3Event): boolean {
  const { cache, isr, prerender, swr } = getRouteRules(event);
  return import.meta.prerender || Boolean(cache || isr || prerender || swr);
}
