import type { Awaitable, CookieSerializeOptions, Session } from '@latchkey/core/types';

/** Attributes of a cookie as Kit takes them: given, or left out. */
export type KitCookieOptions = { [K in keyof CookieSerializeOptions]?: NonNullable<CookieSerializeOptions[K]> } & {
  path: string;
};

/** The members of Kit's `Cookies` that are used. */
export interface KitCookies {
  /** Returns the cookies of the request, with decoded values. */
  getAll(): { name: string; value: string }[];
  /** Sets a cookie of the response. Kit throws if the response was sent. */
  set(name: string, value: string, options: KitCookieOptions): void;
}

/**
 * A request in progress: the members of Kit's `RequestEvent` that are used, or that a configuration function receives.
 * The events of Kit 2 and Kit 3 fit.
 */
export interface KitEvent {
  /** The request of the browser. */
  readonly request: Request;
  /** The cookies of the request and of the response. */
  readonly cookies: KitCookies;
  /** Data of the request that hooks share with `load` functions. The handle sets `auth` there. */
  readonly locals: App.Locals;
  /** Facts from the deployment's adapter, such as `env` on Cloudflare. */
  readonly platform: Readonly<App.Platform> | undefined;
  /** The values of the parameters in the route's path. */
  readonly params: Partial<Record<string, string>>;
  /** The route, such as `/account/[id]`; `null` if no route matches. */
  readonly route: { id: string | null };
  /** The requested URL. Its origin is the one that Kit's adapter has determined. */
  readonly url: URL;
  /** Kit's `fetch`, which requests routes of the application without a network. */
  readonly fetch: typeof fetch;
  /** Returns the visitor's network address. Kit's adapter throws if it does not know it. */
  readonly getClientAddress: () => string;
}

/** Kit's `Handle`: the hook that runs before each request. */
export type KitHandle<E extends KitEvent = KitEvent> = (input: {
  event: E;
  resolve(event: E): Awaitable<Response>;
}) => Promise<Response>;

/** The members that `handle` sets on `event.locals`. */
export interface AuthLocals {
  /**
   * Reads the visitor's session, once per request, and extends it when it is due.
   *
   * ```ts
   * export const load = async ({ locals }) => ({ session: await locals.auth() });
   * ```
   *
   * @returns `null` if the visitor is not signed in.
   * @throws {AuthError} If the session cannot be read, for example because the configuration has a problem.
   */
  auth(): Promise<Session | null>;
  /** Name of {@link auth} in earlier versions of `@auth/sveltekit`. @deprecated Use `auth`. */
  getSession(): Promise<Session | null>;
}

/** The data of pages whose `load` function returns `{ session: await locals.auth() }`. */
export interface AuthPageData {
  /** The session; `null` or absent if the visitor is not signed in. */
  session?: Session | null | undefined;
}

// Inherited, not declared as members, so that an application may narrow them: `interface Locals { auth: () =>
// ReturnType<typeof auth> }`.
declare global {
  namespace App {
    interface Locals extends AuthLocals {}
    interface PageData extends AuthPageData {}
    interface Platform {}
  }
}
