import type { Page } from './page.ts';
import type { Site } from './site.ts';

/** What answers a browser: an application's handler, `provider.fetch`, or the global `fetch` for servers that listen. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** Options of a `Browser`. */
export interface BrowserOptions {
  /** Against which paths are resolved. Default: `http://localhost:3000`. */
  origin?: string;
  /**
   * Handlers for further origins (`{ 'https://idp.test': provider.fetch }`), so that one browser walks from application to
   * provider and back. Once given, an origin that is neither listed nor `origin` is an error instead of being asked of `handler`.
   */
  routes?: Readonly<Record<string, Handler>>;
  /** By which cookies expire. Default: the system's clock. */
  now?: () => Date;
  /** Whether `Secure` cookies work over http on localhost and 127.0.0.1, as in Chromium. Default: true. */
  trustLoopback?: boolean;
  /**
   * Whether `Origin` and `Sec-Fetch-*` are sent as browsers do. `false` acts like a plain client (curl, an old browser): no such
   * headers, while `SameSite` is still honoured. Default: true.
   */
  sendMetadata?: boolean;
}

/** What a single request may say beside its address. */
export interface OpenOptions {
  /** Default: GET, or POST where there is a body. */
  method?: string;
  headers?: HeadersInit;
  body?: string | URLSearchParams | FormData;
  /** From where the request is started, for `Origin`, `Sec-Fetch-Site` and `SameSite`. Default: `none` for GET, else `same-origin`. */
  site?: Site;
  /** Origin of the page that starts the request, in place of `site`; `'null'` for a sandboxed frame or a `data:` page. */
  initiator?: string;
  /** `cors` is a script's `fetch`, which takes no `Lax` cookies to another site. Default: `navigate`. */
  mode?: 'navigate' | 'cors';
}

/** How far `Browser.follow` goes. */
export interface FollowOptions {
  /**
   * `page`: to the first answer that is no redirect. `other-origin`: stops with the redirect that leads to another origin, before
   * going there. A function stops with the first answer it accepts. Default: one step.
   */
  until?: 'page' | 'other-origin' | ((page: Page) => boolean);
}

/** Options of `Browser.submit`. */
export interface SubmitOptions extends Omit<OpenOptions, 'body' | 'method'> {
  button?: string;
}
