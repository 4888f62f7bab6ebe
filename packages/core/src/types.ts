import type { AdapterLike, AdapterSession, AdapterUser } from './adapters.ts';
import type { JWT, JWTOptions } from './jwt.ts';
import type { CredentialInput } from './providers/credentials.ts';
import type { Provider, ProviderType } from './providers/index.ts';
import type { OAuthConfigInternal } from './providers/oauth.ts';
import type { RateLimitOptions } from './rate-limit-types.ts';
import type { raw, skipCSRFCheck } from './symbols.ts';
import type { PasskeyCreationOptions, PasskeyRequestOptions } from './webauthn-types.ts';

/** A value or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;
/** What a promise resolves to. */
export type Awaited<T> = T extends Promise<infer U> ? U : T;
/** `v1`, `v1.2` or `v1.2.3`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`;
/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | { [key: string]: JsonValue | undefined } | JsonValue[];
/** Members that may be left out, or be `undefined` as a variable of the environment is. */
export type Optional<T> = { [K in keyof T]?: T[K] | undefined };
/**
 * What somebody else sends, a vendor or a visitor. Applications of the family read members of it without a cast, and
 * `unknown` would stop them from compiling.
 */
// biome-ignore lint/suspicious/noExplicitAny: this is the one place
export type Foreign = any;

/** Colours and logo of the built-in pages. */
export interface Theme {
  /** Default: `auto` (what the visitor's system asks for). */
  colorScheme?: 'auto' | 'dark' | 'light' | undefined;
  /** Address of an image shown above the card. */
  logo?: string | undefined;
  /** CSS colour of buttons and links. */
  brandColor?: string | undefined;
  /** CSS colour of the text on a button in `brandColor`. */
  buttonText?: string | undefined;
}

/** Members of a token endpoint response (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export interface TokenEndpointResponse {
  access_token?: string | undefined;
  token_type?: Lowercase<string> | undefined;
  /** Seconds. */
  expires_in?: number | undefined;
  id_token?: string | undefined;
  refresh_token?: string | undefined;
  scope?: string | undefined;
  authorization_details?: AuthorizationDetails[] | undefined;
  [parameter: string]: JsonValue | AuthorizationDetails[] | undefined;
}

/** An entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  type: string;
  locations?: string[];
  actions?: string[];
  datatypes?: string[];
  privileges?: string[];
  identifier?: string;
  [parameter: string]: JsonValue | undefined;
}

/** What the token endpoint answered, plus the instant at which the access token expires. */
export interface TokenSet extends TokenEndpointResponse {
  /** Seconds since 1970, computed from `expires_in`. */
  expires_at?: number | undefined;
}

/** A connection between a user and a provider. */
export interface Account extends TokenEndpointResponse {
  /** Id of the provider. */
  provider: string;
  /** The user's id at the provider; the address for email, the `id` that `authorize()` returned for credentials. */
  providerAccountId: string;
  type: ProviderType;
  /** The user's id in the store. */
  userId?: string | undefined;
  /** Seconds since 1970, computed from `expires_in`. */
  expires_at?: number | undefined;
}

/** What a provider tells about a user; standard claims (OpenID Connect Core §5.1) and whatever else it sends. */
export interface Profile {
  id?: string | null | undefined;
  sub?: string | null | undefined;
  name?: string | null | undefined;
  given_name?: string | null | undefined;
  family_name?: string | null | undefined;
  middle_name?: string | null | undefined;
  nickname?: string | null | undefined;
  preferred_username?: string | null | undefined;
  profile?: string | null | undefined;
  /** An address, or what the vendor has instead. */
  picture?: Foreign;
  website?: string | null | undefined;
  email?: string | null | undefined;
  email_verified?: boolean | null | undefined;
  gender?: string | null | undefined;
  birthdate?: string | null | undefined;
  zoneinfo?: string | null | undefined;
  locale?: string | null | undefined;
  phone_number?: string | null | undefined;
  updated_at?: Date | string | number | null | undefined;
  address?:
    | {
        formatted?: string | null | undefined;
        street_address?: string | null | undefined;
        locality?: string | null | undefined;
        region?: string | null | undefined;
        postal_code?: string | null | undefined;
        country?: string | null | undefined;
      }
    | null
    | undefined;
  [claim: string]: unknown;
}

/** The members every user has; extend {@link User}, not this. */
export interface DefaultUser {
  id?: string | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  image?: string | null | undefined;
}

/** A user; applications may add members by module augmentation. */
export interface User extends DefaultUser {}

/** The members every session has; extend {@link Session}, not this. */
export interface DefaultSession {
  user?: User | undefined;
  /** ISO 8601 instant at which the session expires unless it is extended. */
  expires: string;
}

/** What a client sees of its session; applications may add members by module augmentation. */
export interface Session extends DefaultSession {}

/** Attributes of a cookie (RFC 6265 §4.1). */
export interface CookieSerializeOptions {
  domain?: string | undefined;
  encode?: ((value: string) => string) | undefined;
  expires?: Date | undefined;
  httpOnly?: boolean | undefined;
  /** Seconds. */
  maxAge?: number | undefined;
  partitioned?: boolean | undefined;
  path?: string | undefined;
  priority?: 'low' | 'medium' | 'high' | undefined;
  sameSite?: true | false | 'lax' | 'strict' | 'none' | undefined;
  secure?: boolean | undefined;
}

/** Name and attributes of one of our cookies. */
export interface CookieOption {
  name: string;
  options: CookieSerializeOptions;
}

/** The cookies of the library; each can be renamed and given other attributes. */
export interface CookiesOptions {
  sessionToken: Partial<CookieOption>;
  callbackUrl: Partial<CookieOption>;
  csrfToken: Partial<CookieOption>;
  pkceCodeVerifier: Partial<CookieOption>;
  state: Partial<CookieOption>;
  nonce: Partial<CookieOption>;
  webauthnChallenge: Partial<CookieOption>;
}

/** A cookie to set. */
export interface Cookie extends CookieOption {
  value: string;
}

/** Values of `?error=` on the error page. */
export type ErrorPageParam = 'Configuration' | 'AccessDenied' | 'Verification';

/** Values of `?error=` on the sign-in page that the family knows. Ours shows more, see `docs/errors.md`. */
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

/** Paths (relative to the origin) of pages of the application that replace the built-in ones. */
export interface PagesOptions {
  signIn: string;
  signOut: string;
  /** Receives `?error=`. */
  error: string;
  verifyRequest: string;
  /** Where a user goes after the very first sign-in; receives `?callbackUrl=`. */
  newUser: string;
}

/** The actions of the library, the first path segment after the base path. */
export type AuthAction =
  | 'providers'
  | 'session'
  | 'csrf'
  | 'signin'
  | 'signout'
  | 'callback'
  | 'verify-request'
  | 'error'
  | 'webauthn-options';

/** Codes given to `logger.warn`; `docs/errors.md` says for each what to do. */
export type WarningCode =
  | 'debug-enabled'
  | 'csrf-disabled'
  | 'env-url-basepath-redundant'
  | 'env-url-basepath-mismatch'
  | 'env-url-invalid'
  | 'experimental-webauthn'
  | 'short-secret'
  | 'session-cookie-size'
  | 'id-token-not-verified'
  | 'redirect-proxy-open';

/** Where the library writes its log. */
export interface LoggerInstance {
  warn(code: WarningCode, ...details: unknown[]): void;
  error(error: Error): void;
  /** `metadata` is redacted: no token, secret, code or cookie value. */
  debug(message: string, metadata?: unknown): void;
}

/** An entry of the `providers` action's answer. */
export interface PublicProvider {
  id: string;
  name: string;
  type: string;
  signinUrl: string;
  callbackUrl: string;
}

/** What {@link Auth} resolves to in raw mode. */
export interface ResponseInternal<Body extends string | Record<string, unknown> | unknown[] | null = never> {
  status?: number | undefined;
  headers?: Headers | ConstructorParameters<typeof Headers>[0] | undefined;
  body?: Body | unknown;
  redirect?: string | undefined;
  cookies?: Cookie[] | undefined;
}

/** A WebAuthn authenticator. */
export interface Authenticator {
  /** Base64 with padding. */
  credentialID: string;
  /** Base64 with padding. */
  credentialPublicKey: string;
  /** Number of uses. */
  counter: number;
  credentialDeviceType: string;
  credentialBackedUp: boolean;
  /** Comma-separated. */
  transports?: string | null | undefined;
  userId?: string | undefined;
  providerAccountId: string;
}

/** Answer of the `webauthn-options` action. */
export type WebAuthnOptionsResponseBody =
  | { action: 'authenticate'; options: PasskeyRequestOptions }
  | { action: 'register'; options: PasskeyCreationOptions };

/** Arguments of `callbacks.signIn`. */
export interface SignInCallbackParams {
  user: User | AdapterUser;
  account?: Account | null | undefined;
  /** OAuth and OIDC only: what the provider sent. */
  profile?: Profile | undefined;
  /** Email only: `verificationRequest` is true while the link is asked for, and absent when it is used. */
  email?: { verificationRequest?: boolean | undefined } | undefined;
  /** Credentials only: what the visitor typed. */
  credentials?: Record<string, CredentialInput | unknown> | undefined;
}

/** Arguments of `callbacks.jwt`. */
export interface JWTCallbackParams {
  token: JWT;
  /** At sign-in only. */
  user: User | AdapterUser;
  /** At sign-in only. */
  account?: Account | null | undefined;
  /** At an OAuth or OIDC sign-in only. */
  profile?: Profile | undefined;
  trigger?: 'signIn' | 'signUp' | 'update' | undefined;
  /** @deprecated use `trigger === 'signUp'` */
  isNewUser?: boolean | undefined;
  /** With `trigger: 'update'`: what the client sent. Not trustworthy: check it. */
  session?: Foreign;
}

/** Arguments of `callbacks.session`; `token` with JWT sessions, `user` with database sessions. */
export type SessionCallbackParams = { session: { user: AdapterUser } & AdapterSession; user: AdapterUser } & {
  session: Session;
  token: JWT;
} & {
  /** With `trigger: 'update'`: what the client sent. Not trustworthy: check it. */
  newSession?: Foreign;
  trigger?: 'update' | undefined;
};

/** Decisions of the application. */
export interface CallbacksOptions {
  /** May this visitor sign in? `false` or an exception: `AccessDenied`; a string: go there instead. Default: `true`. */
  signIn(params: SignInCallbackParams): Awaitable<boolean | string>;
  /** Where to go after sign-in or sign-out. Default: `url` if it is on our origin, else `baseUrl`. */
  redirect(params: { url: string; baseUrl: string }): Awaitable<string>;
  /** What the client may see of the session. Default: name, email and image of the user, and `expires`. */
  session(params: SessionCallbackParams): Awaitable<Session | DefaultSession>;
  /** What the token holds; `null` ends the session. Default: the token as it is. */
  jwt(params: JWTCallbackParams): Awaitable<JWT | null>;
}

/** Handlers for the application's audit log; awaited, and unable to break what they report. */
export interface EventCallbacks {
  signIn(message: {
    user: User;
    account?: Account | null | undefined;
    profile?: Profile | undefined;
    isNewUser?: boolean | undefined;
  }): Awaitable<void>;
  signOut(message: { session: AdapterSession | null | undefined | void } | { token: JWT | null }): Awaitable<void>;
  createUser(message: { user: User }): Awaitable<void>;
  updateUser(message: { user: User }): Awaitable<void>;
  linkAccount(message: { user: User | AdapterUser; account: Account; profile: User | AdapterUser }): Awaitable<void>;
  session(message: { session: Session; token: JWT }): Awaitable<void>;
}

/** How sessions are kept. */
export interface SessionOptions {
  /** Default: `database` when there is an adapter, else `jwt`. */
  strategy?: 'jwt' | 'database' | undefined;
  /** Seconds a session stays valid after its last extension. Default: 2592000 (30 days). */
  maxAge?: number | undefined;
  /**
   * Least number of seconds between two extensions of a database session, and of a token session that pages read; `0` extends on each
   * read. Default: 86400.
   */
  updateAge?: number | undefined;
  /** Makes the token of a database session. Default: a random UUID. */
  generateSessionToken?: (() => Awaitable<string>) | undefined;
}

/** The configuration of an application. */
export interface AuthConfig {
  /** The ways to sign in. */
  providers: Provider[];
  /** Seals tokens and cookies. A list rotates: the first seals, each opens. At least 32 random characters. */
  secret?: string | string[] | undefined;
  session?: SessionOptions | undefined;
  jwt?: Optional<JWTOptions> | undefined;
  pages?: Optional<PagesOptions> | undefined;
  callbacks?: Optional<CallbacksOptions> | undefined;
  events?: Optional<EventCallbacks> | undefined;
  /** The data layer, or a function that makes it, called when an action first needs it. */
  adapter?: AdapterLike | (() => Awaitable<AdapterLike>) | undefined;
  /** Default: `false`. Ignored when `logger` is set. */
  debug?: boolean | undefined;
  /** Default: the console. */
  logger?: Optional<LoggerInstance> | undefined;
  theme?: Theme | undefined;
  /** Default: `true` for https addresses. */
  useSecureCookies?: boolean | undefined;
  cookies?: Optional<CookiesOptions> | undefined;
  /** The host of the request's address is to be believed. Required, see `AUTH_TRUST_HOST`. */
  trustHost?: boolean | undefined;
  skipCSRFCheck?: typeof skipCSRFCheck | undefined;
  raw?: typeof raw | undefined;
  /** Path at which the library is mounted. Default: `/auth`. */
  basePath?: string | undefined;
  /** Full address, up to the base path, of the deployment that all provider callbacks go to. */
  redirectProxyUrl?: string | undefined;
  /**
   * On the redirect proxy: origins that answers may be handed on to; `*` stands for one label (`https://*.preview.example`).
   * Default: every origin that shares the secret, with a warning.
   */
  redirectProxyOrigins?: string[] | undefined;
  /**
   * How many failed sign-ins with credentials, and how many mails, before more are answered with status 429. `false`: no limits.
   * Default: 20 failures by identifier and 5 mails by address in 15 minutes; see docs/rate-limits.md.
   */
  rateLimit?: RateLimitOptions | false | undefined;
  experimental?:
    | {
        /** Default: `false`. */
        enableWebAuthn?: boolean | undefined;
      }
    | undefined;
}

/** Internal: a provider after normalisation. Exported for type compatibility. */
export type InternalProvider<T = ProviderType> = (T extends 'oauth' | 'oidc'
  ? OAuthConfigInternal<Profile>
  : Provider) & {
  signinUrl: string;
  callbackUrl: string;
};

export type {
  CredentialsRateLimit,
  RateLimit,
  RateLimitOptions,
  RateLimitRule,
  RateLimitStore,
} from './rate-limit-types.ts';
export type { ConfigWith, Exposed, SessionFrom } from './session-types.ts';
