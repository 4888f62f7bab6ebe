import type { Settings } from './config/settings.ts';
import type { AuthAction, Cookie } from './types.ts';
import type { CookieTable } from './wire/cookie-table.ts';

/** A request as plain data; what a door hands in. */
export interface Incoming {
  /** As on the wire, upper case. */
  readonly method: string;
  /** Absolute address as the client asked for it. */
  readonly url: string;
  /** A header's value; repeated headers are joined as RFC 9110 §5.2 says. `name` is lower case. */
  header(name: string): string | undefined;
  /** All headers, made on demand for hooks that are given a `Request`. */
  headers(): Headers;
  /**
   * The body: its bytes, or the fields when the host has parsed it already; `undefined` when there is none.
   *
   * @param limit Bytes at most; a longer body rejects with a `RangeError`.
   */
  body(limit: number): Promise<Uint8Array | Fields | undefined>;
}

/** Fields of a parsed body. Values are whatever the client sent. */
export type Fields = Record<string, unknown>;

/** What belongs to a call, not to the configuration. */
export interface CallOptions {
  /** Our origin where the environment or the host framework knows it better than the request's address. */
  readonly origin?: string | undefined;
  /** Where the host framework has mounted us. */
  readonly basePath?: string | undefined;
  /** No CSRF token is asked for: the host framework has checked where the request comes from. */
  readonly skipCSRF?: boolean | undefined;
  /** With `skipCSRF`: what the browser says of a request's origin counts, whatever the host framework has checked. Default: `false`. */
  readonly sameOriginOnly?: boolean | undefined;
  /** Pages tell the owner what is wrong. Default: `false`. */
  readonly development?: boolean | undefined;
  /** Reply in the observed raw shape: AuthErrors are thrown to the caller. */
  readonly raw?: boolean | undefined;
  /** The answer can carry no cookies: sessions are read, neither extended nor re-issued. Default: `false`. */
  readonly readOnly?: boolean | undefined;
  /**
   * The session's cookie is set only when that is due: the session is extended (`session.updateAge` applies to tokens, too), or the
   * application has changed its token. Default: `false`, it is set with each reading.
   */
  readonly onlyWhenDue?: boolean | undefined;
  /** The answer carries the cookies of the session alone, no new CSRF token and no return address. Default: `false`. */
  readonly sessionCookiesOnly?: boolean | undefined;
  /** Changes of the session are told to the browser's scripts by the cookie `authjs.revision`. Default: `false`. */
  readonly revision?: boolean | undefined;
  /** The visitor's network address, where the host framework knows it. */
  readonly clientAddress?: string | undefined;
  /** The instant of the request. Default: now. */
  readonly now?: (() => Date) | undefined;
}

/** The answer as plain data. */
export interface Reply {
  /** Default: 200, or 302 with {@link redirect}. */
  readonly status?: number | undefined;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cookies?: readonly Cookie[] | undefined;
  /** With content type `application/json` any JSON value, else a string. */
  readonly body?: unknown;
  /** The body as JSON text, where it is written once for many answers. Raw mode reads it. */
  readonly json?: string | undefined;
  /** Absolute address, or path of one of the application's pages. */
  readonly redirect?: string | undefined;
  /** The request was not carried out; raw mode answers it with a `Response`, too. */
  readonly refused?: boolean | undefined;
  /** Carries no cookies but its own. */
  readonly bare?: boolean | undefined;
}

/** How a browser is known again. */
interface Browser {
  readonly token: string;
  /** To be set by whoever begins something; `undefined` when the browser has it, or gets it anyhow. */
  readonly cookie: Cookie | undefined;
}

/** What a path can ask for: the actions that everybody knows, and `asset`, which only our own pages ask for. */
export type RouteAction = AuthAction | 'asset';

/** A request that has passed the guards, with all that an action needs. */
export interface Context {
  readonly incoming: Incoming;
  readonly settings: Settings;
  readonly call: CallOptions;
  readonly action: RouteAction;
  /** Id of the provider that the path names. */
  readonly providerId: string | undefined;
  readonly url: URL;
  /** Our origin. */
  readonly origin: string;
  /** Path at which we are mounted; '' for the root, else with a leading and without a trailing slash. */
  readonly basePath: string;
  /** The one instant of this request; every expiry derives from it. */
  readonly now: Date;
  /** Names and attributes of our cookies for this request. */
  readonly cookieTable: CookieTable;
  /** Cookies of the request. */
  readonly cookies: Readonly<Record<string, string>>;
  /** Query parameters; the last of equal names. Empty when nothing asks for it. */
  readonly query: Readonly<Record<string, string>>;
  /** Fields of a POST's body. */
  readonly body: Fields;
  /** Our token for forms; `undefined` when the host framework checks the origin itself. */
  readonly csrfToken: string | undefined;
  /**
   * The same token for what only has to be finished in the browser that began it, and its cookie where that one does not have it yet;
   * also where nobody asks for a token. `undefined` where no such thing is begun or finished.
   */
  readonly browser: Browser | undefined;
  /** Where the visitor goes afterwards; on our origin unless the `redirect` callback says otherwise. */
  readonly callbackUrl: string;
  /** Cookies that every answer but `providers` carries (new CSRF token, new callback URL). */
  readonly cookiesToSet: readonly Cookie[];
}
