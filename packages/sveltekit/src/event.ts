import type { Awaitable, CookieSerializeOptions, Session } from '@latchkey/core/types';

/** Attributes of a cookie as Kit takes them: given, or left out. */
export type KitCookieOptions = { [K in keyof CookieSerializeOptions]?: NonNullable<CookieSerializeOptions[K]> } & {
  path: string;
};

/** The members of Kit's `Cookies` that are used. */
export interface KitCookies {
  getAll(): { name: string; value: string }[];
  set(name: string, value: string, options: KitCookieOptions): void;
}

/**
 * A request in progress: the members of Kit's `RequestEvent` that are used, or that a configuration function receives.
 * The events of Kit 2 and Kit 3 fit.
 */
export interface KitEvent {
  readonly request: Request;
  readonly cookies: KitCookies;
  readonly locals: App.Locals;
  readonly platform: Readonly<App.Platform> | undefined;
  readonly params: Partial<Record<string, string>>;
  readonly route: { id: string | null };
  readonly url: URL;
  readonly fetch: typeof fetch;
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
  /** @deprecated Use `auth`. */
  getSession(): Promise<Session | null>;
}

/** The data of pages whose `load` function returns `{ session: await locals.auth() }`. */
export interface AuthPageData {
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
