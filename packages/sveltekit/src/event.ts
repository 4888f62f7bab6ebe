import type { Awaitable, CookieSerializeOptions } from '@latchkey/core/types';

/** Attributes of a cookie as Kit takes them: given, or left out. */
export type KitCookieOptions = { [K in keyof CookieSerializeOptions]?: NonNullable<CookieSerializeOptions[K]> } & {
  path: string;
};

/** Kit's `Cookies`, as far as we use them. */
export interface KitCookies {
  getAll(): { name: string; value: string }[];
  set(name: string, value: string, options: KitCookieOptions): void;
}

/**
 * A request in progress: Kit's `RequestEvent`, as far as we use it or hand it on to a configuration that is a function. That of
 * Kit 2 and that of Kit 3 fit.
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

/** Kit's `Handle`: the hook that stands before every request. */
export type KitHandle<E extends KitEvent = KitEvent> = (input: {
  event: E;
  resolve(event: E): Awaitable<Response>;
}) => Promise<Response>;
