import type { DebugCategory } from '../log/categories.ts';
import type { CredentialInput } from '../providers/credentials.ts';
import type { Provider } from '../providers/index.ts';
import type { OAuthConfigInternal } from '../providers/oauth.ts';
import type { allowShortSecret, deployment, raw, skipCSRFCheck } from '../symbols.ts';
import type { AccountOptions } from './account.ts';
import type { AdapterLike, AdapterSession, AdapterUser } from './adapter.ts';
import type { LegacyReader } from './legacy.ts';
import type { LocaleOptions } from './locale.ts';
import type { MailOptions } from './mail.ts';
import type { DefaultSession, JWT, JWTOptions, Session } from './session.ts';
import type { SessionFacts, SessionRecordsOptions } from './session-records.ts';
import type { PageLinks, ThemeOptions } from './theme.ts';
import type { Revocation, TokensOptions } from './tokens.ts';
import type { Account, Awaitable, EmailStatus, Optional, Profile, ProviderType, Untyped, User } from './user.ts';

export type { PageLinks, Theme, ThemeOptions } from './theme.ts';

/** How many attempts are allowed. */
export interface RateLimit {
  /** Attempts within any `window`: a whole number from 1 to 1000. Default: see {@link RateLimitOptions}. */
  limit?: number | undefined;
  /** Seconds that each attempt counts, from 1 to 86400. Default: 900 (15 minutes). */
  window?: number | undefined;
}

/** How many sign-ins with credentials may fail. */
export interface CredentialsRateLimit extends RateLimit {
  /**
   * Returns the identifier by which an attempt is counted; `undefined` if only its network counts.
   *
   * Default: the values of the fields with usual names (`username`, `email`, `login`, `phone`, …), each of which counts
   * by itself. If the provider's form lacks all of these, its first text field that does not hold a secret.
   */
  identifier?: ((credentials: Record<string, unknown>) => string | undefined) | undefined;
}

/** Limits on sign-in attempts and mails. `false` in the place of a limit removes it. */
export interface RateLimitOptions {
  /** Failed sign-ins with credentials per identifier. Default: 20 in 900 seconds. */
  credentials?: CredentialsRateLimit | false | undefined;
  /** Sign-in mails per address. Default: 5 in 900 seconds. */
  email?: RateLimit | false | undefined;
  /**
   * Failed sign-ins with credentials per network of the visitor (an IPv4 address, or a /64 of IPv6), if the network is
   * known. Mails are counted separately, with the same limit. Default: 100 in 900 seconds.
   */
  network?: RateLimit | false | undefined;
  /** Keeps the counters. Default: the memory of this process, with 20,000 counters at most. */
  store?: RateLimitStore | undefined;
  /**
   * Number of proxies in front of the application that append to `X-Forwarded-For`, from 0 to 16. The visitor's address
   * is that many entries from the end. Default: the header is not read. The host framework names the address, and
   * addresses of private networks are not counted, because they may belong to a proxy.
   */
  trustedProxyHops?: number | undefined;
}

/** The limit for one call of {@link RateLimitStore.take}. */
export interface RateLimitRule {
  /** Attempts within any `window`. */
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
  /** The instant of the attempt. */
  readonly now: Date;
}

/** Keeps counters of attempts. Processes that share a store enforce the limits together. */
export interface RateLimitStore {
  /**
   * Counts one attempt at `now`, unless `limit` attempts of the last `window` seconds are counted already. The method
   * must look and count in one atomic step, so that simultaneous calls do not exceed the limit. An attempt exactly
   * `window` seconds ago no longer counts.
   *
   * @param counter 43 characters of base64url, which do not reveal who is counted.
   * @returns `null` if the attempt was counted; otherwise the instant from which the next attempt can be counted.
   */
  take(counter: string, rule: RateLimitRule): Awaitable<Date | null>;
  /** Subtracts one attempt that was counted at `at`. Does nothing if no such attempt is counted. */
  release(counter: string, at: Date): Awaitable<void>;
}

type CallbacksWith<S> = Omit<Optional<CallbacksOptions>, 'session'> & {
  /** Returns what the client sees of the session. Default: name, email and image of the user, and `expires`. */
  session?: ((params: SessionCallbackParams) => Awaitable<S>) | undefined;
};

/**
 * A configuration from which the type of the session is inferred. For bindings.
 *
 * ```ts
 * function bind<S extends DefaultSession = Session>(config: ConfigWith<S>): () => Promise<SessionFrom<S> | null>;
 * ```
 */
export type ConfigWith<S> = Omit<AuthConfig, 'callbacks' | 'raw'> & { callbacks?: CallbacksWith<S> | undefined };

/** The session that a client gets when `callbacks.session` returns `S`. */
export type SessionFrom<S> = unknown extends S ? Session : DefaultSession extends S ? Session : Exposed<S>;

type Given = SessionCallbackParams['session'];

type StoreOnly = Exclude<keyof AdapterSession, 'expires'>;

/**
 * The type of a session that the callback returned, as the client gets it. Inside the callback, `session` has the
 * members of both strategies. Outside, the members of a stored session are optional, and `expires` is a string. A user
 * that the callback did not change has the type of `Session['user']`.
 */
export type Exposed<S> =
  S extends Pick<Given, StoreOnly>
    ? Omit<S, StoreOnly | 'expires' | 'user'> & Partial<Pick<S, StoreOnly>> & { expires: string; user: UserOf<S> }
    : S extends { expires: Given['expires'] }
      ? Omit<S, 'expires'> & { expires: string }
      : S;

type UserOf<S> = S extends { user: infer U } ? (Same<U, Given['user']> extends true ? Session['user'] : U) : undefined;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Attributes of a cookie (RFC 6265 §4.1). Defaults: `HttpOnly`, `SameSite=Lax`, `Path=/`, and `Secure` on https. */
export interface CookieSerializeOptions {
  /** Host to whose subdomains the browser sends the cookie, too. Default: only the host that set it. */
  domain?: string | undefined;
  /** Encodes the value. Default: percent-encoding. */
  encode?: ((value: string) => string) | undefined;
  /** The instant at which the browser deletes the cookie. */
  expires?: Date | undefined;
  /** Scripts of the page cannot read the cookie. */
  httpOnly?: boolean | undefined;
  /** Seconds until the browser deletes the cookie. */
  maxAge?: number | undefined;
  /** The browser keeps a separate cookie for each site that embeds the application (CHIPS). */
  partitioned?: boolean | undefined;
  /** Beginning of the paths to which the browser sends the cookie. */
  path?: string | undefined;
  /** Which cookies the browser drops first if it has too many. */
  priority?: 'low' | 'medium' | 'high' | undefined;
  /** Whether the browser sends the cookie with requests from other sites; `true` is `strict`. */
  sameSite?: true | false | 'lax' | 'strict' | 'none' | undefined;
  /** The browser sends the cookie by https only. */
  secure?: boolean | undefined;
}

/** Name and attributes of a cookie of the library. */
export interface CookieOption {
  /**
   * Default: see {@link CookiesOptions}. On https the prefix is `__Host-` for `csrfToken`, `mail`, `recent`, `address`,
   * `offer` and `tokens`, and `__Secure-` for the others, see {@link CookiePrefixOptions}.
   */
  name: string;
  /** Attributes of the cookie (RFC 6265 §4.1.2). */
  options: CookieSerializeOptions;
}

/** The cookies of the library. Each can have another name and other attributes. */
export interface CookiesOptions {
  /** The session or its token. Default: `authjs.session-token`, for `session.maxAge`. */
  sessionToken: Partial<CookieOption>;
  /** Where the visitor goes after the sign-in. Default: `authjs.callback-url`. */
  callbackUrl: Partial<CookieOption>;
  /** The CSRF token of forms. Default: `authjs.csrf-token`. */
  csrfToken: Partial<CookieOption>;
  /** The PKCE verifier (RFC 7636 §4.1). Default: `authjs.pkce.code_verifier`, for 15 minutes. */
  pkceCodeVerifier: Partial<CookieOption>;
  /** The `state` of authorization requests (RFC 6749 §4.1.1). Default: `authjs.state`, for 15 minutes. */
  state: Partial<CookieOption>;
  /** The `nonce` of authorization requests (OpenID Connect Core §3.1.2.1). Default: `authjs.nonce`, for 15 minutes. */
  nonce: Partial<CookieOption>;
  /** The challenge of a passkey (WebAuthn Level 3 §13.4.3). Default: `authjs.challenge`, for 15 minutes. */
  webauthnChallenge: Partial<CookieOption>;
  /** The mail with a link or a code that this browser requested. Default: `authjs.mail`, for as long as the link. */
  mail?: Partial<CookieOption>;
  /**
   * When the visitor signed in, with `account` and database sessions that have no records. Default: `authjs.recent`,
   * for 10 minutes.
   */
  recent?: Partial<CookieOption>;
  /** The new address that waits for its confirmation, with `account`. Default: `authjs.address`, for 1 hour. */
  address?: Partial<CookieOption>;
  /** With `linking`, the account that is offered to a user. Default: `authjs.offer`, for 10 minutes. */
  offer?: Partial<CookieOption>;
  /** With `tokens.store: 'cookie'`, the tokens of the session. Default: `authjs.tokens`, for 400 days. */
  tokens?: Partial<CookieOption>;
}

/** The names of all cookies on https, beside the options of single cookies. */
export interface CookiePrefixOptions {
  /**
   * The names of all cookies on https begin with `__Host-`, except `authjs.revision`. Subdomains cannot set such
   * cookies (RFC 6265bis §4.1.3.2). On http, names have no prefix. A name that you set yourself stays as it is.
   * Default: `__Host-` for `csrfToken`, `mail`, `recent`, `address`, `offer` and `tokens`; `__Secure-` for the others.
   */
  prefix?: '__Host-' | undefined;
  /** How a site that has users changes to the new names. Default: cookies with the names before are ignored. */
  migrate?: CookieMigration | undefined;
}

/**
 * The time in which cookies change their names. Deploy it to all processes before `from`. Until `until`, cookies are
 * read under both names, and the new name takes precedence.
 *
 * ```ts
 * cookies: { prefix: '__Host-', migrate: { from: new Date('2027-01-10'), until: new Date('2027-02-10') } }
 * ```
 */
export interface CookieMigration {
  /** From this instant on, cookies are written with the new names. Before, they are written with the old ones. */
  from: Date;
  /** From this instant on, the old names are ignored. Later than `from` by at least `session.maxAge`. */
  until: Date;
}

/** A cookie to set. */
export interface Cookie extends CookieOption {
  /** The value before it is encoded for the header. An empty value with `maxAge: 0` deletes the cookie. */
  value: string;
}

/** Values of `?error=` on the error page. */
export type ErrorPageParam = 'Configuration' | 'AccessDenied' | 'Verification';

/** Values of `?error=` on the sign-in page in Auth.js v5. Latchkey has more, see `docs/errors.md`. */
export type SignInPageErrorParam =
  | 'Signin'
  | 'OAuthSignin'
  | 'OAuthCallbackError'
  | 'OAuthCreateAccount'
  | 'EmailCreateAccount'
  | 'Callback'
  | 'OAuthAccountNotLinked'
  | 'EmailSignin'
  | 'CredentialsSignin'
  | 'SessionRequired';

/**
 * Pages of the application that replace the built-in ones: paths from the root of the site, or URLs. The last five are
 * pages that the built-in ones link to: paths, or https URLs.
 */
export interface PagesOptions extends PageLinks {
  /**
   * The sign-in page. Receives `?callbackUrl=`, and `?error=` and `?code=` after a failed sign-in. Default: the
   * built-in page `<basePath>/signin`.
   */
  signIn: string;
  /** The page that asks whether to sign out. Default: the built-in page `<basePath>/signout`. */
  signOut: string;
  /** The error page. Receives `?error=`. Default: the built-in page `<basePath>/error`. */
  error: string;
  /** The page after a sign-in mail was sent. Default: the built-in page `<basePath>/verify-request`. */
  verifyRequest: string;
  /**
   * The page to which a new user is sent after the first sign-in. Receives `?callbackUrl=`. Default: the callback URL
   * itself.
   */
  newUser: string;
  /** The page that lists the visitor's sessions, with `session.records`. Default: `<basePath>/sessions`. */
  sessions?: string | undefined;
  /**
   * The page on which users manage their account, with `account`. Receives `?done=` or `?error=` after a
   * change. Default: `<basePath>/account`.
   */
  account?: string | undefined;
}

/** Codes of warnings. `docs/errors.md` has the remedy for each. */
export type WarningCode =
  | 'address-confirmed-by-mail'
  | 'authentication-not-checked'
  | 'debug-enabled'
  | 'csrf-disabled'
  | 'env-url-basepath-redundant'
  | 'env-url-basepath-mismatch'
  | 'env-url-invalid'
  | 'env-url-port'
  | 'client-missing'
  | 'experimental-webauthn'
  | 'environment-late'
  | 'node-env-unset'
  | 'short-secret'
  | 'session-cookie-size'
  | 'id-token-not-verified'
  | 'legacy-until-passed'
  | 'provider-changed'
  | 'redirect-proxy-open'
  | 'account-columns-stale'
  | 'refresh-token-dropped'
  | 'token-cookie-size'
  | 'token-cookie-late'
  | 'revocation-lag'
  | 'no-end-session-endpoint'
  | 'duplicate-cookie'
  | 'stable-id-not-compared'
  | 'passkeys-not-removed'
  | 'unknown-callback'
  | 'unknown-option';

/** Where the library writes its log. Exceptions of the methods are ignored. */
export interface LoggerInstance {
  /** Each code is reported once per process. */
  warn(code: WarningCode, ...details: unknown[]): void;
  /** Reports a failure. `error.cause` holds its facts, redacted as the metadata of {@link debug}. */
  error(error: Error): void;
  /**
   * Expected refusals: canceled sign-ins, wrong credentials, used links, refused forms. Default: `error` is called, as
   * in Auth.js v5. Canceled sign-ins are then debug messages.
   */
  info?(error: Error): void;
  /** `metadata` is redacted: it contains no tokens, secrets, codes or values of cookies. */
  debug(message: string, metadata?: unknown): void;
}

/** The result of `Auth` in raw mode. */
export interface ResponseInternal<Body extends string | Record<string, unknown> | unknown[] | null = never> {
  /** Default: 200, or 302 with `redirect`. */
  status?: number | undefined;
  /** Headers of the response, without `Set-Cookie`. Default: none. */
  headers?: Headers | ConstructorParameters<typeof Headers>[0] | undefined;
  /** The value that the response would carry as JSON, or the text of a page. Default: no body. */
  body?: Body | unknown;
  /** URL or path to which the browser is sent. */
  redirect?: string | undefined;
  /** Cookies to set. */
  cookies?: Cookie[] | undefined;
}

/** Parameters of `callbacks.signIn`. */
export interface SignInCallbackParams {
  /** The user of the store, if the account is linked. Otherwise the user that `profile` or `authorize()` returned. */
  user: User | AdapterUser;
  /** The account at the provider, with its tokens. For email and credentials it has no tokens. */
  account?: Account | null | undefined;
  /** Only for OAuth and OpenID Connect: the profile from the provider. */
  profile?: Profile | undefined;
  /** Only for email. `verificationRequest` is true when a link is requested, and absent when the link is used. */
  email?: { verificationRequest?: boolean | undefined } | undefined;
  /** Only for credentials: the fields of the form. */
  credentials?: Record<string, CredentialInput | unknown> | undefined;
  /**
   * Only for OAuth, OpenID Connect and the first passkey of a new user: the status of `user.email`. Absent if there is
   * no address.
   */
  emailStatus?: EmailStatus | undefined;
}

/** Parameters of `callbacks.jwt`. */
export interface JWTCallbackParams {
  /** The claims of the session cookie; at a sign-in the claims of the new session. */
  token: JWT;
  /** Only at a sign-in. */
  user: User | AdapterUser;
  /** Only at a sign-in. */
  account?: Account | null | undefined;
  /** Only at a sign-in with OAuth or OpenID Connect. */
  profile?: Profile | undefined;
  /** Why the callback is called; absent when a session is read. `signUp` is the first sign-in of a new user. */
  trigger?: 'signIn' | 'signUp' | 'update' | undefined;
  /** Whether the sign-in has created the user. Absent otherwise. @deprecated Use `trigger === 'signUp'`. */
  isNewUser?: boolean | undefined;
  /** Only with `trigger: 'update'`: the data from the client. Check it: a visitor may send any data. */
  session?: Untyped;
}

/**
 * Parameters of `callbacks.session`. `token` is there with sessions of strategy `jwt`, `user` with strategy `database`.
 */
export type SessionCallbackParams = { session: { user: AdapterUser } & AdapterSession; user: AdapterUser } & {
  session: Session;
  token: JWT;
} & {
  /**
   * With `trigger: 'update'`, the data from the client. Check it: a visitor may send any data. Otherwise `undefined`.
   * Not optional, because callbacks that are typed for Auth.js v5 have to fit.
   */
  newSession: Untyped;
  trigger?: 'update' | undefined;
  /**
   * Returns how the session began; `null` if it is not known. It is known with `session.records`, `session.maxLifetime`
   * or `logout`. With database sessions, the first call asks the record store.
   *
   * @throws {SessionRecordsError} if the record store fails.
   */
  facts(): Promise<SessionFacts | null>;
};

/** Decisions of the application. */
export interface CallbacksOptions {
  /**
   * Decides whether a visitor may sign in. `false` or an exception ends the sign-in with `AccessDenied`; a string
   * redirects there instead. Default: `true`.
   */
  signIn(params: SignInCallbackParams): Awaitable<boolean | string>;
  /**
   * Returns the URL to which a visitor goes after a sign-in or sign-out. `url` is the requested URL, `baseUrl` the
   * application's origin. Default: `url` if it is on that origin, otherwise `baseUrl`.
   */
  redirect(params: { url: string; baseUrl: string }): Awaitable<string>;
  /** Returns what the client sees of the session. Default: name, email and image of the user, and `expires`. */
  session(params: SessionCallbackParams): Awaitable<Session | DefaultSession>;
  /** Returns the claims of the session token; `null` ends the session. Default: the token unchanged. */
  jwt(params: JWTCallbackParams): Awaitable<JWT | null>;
}

/**
 * Handlers of events, for example for an audit log. The library awaits them. Their exceptions are logged, and the flow
 * continues.
 */
export interface EventCallbacks {
  /** A visitor has signed in. */
  signIn(message: {
    user: User;
    account?: Account | null | undefined;
    profile?: Profile | undefined;
    isNewUser?: boolean | undefined;
  }): Awaitable<void>;
  /** A visitor has signed out: `session` with strategy `database`, `token` with strategy `jwt`. */
  signOut(message: { session: AdapterSession | null | undefined | void } | { token: JWT | null }): Awaitable<void>;
  /** A user was stored. */
  createUser(message: { user: User }): Awaitable<void>;
  /**
   * A stored user has changed: the address was proven for the first time, or the user has changed the name.
   * `removedPasskeys` is the number of passkeys that were added before the proof and are now removed; absent instead
   * of 0.
   */
  updateUser(message: { user: User; removedPasskeys?: number | undefined }): Awaitable<void>;
  /** An account was linked to a user. */
  linkAccount(message: { user: User | AdapterUser; account: Account; profile: User | AdapterUser }): Awaitable<void>;
  /** A user has removed a way to sign in, with `account`: an account at a provider, or a passkey. */
  unlinkAccount(message: { user: User | AdapterUser; account: Account }): Awaitable<void>;
  /** A user has a new address, with `account`. `from` is the address before; `null` if the user had none. */
  changeEmail(message: { user: User | AdapterUser; from: string | null; to: string }): Awaitable<void>;
  /** A user was deleted, with `account`. */
  deleteUser(message: { user: User | AdapterUser }): Awaitable<void>;
  /** A session was read. */
  session(message: { session: Session; token: JWT }): Awaitable<void>;
  /**
   * A session has ended, with `session.records`. Not called for sessions that expire. `reason` is `sign-out`,
   * `replaced` (by a sign-in in the same browser), `callback` (`callbacks.jwt` returned `null`), `user` (from the
   * list), `limit` (`maxPerUser`), or `provider`. It is `first-proof` if passkeys from before the proof of the address
   * were removed, and `unlink` if its way to sign in was removed. `sessionsOf(config).endAll` gives a text of its own.
   */
  sessionEnded(message: { userId: string; id: string; reason: string }): Awaitable<void>;
  /** A session of another library has become a session of this one, with `legacy`. `reader` is the reader's name. */
  legacySession(message: { user: User | AdapterUser; reader: string }): Awaitable<void>;
  /** The tokens of an account were refreshed, with `tokens`. Called once, by the process that did it. */
  tokensRefreshed(message: { userId: string; provider: string; providerAccountId: string }): Awaitable<void>;
  /**
   * The tokens of an account cannot be refreshed any more, with `tokens`: the provider has refused the refresh token
   * (`code` is `revoked`). The user has to sign in at the provider again.
   */
  tokensLost(message: {
    userId: string;
    provider: string;
    providerAccountId: string;
    code: 'revoked';
  }): Awaitable<void>;
  /** The tokens of an account were deleted, with `tokens`. `result` is the answer of the provider. */
  tokensRevoked(message: {
    userId: string;
    provider: string;
    providerAccountId: string;
    result: Revocation;
  }): Awaitable<void>;
}

/** How sessions are kept. */
export interface SessionOptions {
  /**
   * Where sessions are kept: in the cookie (`jwt`) or in the store. Default: `database` with an adapter, otherwise
   * `jwt`.
   */
  strategy?: 'jwt' | 'database' | undefined;
  /** Seconds that a session is valid after its last extension. Default: 2592000 (30 days). */
  maxAge?: number | undefined;
  /**
   * Least number of seconds between two extensions of a `database` session, and of a `jwt` session that pages read. `0`
   * extends the session each time it is read. Default: 86400 (1 day).
   */
  updateAge?: number | undefined;
  /** Returns the token of a `database` session. Default: a random UUID. */
  generateSessionToken?: (() => Awaitable<string>) | undefined;
  /**
   * Seconds that a session is valid after the sign-in, however often it is extended: 60 or more. `database` sessions
   * also need {@link records}. Default: no limit.
   */
  maxLifetime?: number | undefined;
  /**
   * Keeps a record of each live session, so that users can list and end their sessions. `true`: with all defaults.
   * Default: `false`.
   */
  records?: boolean | SessionRecordsOptions | undefined;
}

/** Sign-out at and from providers of type `oidc`. */
export interface LogoutOptions {
  /**
   * A sign-out also ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0), if the provider's
   * metadata has an `end_session_endpoint`. Register `<base path>/logout/<provider>` there as post-logout redirect
   * URI. Default: `false`.
   */
  provider?: boolean | undefined;
  /**
   * The provider ends sessions of this application (OpenID Connect Back-Channel Logout 1.0). Register
   * `<base path>/logout/<provider>` there as back-channel logout URI. Needs `session.records`. Default: `false`.
   */
  backchannel?: boolean | undefined;
}

/** The configuration of an application. */
export interface AuthConfig {
  /** The ways to sign in. */
  providers: Provider[];
  /**
   * Seals tokens and cookies: at least 32 random characters. With a list, the first secret seals and all of them open,
   * so that secrets can be rotated. Required; bindings read `AUTH_SECRET` from the environment.
   */
  secret?: string | string[] | undefined;
  /** Where sessions are kept, and for how long. Default: 30 days, in the store if there is one, else in a cookie. */
  session?: SessionOptions | undefined;
  /**
   * Readers of the sessions of other libraries, at most 4. A visitor with such a session stays signed in. Default: no
   * readers; see docs/guides/move-from-another-library.md.
   */
  legacy?: readonly LegacyReader[] | undefined;
  /** Sign-out at and from OpenID providers. Default: a sign-out ends only the session of this application. */
  logout?: LogoutOptions | undefined;
  /**
   * Users manage their own account: the ways to sign in, the name, the passkeys. Needs an adapter. `true`: with all
   * defaults. Default: `false`; see docs/account.md.
   */
  account?: boolean | AccountOptions | undefined;
  /**
   * How accounts of OAuth and OpenID providers are added to users. `guided`: only if the user asks for it at
   * `signin?add`, or agrees to an offer. Needs an adapter. Default: as in Auth.js, a sign-in with a new account adds it
   * to the user who is signed in. With `account`, this user must have signed in recently. See docs/linking.md.
   */
  linking?: 'guided' | undefined;
  /**
   * Keeps the access and refresh tokens of accounts sealed, and refreshes them once for all processes. Default: off;
   * see docs/tokens.md.
   */
  tokens?: TokensOptions | undefined;
  /** The tokens of sessions with strategy `jwt`. Default: encrypted, and valid for `session.maxAge`. */
  jwt?: Optional<JWTOptions> | undefined;
  /** Pages of your own in the place of the built-in ones. Default: the built-in pages. */
  pages?: Optional<PagesOptions> | undefined;
  /** Your decisions: who may sign in, what a token contains, what the client sees. Default: see each callback. */
  callbacks?: Optional<CallbacksOptions> | undefined;
  /** Functions that are called after a sign-in, a sign-out and other events. Default: none. */
  events?: Optional<EventCallbacks> | undefined;
  /**
   * Keeps users, accounts, sessions and mailed tokens. A function is called when a request first needs the adapter.
   * Default: no store.
   */
  adapter?: AdapterLike | (() => Awaitable<AdapterLike>) | undefined;
  /** Writes debug messages to the console. Ignored if `logger` is set. Default: `false`. */
  debug?: boolean | undefined;
  /** Where the log is written. Default: the console. */
  logger?: Optional<LoggerInstance> | undefined;
  /**
   * Name, logo, colors and font of the built-in pages and of mails. Default: light or dark as the visitor's system; no
   * logo.
   */
  theme?: ThemeOptions | undefined;
  /**
   * How mails are sent that do not sign in, such as notices about changes of an account. Default: the first built-in
   * email provider sends them.
   */
  mail?: MailOptions | undefined;
  /** Languages and texts of the built-in pages and of mails. Default: English. */
  locale?: LocaleOptions | undefined;
  /** Cookies have the attribute `Secure` and prefixed names. Default: `true` for https URLs. */
  useSecureCookies?: boolean | undefined;
  /**
   * Names and attributes of the cookies, each of which you can change in part, and the prefix of all names. Default:
   * see {@link CookiesOptions} and {@link CookiePrefixOptions}.
   */
  cookies?: (Optional<CookiesOptions> & CookiePrefixOptions) | undefined;
  /**
   * Trusts the host in the URL of a request. `'local'`: only loopback and private names, such as `localhost`,
   * `app.test` and `192.168.0.7`. Required; bindings read `AUTH_TRUST_HOST` and others from the environment.
   */
  trustHost?: boolean | 'local' | undefined;
  /**
   * Set to the symbol `skipCSRFCheck` by framework authors whose framework checks the origin of forms. Default: CSRF
   * tokens are checked.
   */
  skipCSRFCheck?: typeof skipCSRFCheck | undefined;
  /**
   * Set to the symbol `raw` by framework authors: `Auth` resolves to a {@link ResponseInternal}. Default: a `Response`.
   */
  raw?: typeof raw | undefined;
  /** Path below which the actions are. Default: `/auth`. */
  basePath?: string | undefined;
  /**
   * URL, up to the base path, of the deployment to which all providers redirect. Default: each deployment has its own
   * callback URLs.
   */
  redirectProxyUrl?: string | undefined;
  /**
   * On the redirect proxy: the origins to which it forwards. `*` stands for one label (`https://*.preview.example`).
   * Default: each deployment that shares the secret and whose origin `AUTH_URL` or its platform names, with a warning.
   * Bindings read `AUTH_REDIRECT_PROXY_ORIGINS`.
   */
  redirectProxyOrigins?: string[] | undefined;
  /**
   * Limits on failed sign-ins with credentials and on mails; above a limit the response has status 429. `false` removes
   * all limits. Default: 20 failures per identifier and 5 mails per address in 15 minutes; see docs/rate-limits.md.
   */
  rateLimit?: RateLimitOptions | false | undefined;
  /** Features whose options may still change. Default: none. */
  experimental?:
    | {
        /** Allows passkey providers. Default: `false`. */
        enableWebAuthn?: boolean | undefined;
      }
    | undefined;
  /** `true`: secrets with fewer than 32 characters are accepted in production, too. Default: `false`. */
  [allowShortSecret]?: boolean | undefined;
  /** Internal: set by `setEnvDefaults` and by the bindings. */
  [deployment]?: Deployment | undefined;
}

/** Internal: what the environment says about a deployment. */
export interface Deployment {
  /** `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
  /** A platform runs the application, and its front sets the host of each request. */
  readonly isPlatform: boolean;
  /** The origin of `AUTH_URL`. */
  readonly origin: string | undefined;
  /** The application's own object, of which the configuration is a copy. */
  readonly source?: object | undefined;
  /** The path `explain` exists: `NODE_ENV` is `development`, or it is not set. */
  readonly explains?: boolean | undefined;
  /** The debug messages that the environment switches on. */
  readonly debug?: readonly DebugCategory[] | undefined;
}

/** Internal: a resolved provider. Exported because Auth.js v5 exports it. */
export type InternalProvider<T = ProviderType> = (T extends 'oauth' | 'oidc'
  ? OAuthConfigInternal<Profile>
  : Provider) & {
  signinUrl: string;
  callbackUrl: string;
};
