import type { Settings } from './config/settings.ts';
import type { Cookie } from './types/config.ts';
import type { JWT } from './types/session.ts';
import type { Awaitable } from './types/user.ts';
import type { CookieTable } from './wire/cookie-table.ts';

/** A request as plain data, as a host framework hands it in. */
export interface Incoming {
  /** As on the wire, upper case. */
  readonly method: string;
  /** Absolute URL that the client asked for. */
  readonly url: string;
  /** The value of a header; repeated headers are joined (RFC 9110 §5.2). `name` is lower case. */
  header(name: string): string | undefined;
  /** All headers, built on demand for hooks that are given a `Request`. */
  headers(): Headers;
  /**
   * The body: its bytes, or its fields if the host has parsed it already; `undefined` if the request has no body.
   *
   * @param limit Maximum number of bytes; a longer body rejects with a `RangeError`.
   */
  body(limit: number): Promise<Uint8Array | Fields | undefined>;
}

/** Fields of a parsed body. The client chooses the values, so they may have any type. */
export type Fields = Record<string, unknown>;

/** Options of one call, as opposed to the configuration. */
export interface CallOptions {
  /** The site's origin, if the environment or the host framework knows it better than the request's URL. */
  readonly origin?: string | undefined;
  /** The path at which the host framework has mounted the actions. */
  readonly basePath?: string | undefined;
  /**
   * No header of a request can change the origin. A sign-in through a redirect proxy needs this, and so do passkeys
   * without `relayingParty.origin`. Default: as the environment says, if `withEnv` or `setEnvDefaults` has read it;
   * otherwise `false`.
   */
  readonly isOriginFixed?: boolean | undefined;
  /**
   * How a form is trusted. `csrf-token`: by the CSRF token and the origin that the browser names. `same-origin`: by
   * that origin alone, which must be the site's own. `host-checked`: the host framework has checked the origin.
   * Default: `csrf-token`.
   */
  readonly forms?: 'csrf-token' | 'same-origin' | 'host-checked' | undefined;
  /**
   * Error pages show the developer what is wrong. `local`: only for requests from this machine, which name a loopback
   * host and have come through no proxy. Default: `false`.
   */
  readonly development?: boolean | 'local' | undefined;
  /** AuthErrors are thrown to the caller, as `raw` of Auth.js v5 does it. Default: `false`. */
  readonly raw?: boolean | undefined;
  /**
   * When a session is renewed: its expiry moves, or its token is issued again. `when-due`: if `session.updateAge` has
   * passed, or the application has changed the token. `never`: the session is only read. Default: `always`.
   */
  readonly renew?: 'always' | 'when-due' | 'never' | undefined;
  /** The cookies of the reply cannot be set, for example while a page is rendered. Default: `false`. */
  readonly isReadOnly?: boolean | undefined;
  /** Which cookies the reply carries. `session`: no new CSRF token and no callback URL. Default: `all`. */
  readonly cookies?: 'all' | 'session' | undefined;
  /** Whether a cookie announces changes of the session to the browser's scripts. Default: `false`. */
  readonly revision?: boolean | undefined;
  /** The visitor's network address, if the host framework knows it. */
  readonly clientAddress?: string | undefined;
  /** The time of the request. Default: now. */
  readonly now?: (() => Date) | undefined;
}

/** The answer to a request as plain data. */
export interface Reply {
  /** Default: 200, or 302 with {@link redirect}. */
  readonly status?: number | undefined;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cookies?: readonly Cookie[] | undefined;
  /** With content type `application/json` any JSON value, else a string. */
  readonly body?: unknown;
  /** The body as JSON text, if it is written once for many replies. Raw mode parses it. */
  readonly json?: string | undefined;
  /** Absolute URL, or the path of one of the application's pages. */
  readonly redirect?: string | undefined;
  /** The request was not carried out. Raw mode answers it with a `Response`, too. */
  readonly refused?: boolean | undefined;
  /** The problems of the configuration, for callers on the server. They are not written to the client. */
  readonly problems?: readonly Error[] | undefined;
  /** The reply carries only its own cookies. */
  readonly bare?: boolean | undefined;
}

/** A request whose path and body are read; nothing of it is trusted yet. */
export interface RoutedRequest {
  readonly incoming: Incoming;
  readonly settings: Settings;
  readonly call: CallOptions;
  /** Name of the action, a key of the route table. */
  readonly action: string;
  /** Id of the provider that the path names. */
  readonly providerId: string | undefined;
  /** Part of the account, or script, that the path names. */
  readonly part?: string | undefined;
  readonly url: URL;
  /** The site's origin. */
  readonly origin: string;
  /** Path at which the actions are mounted: '' for the root, else with a leading and without a trailing slash. */
  readonly basePath: string;
  /** Query parameters; the last one wins if a name is repeated. */
  readonly query: Readonly<Record<string, string>>;
  /** Fields of a POST's body. */
  readonly body: Fields;
  /**
   * The built-in page whose form was posted. A failure is then answered with this page. `undefined`: another client has
   * sent the request.
   */
  readonly page: string | undefined;
  /** Actions add cookies that remove values which can be used once. The reply carries them even if the action fails. */
  readonly spentCookies: Cookie[];
  /** One object for all copies of a request's context. */
  readonly renewal: SessionRenewal;
}

/** The request's session in a cookie, after the application was asked whether it is still valid. */
export interface SessionRenewal {
  /** The cookie's value for which the application was asked. Default: it was not asked. */
  asked?: string | undefined;
  /** The application's answer. */
  token?: JWT | null | undefined;
  /**
   * Set the token in the browser if the application has changed it. The reply carries them even if the action fails.
   * Empty if a new session starts.
   */
  cookies: readonly Cookie[];
  /**
   * With `tokens.store: 'cookie'`: returns the cookies of tokens that have changed. Called when the reply is made.
   * `undefined` if the tokens were not used, or if a session has started or ended.
   */
  tokens?: (() => readonly Cookie[]) | undefined;
}

/** How a browser is recognized: the token in its CSRF cookie. */
export interface BrowserToken {
  readonly token: string;
  /**
   * The beginning of the token, which by itself opens nothing. Tells browsers apart, and stays when the browser gets a
   * new token.
   */
  readonly id: string;
  /** The request brought the token in a cookie that this site has set. */
  readonly isBrought: boolean;
  /** Sets the token's cookie; `undefined` if the browser has it, or if {@link Context.cookiesToSet} has it. */
  readonly cookie: Cookie | undefined;
}

/** A request with everything that an action needs. */
export interface Context extends RoutedRequest {
  /** The one time of this request; every expiry derives from it. */
  readonly now: Date;
  /** Names and attributes of the site's cookies for this request. */
  readonly cookieTable: CookieTable;
  /** Cookies of the request. Of cookies with the same name, this is the first. */
  readonly cookies: Readonly<Record<string, string>>;
  /** The `Cookie` header, which may have several cookies with the same name. */
  readonly cookieHeader: string | undefined;
  /** The CSRF token of forms; `undefined` if forms need none. */
  readonly csrfToken: string | undefined;
  /**
   * The browser's token, also if forms need none: a sign-in has to be finished in the browser that started it.
   * `undefined` if the action starts and finishes nothing.
   */
  readonly browser: BrowserToken | undefined;
  /** Where the visitor goes afterwards; on the site's origin unless the `redirect` callback returns another URL. */
  readonly callbackUrl: string;
  /** Cookies that the reply carries beside its own: a new CSRF token, a new callback URL. */
  readonly cookiesToSet: readonly Cookie[];
}

/** An action: turns a request into a reply. */
export type Action = (context: Context) => Awaitable<Reply>;

/** How one method of an action is answered. */
export type Route = {
  /** The answer is an HTML page, also while the configuration is wrong. Default: `false`. */
  readonly page?: boolean;
  /**
   * The route reads the session. Problems of options that only sign-ins and pages need do not refuse it. Default:
   * `false`.
   */
  readonly readsSession?: boolean;
  /** The action uses no provider, so changes of their members need not be found. Default: `false`. */
  readonly withoutProviders?: boolean;
} & (
  | {
      /** Imports the action. */
      readonly load: () => Awaitable<Action>;
      /** The form must prove that it comes from the site itself. Default: `false`. */
      readonly csrf?: boolean | ((context: Context) => Awaitable<boolean>);
      readonly bare?: false;
    }
  | {
      /** Imports the action. */
      readonly load: () => Awaitable<(request: RoutedRequest) => Awaitable<Reply>>;
      /** The answer is the same for all visitors: the action reads no cookie, and the reply sets none. */
      readonly bare: true;
      readonly csrf?: false;
    }
);

/** The row of one action in the route table. */
export interface ActionRow {
  /** The kind of segment that may follow the action's name in the path. Default: no segment. */
  readonly takes?: 'provider' | 'file' | 'part';
  /** The parts or files that may follow the action's name. Default: none. */
  readonly parts?: readonly string[];
  /** The option without which the path is unknown. Default: the action always exists. */
  readonly option?: 'session.records' | 'logout' | 'account' | 'linking' | 'development';
  /** Which of the `limits` a POST's body has. Default: `body`. */
  readonly bodyLimit?: 'logoutBody';
  readonly GET?: Route;
  readonly POST?: Route;
}

/** The route table: which action answers which path and method. */
export type Routes = Readonly<Record<string, ActionRow>>;
