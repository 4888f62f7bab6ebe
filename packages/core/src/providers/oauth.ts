import type { allowInsecureIssuer, customFetch } from '../symbols.ts';
import type { CommonProviderOptions, MarkPath } from '../types/provider.ts';
import type { Account, Awaitable, JsonValue, Profile, TokenSet, Untyped, User } from '../types/user.ts';

export type { OAuthProviderId } from './provider-types.ts';

/**
 * Protections of one authorization request: `pkce` (RFC 7636), `state` (RFC 6749 §10.12) and `nonce` (OpenID Connect
 * Core §3.1.2.1). `none` turns the configurable ones off.
 */
export type OAuthChecks = 'none' | 'pkce' | 'state' | 'nonce';

type UrlParams = Record<string, unknown>;

/** A `CryptoKey` of Web Crypto. Node's types do not declare that name globally. */
type WebCryptoKey = Parameters<typeof crypto.subtle.exportKey>[1];

/** The key that signs the client assertion of `private_key_jwt` (RFC 7523 §2.2). */
export interface PrivateKey {
  /** A private key for signing. */
  key: WebCryptoKey;
  /** The `kid` in the header of the assertion. Default: the header has no `kid`. */
  kid?: string | undefined;
}

// Here and below, `{ call(…) }['call']` makes a method type. TypeScript compares the parameters of methods less
// strictly, so that functions with the narrower parameter types of Auth.js v5 are assignable.
type EndpointRequest<Context, Result, Params> = {
  call(
    context: Context & {
      /** The provider with all defaults applied. */
      provider: OAuthConfigInternal<Profile> & { signinUrl: string; callbackUrl: string };
      params?: Params | undefined;
    },
  ): Awaitable<Result>;
}['call'];

interface AdvancedEndpointHandler<P extends UrlParams, Context, Result> {
  /**
   * URL of the endpoint. If it begins with `./`, it is relative to the `issuer`. Parameters in its query replace those
   * of a built-in provider. Default: the URL in the provider's metadata.
   */
  url?: string | URL | undefined;
  /** HTTP method of the userinfo request. Only providers of type `oauth` use it. Default: `GET`. */
  method?: 'GET' | 'POST' | undefined;
  /** Headers to add to each request to the endpoint. Default: none. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Query parameters to add to each request. An object is sent as JSON. A function receives the provider and returns
   * the value. Default: none.
   */
  params?: P | undefined;
  /** Makes the request in place of the engine. Default: the engine sends the request. */
  request?: EndpointRequest<Context, Result, P> | undefined;
  /** Receives a copy of the response. May return a response that follows the standard, which replaces the original. */
  conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined;
  /** The signing key for `client.token_endpoint_auth_method: 'private_key_jwt'`. */
  clientPrivateKey?: WebCryptoKey | PrivateKey | undefined;
}

/** An endpoint of a provider: its URL, its parameters, and where it deviates from the standard. */
export type EndpointHandler<P extends UrlParams, Context = unknown, Result = unknown> = AdvancedEndpointHandler<
  P,
  Context,
  Result
>;

/**
 * Parameters of an authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). Other parameters are allowed.
 */
export interface AuthorizationParameters {
  /** Default: `code`, the only supported response type. */
  response_type?: string;
  /** How the provider returns the parameters: `query` or `form_post`. Default: the provider decides. */
  response_mode?: string;
  /** Scopes, separated by spaces. Default for OIDC: `openid profile email`. */
  scope?: string;
  /** For example `login`, `consent` or `select_account`. Default: the provider decides. */
  prompt?: string;
  /**
   * Maximum number of seconds between the visitor's authentication at the provider and the start of the sign-in. An ID
   * token must have an `auth_time` within this limit. Default: no limit.
   */
  max_age?: number | string;
  /**
   * Authentication context classes, separated by spaces. The `acr` of an ID token must be one of them. Values that
   * begin with `idp:` or `tenant:` are passed on only. Default: any class.
   */
  acr_values?: string;
  /** The API for which the access token is issued. Only some providers know it. */
  audience?: string;
  /** Any other parameter. */
  [parameter: string]: unknown;
}

/** The authorization endpoint, to which the visitor is redirected (RFC 6749 §3.1). */
export type AuthorizationEndpointHandler = EndpointHandler<AuthorizationParameters & UrlParams>;

/** The token endpoint, which exchanges the code for tokens (RFC 6749 §3.2). */
export type TokenEndpointHandler = EndpointHandler<
  UrlParams,
  {
    /** Query parameters of the callback. */
    params: Record<string, string>;
    /** Secrets of this sign-in, by the checks that are on. */
    checks: { code_verifier?: string | undefined; state?: string | undefined; nonce?: string | undefined };
  },
  { tokens: TokenSet }
>;

/** The userinfo endpoint, which returns the profile (OpenID Connect Core §5.3). */
export type UserinfoEndpointHandler = EndpointHandler<UrlParams, { tokens: TokenSet }, unknown>;

/** Maps the provider's profile to a user. The result must have an `id`, which becomes `providerAccountId`. */
export type ProfileCallback<P> = { call(profile: P, tokens: TokenSet): Awaitable<User> }['call'];

/** Context of {@link OAuth2Config.conformProfile}. */
export interface ConformContext {
  /** Query parameters of the callback. The browser sent them, so they are not trusted. */
  params: Readonly<Record<string, string>>;
  /** Configured parameters of the authorization request. Parameters that a single sign-in added are not included. */
  asked: Readonly<Record<string, string>>;
  /** The tokens from the token endpoint. */
  tokens: TokenSet;
  /** The provider with all defaults applied. Its `fetch` limits time and size of each response. */
  provider: OAuthConfigInternal<Profile>;
}

/**
 * Converts a vendor's profile to standard claims.
 *
 * @throws {AccessDenied} if the profile does not meet a restriction of the configuration.
 */
export type ConformProfile<P> = { call(profile: P, context: ConformContext): Awaitable<P> }['call'];

/**
 * How a provider vouches for the addresses of its users. `always`: it verifies every address. `claim`: an address
 * without the claim `email_verified` is not verified. `never`: its users or their administrators write the addresses.
 */
export type EmailVerification = 'always' | 'claim' | 'never';

/** Decides by the profile; `undefined` is the default of {@link OAuth2Config.emailVerification}. */
export type EmailVerificationCallback<P> = {
  call(profile: P, context: ConformContext): EmailVerification | undefined;
}['call'];

/** The policy for a new account whose address is not proven. */
export type UnverifiedEmail = 'verify' | 'refuse' | 'allow';

/** Returns an id that the vendor never gives to another person; `undefined` if the profile does not have it. */
export type StableIdCallback<P> = { call(profile: P): string | undefined }['call'];

/** Returns the members of the token response to store with the account. */
export type AccountCallback = { call(tokens: TokenSet): TokenSet | undefined | void }['call'];

/** Style of the provider's button on the sign-in page. */
export interface OAuthProviderButtonStyles {
  /** URL of an image to show in place of `icon`. Default: none. */
  logo?: string | undefined;
  /** CSS color of the mark's background. Default: a gray of the page. */
  brandColor?: string | undefined;
  /**
   * Path data (SVG `d`) of a 24 × 24 mark, drawn on `brandColor`. A mark with several colors is a list of paths, drawn
   * on white. Default: the first letter of the name.
   */
  icon?: string | readonly MarkPath[] | undefined;
  /** The name that visitors know, if it differs from `name`: "Microsoft". Your own `name` wins. Default: `name`. */
  label?: string | undefined;
  /** Color of the text in Auth.js v4. It has no effect. @deprecated Remove it. */
  text?: string | undefined;
  /** Color of the button in Auth.js v4. Used if `brandColor` is not set. @deprecated Use `brandColor`. */
  bg?: string | undefined;
}

/** Client metadata (RFC 7591 §2) that change the requests to the provider and the checks of its responses. */
export interface ClientMetadata {
  /** How the client authenticates at the token endpoint. Default: `client_secret_basic`. */
  token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'none'
    | string
    | undefined;
  /** Algorithm that must sign ID tokens. Default: any algorithm that the metadata lists, or `RS256`. */
  id_token_signed_response_alg?: string | undefined;
  /** Algorithm that must sign userinfo responses. Default: responses are not signed. */
  userinfo_signed_response_alg?: string | undefined;
  /** `true`: ID tokens must have the claim `auth_time`. Default: `false`. */
  require_auth_time?: boolean | undefined;
  /** Maximum age of the sign-in at the provider, in seconds. Default: no limit. */
  default_max_age?: number | undefined;
  /** `true`: requests go to `mtls_endpoint_aliases` of the metadata (RFC 8705 §5). Default: `false`. */
  use_mtls_endpoint_aliases?: boolean | undefined;
  /** Other members of RFC 7591 §2 are accepted and have no effect. */
  [member: string]: JsonValue | undefined;
}

/** The additions to an authorization request without which a provider issues no refresh token. */
export interface OfflineAccess {
  /** Scope of the authorization request. Default: no further scope. */
  scope?: string | undefined;
  /** Parameters of the authorization request. Default: no further parameters. */
  params?: Readonly<Record<string, string>> | undefined;
}

/** How a provider writes scopes. */
export interface ScopeFormat {
  /** Separates the scopes in a token response. Default: a space (RFC 6749 §3.3). */
  separator?: string | undefined;
  /** Other names under which the provider reports scopes, by the reported name. Default: none. */
  aliases?: Readonly<Record<string, string>> | undefined;
}

/** Makes the refresh request in place of the engine. Returns the members of a token response (RFC 6749 §5.1). */
export type RefreshRequest = {
  call(context: {
    refreshToken: string;
    /** The granted scopes. */
    scopes: readonly string[];
    provider: OAuthConfigInternal<Profile>;
  }): Awaitable<{ tokens: TokenSet }>;
}['call'];

/** Revokes a token in place of the engine. Throws if that fails. */
export type RevocationRequest = {
  call(context: {
    token: string;
    kind: 'refresh_token' | 'access_token';
    provider: OAuthConfigInternal<Profile>;
  }): Awaitable<unknown>;
}['call'];

/** A provider that supports OAuth 2.0 with the authorization code grant (RFC 6749 §4.1). */
export interface OAuth2Config<P> extends CommonProviderOptions {
  /** OAuth 2.0, without an ID token. */
  type: 'oauth';
  /**
   * Issuer URL, from which the metadata is loaded. Must equal the `iss` parameter of the callback (RFC 9207 §2.4).
   * Default: `AUTH_<ID>_ISSUER` in the environment.
   */
  issuer?: string | undefined;
  /** URL of the metadata. Default: `<issuer>/.well-known/openid-configuration`. */
  wellKnown?: string | URL | undefined;
  /**
   * Authorization endpoint (RFC 6749 §3.1), or its URL. A request for a sign-in cannot replace a configured parameter,
   * except `scope`, `prompt`, `login_hint`, `ui_locales`, `display` and `screen_hint`. Default: from the metadata.
   *
   * @example
   * authorization: 'https://discord.com/oauth2/authorize?scope=identify+guilds'
   */
  authorization?: string | URL | AuthorizationEndpointHandler | undefined;
  /** Token endpoint (RFC 6749 §3.2), or its URL. Default: from the metadata. */
  token?: string | URL | TokenEndpointHandler | undefined;
  /** Userinfo endpoint (OpenID Connect Core §5.3), or its URL. Default: from the metadata. */
  userinfo?: string | URL | UserinfoEndpointHandler | undefined;
  /**
   * Protections of the authorization request. A `state` is always sent. Without `pkce` and `nonce`, also for `[]` and
   * `['none']`, it must come back, unless you configure your own `state` in `authorization`. Default: `['pkce']`.
   */
  checks?: Exclude<OAuthChecks, 'nonce'>[] | undefined;
  /** Client identifier (RFC 6749 §2.2). Default: `AUTH_<ID>_ID` in the environment. */
  clientId?: string | undefined;
  /** Client secret (RFC 6749 §2.3.1). Default: `AUTH_<ID>_SECRET` in the environment. */
  clientSecret?: string | undefined;
  /** Further client metadata. Default: none. */
  client?: Partial<ClientMetadata> | undefined;
  /** Maps the profile to a user. Default: id, name, email and image from the standard claims. */
  profile?: ProfileCallback<P> | undefined;
  /**
   * Converts the vendor's profile before `profile` and all checks receive it. For example, it sets `email_verified` or
   * loads a missing address. It throws `AccessDenied` if the user does not meet a configured restriction, such as a
   * domain or a tenant. The vendor treats such a parameter as a hint only. Default: the profile stays as it is.
   */
  conformProfile?: ConformProfile<P> | undefined;
  /**
   * Selects the tokens to store with the account. Default: the seven members that have a column in the reference
   * schema.
   */
  account?: AccountCallback | undefined;
  /**
   * `true`: the first sign-in with an account is linked to the user with the same email address. The provider must not
   * report the address as unverified. Default: `false`.
   */
  allowDangerousEmailAccountLinking?: boolean | undefined;
  /**
   * Decides about a new account whose address is not proven. `'refuse'` rejects it with `OAuthCreateAccount`. `'allow'`
   * creates the user with `emailVerified: null`. `'verify'` needs an email provider: a mail confirms the address first,
   * and then the visitor is sent to the provider once more. Otherwise the address's real owner could later join a user
   * that an attacker has made.
   *
   * Default: `'verify'` with an email provider. Without one, an unverified address is refused. An address of unknown
   * status is then refused if another provider links by address.
   */
  unverifiedEmail?: UnverifiedEmail | undefined;
  /**
   * How to read the claim `email_verified`. Not set: `true` is verified, another value is unverified, and without the
   * claim the status is unknown. `'always'`: an address without the claim is verified, too. `'claim'`: it is
   * unverified. `'never'`: the address is never verified. It does not link to a user, and without an adapter neither
   * user nor session has it. A function decides by the profile that `conformProfile` returned. Default: the provider's.
   *
   * @example
   * emailVerification: 'always'
   */
  emailVerification?: EmailVerification | EmailVerificationCallback<P> | undefined;
  /**
   * `true`: Auth.js v5 stored the ids of this vendor's accounts as numbers. An account that is not found by its id as a
   * string is then looked up by the number, too. An id that `profile` returns as a number is looked up the same way.
   * New accounts are stored with a string. Default: `false`.
   */
  numericAccountIds?: boolean | undefined;
  /**
   * Returns a second id, for vendors that can give an account's id to another person. The adapter stores it with the
   * account, as `session_state`. A later sign-in with another second id, or without one, is refused with
   * `AccountReassigned`. The adapter needs `getAccount`. Default: no second id.
   *
   * @example
   * stableId: (profile) => profile.uuid
   */
  stableId?: StableIdCallback<P> | undefined;
  /**
   * URL of the deployment that receives callbacks and forwards them to this one. Default:
   * `AuthConfig.redirectProxyUrl`.
   */
  redirectProxyUrl?: string | URL | undefined;
  /** Style of the button on the sign-in page. Default: the vendor's mark and color. */
  style?: OAuthProviderButtonStyles | undefined;
  /** `true`: request a refresh token, for the option `tokens`. Default: `false`. */
  offline?: boolean | undefined;
  /**
   * The additions of `offline: true`. `false`: the provider has no refresh tokens. Default: for OpenID Connect the
   * scope `offline_access` and `prompt=consent` (OpenID Connect Core §11), otherwise nothing.
   */
  offlineAccess?: OfflineAccess | false | undefined;
  /**
   * The APIs to which `tokens.fetch` may send access tokens: URLs, or origins in which `*.` stands for any subdomain.
   * Default: none.
   *
   * @example
   * apis: ['https://*.googleapis.com']
   */
  apis?: readonly string[] | undefined;
  /** Revocation endpoint (RFC 7009), or a function. Default: `revocation_endpoint` of the metadata. */
  revocation?: string | URL | RevocationRequest | undefined;
  /** Replaces the refresh request (RFC 6749 §6). Default: the engine sends it to the token endpoint. */
  refresh?: { request: RefreshRequest } | undefined;
  /** How the provider writes scopes in token responses. Default: separated by spaces, with their names. */
  scopes?: ScopeFormat | undefined;
  /** URL of the keys that sign ID tokens. Default: `jwks_uri` of the metadata. */
  jwks_endpoint?: string | URL | undefined;
  /** `authorization_details` of the authorization request (RFC 9396 §2). Default: none. */
  authorization_details?: JsonValue[] | undefined;
  /** Sends the requests to the provider. Default: the global `fetch`. */
  [customFetch]?: typeof fetch | undefined;
  /** `true`: endpoints may use plain http on any host. Default: `false`, http for loopback hosts only. */
  [allowInsecureIssuer]?: boolean | undefined;
  /** Internal: options that the application passed to the factory. They override the other members. */
  options?: OAuthUserConfig<P> | undefined;
}

/** A provider that supports OpenID Connect Core 1.0. */
export interface OIDCConfig<P> extends Omit<OAuth2Config<P>, 'type' | 'options' | 'checks'> {
  /** OpenID Connect, with an ID token. */
  type: 'oidc';
  /**
   * Protections of the authorization request. A `state` is always sent. Without `pkce` and `nonce`, also for `[]` and
   * `['none']`, it must come back, unless you configure your own `state` in `authorization`. Default: `['pkce']`.
   */
  checks?: OAuthChecks[] | undefined;
  /**
   * `true`: the profile consists of the claims of the ID token. If they lack those of the granted scopes `profile` and
   * `email`, the claims of the userinfo endpoint are added; a failure there is ignored. `false`: the profile
   * comes from the userinfo endpoint, and the ID token is still checked. Default: `true`.
   */
  idToken?: boolean | undefined;
  /**
   * Returns the `iss` that an ID token must have, for vendors with one issuer per tenant. `issuer` is the issuer in the
   * metadata, which may then differ from the configured one. `claims` are not verified yet. Default: `iss` must equal
   * the configured issuer.
   */
  tokenIssuer?: ((issuer: string, claims: Readonly<Record<string, unknown>>) => string) | undefined;
  /** Internal: options that the application passed to the factory. They override the other members. */
  options?: OIDCUserConfig<P> | undefined;
}

/** A provider of type `oauth` or `oidc`. */
export type OAuthConfig<P> = OIDCConfig<P> | OAuth2Config<P>;

/** Names of a provider's endpoints. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo';

/**
 * Options of the factory of an OAuth provider. The built-in factories return a configuration of `NoInfer<P>`. Otherwise
 * the type of a list of providers would make `P` and the parameter of `profile` `any`.
 */
export type OAuthUserConfig<P> = Omit<Partial<OAuthConfig<P>>, 'options' | 'type'>;

/** Options of the factory of an OIDC provider. */
export type OIDCUserConfig<P> = Omit<Partial<OIDCConfig<P>>, 'options' | 'type'>;

/** The standard claims (OpenID Connect Core §5.1) that the default `profile` reads. */
export interface OpenIDProfile {
  /** Identifier of the user at the issuer; becomes `providerAccountId`. */
  sub: string;
  /** Full name. */
  name?: string;
  /** Casual name. Used without `name`. */
  nickname?: string;
  /** User name. Used without `name` and `nickname`. */
  preferred_username?: string;
  /** Email address. */
  email?: string;
  /** Whether the provider has verified the address. */
  email_verified?: boolean;
  /** URL of a picture. */
  picture?: string;
  /** Any other claim. */
  [claim: string]: Untyped;
}

/**
 * Returns an OIDC provider whose endpoints and keys come from the metadata of its issuer.
 *
 * @param own Settings beside the metadata, such as the style of the button, checks or a fixed issuer.
 * @example openIDProvider('acme', 'Acme', options, { issuer: 'https://id.acme.example', style: { brandColor: '#123456' } })
 */
export function openIDProvider<P>(
  id: string,
  name: string,
  options: OIDCUserConfig<P>,
  own: OIDCUserConfig<P>,
): OIDCConfig<P> {
  return { ...own, id, name, type: 'oidc', options };
}

/** An endpoint with all defaults applied, as the engine uses it. Exported for type compatibility with Auth.js v5. */
export interface Endpoint<Handler extends { request?: unknown } = AuthorizationEndpointHandler> {
  /** `undefined` if the URL comes from the metadata. */
  url?: URL | undefined;
  /** HTTP method of the userinfo request of a provider of type `oauth`. Default: `GET`. */
  method?: 'GET' | 'POST' | undefined;
  /** Headers to add to each request to the endpoint. Default: none. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Query parameters of the configuration, in their order. */
  params: Readonly<Record<string, string>>;
  /** Makes the request in place of the engine. Default: the engine sends it. */
  request?: Handler['request'] | undefined;
  /**
   * Receives a copy of the response, and may return one that follows the standard. Default: the response is used as it
   * is.
   */
  conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined;
  /** The key that signs the client assertion of `private_key_jwt` (OpenID Connect Core §9). Default: none. */
  clientPrivateKey?: WebCryptoKey | PrivateKey | undefined;
}

/**
 * An OAuth or OIDC provider with all defaults applied, as the engine uses it. Exported for type compatibility with
 * Auth.js v5.
 */
export interface OAuthConfigInternal<P> {
  /** Id of the provider, as in the paths `signin/<id>` and `callback/<id>`. */
  id: string;
  /** Name of the provider for visitors. */
  name: string;
  /** `oidc`: the token response has an ID token, which is checked. `oauth`: it is not read. */
  type: 'oauth' | 'oidc';
  /** Client identifier (RFC 6749 §2.2). */
  clientId: string;
  /** Client secret (RFC 6749 §2.3.1). `undefined` for a public client, and for `private_key_jwt`. */
  clientSecret?: string | undefined;
  /** Client metadata of the configuration (RFC 7591 §2). Default: `{}`. */
  client: Partial<ClientMetadata>;
  /** Issuer URL. `undefined` for a plain OAuth provider with endpoints of its own. */
  issuer?: string | undefined;
  /** URL of the metadata. `undefined`: derived from {@link issuer}. */
  wellKnown?: string | undefined;
  /** The authorization endpoint (RFC 6749 §3.1), with the parameters of each request. */
  authorization: Endpoint;
  /** The token endpoint (RFC 6749 §3.2). */
  token: Endpoint<TokenEndpointHandler>;
  /** The userinfo endpoint (OpenID Connect Core §5.3). */
  userinfo: Endpoint<UserinfoEndpointHandler>;
  /** URL of the keys that sign ID tokens. `undefined`: `jwks_uri` of the metadata. */
  jwks_endpoint?: string | undefined;
  /** Protections of the authorization request, see {@link OAuth2Config.checks}. */
  checks: readonly OAuthChecks[];
  /** Maps the profile to a user, see {@link OAuth2Config.profile}. */
  profile: ProfileCallback<P>;
  /** Converts the vendor's profile first, see {@link OAuth2Config.conformProfile}. `undefined`: it is used as it is. */
  conformProfile?: ConformProfile<P> | undefined;
  /** Selects the tokens to store with the account, see {@link OAuth2Config.account}. */
  account: AccountCallback;
  /** Whether the profile comes from the ID token, see {@link OIDCConfig.idToken}. */
  idToken: boolean;
  /** Returns the `iss` that an ID token must have. `undefined`: the configured issuer. */
  tokenIssuer?: OIDCConfig<P>['tokenIssuer'];
  /** Whether a first sign-in joins the user with the same address. Default: `false`. */
  allowDangerousEmailAccountLinking: boolean;
  /** Decides about a new account whose address is not proven, see {@link OAuth2Config.unverifiedEmail}. */
  unverifiedEmail: UnverifiedEmail | undefined;
  /** How to read `email_verified`, see {@link OAuth2Config.emailVerification}. */
  emailVerification: EmailVerification | EmailVerificationCallback<P> | undefined;
  /** Whether accounts may be stored under a number, see {@link OAuth2Config.numericAccountIds}. */
  numericAccountIds: boolean;
  /** Returns a second id of the account, see {@link OAuth2Config.stableId}. `undefined`: no second id. */
  stableId?: StableIdCallback<P> | undefined;
  /** URL of the deployment that forwards callbacks to this one. `undefined`: no redirect proxy. */
  redirectProxyUrl?: string | undefined;
  /** The callback URL of this deployment, or of the redirect proxy. Auth.js v5 does not set it. */
  redirectUri?: string | undefined;
  /** Style of the provider's button on the sign-in page. */
  style?: OAuthProviderButtonStyles | undefined;
  /** The APIs to which `tokens.fetch` may send access tokens. `undefined`: none. */
  apis?: readonly string[] | undefined;
  /** Revocation endpoint (RFC 7009), or a function. `undefined`: `revocation_endpoint` of the metadata. */
  revocation?: URL | RevocationRequest | undefined;
  /** Replaces the refresh request (RFC 6749 §6). `undefined`: the engine sends it. */
  refresh?: { request: RefreshRequest } | undefined;
  /** How the provider writes scopes in token responses. `undefined`: as RFC 6749 §3.3 says. */
  scopes?: ScopeFormat | undefined;
  /** The additions to a request for a refresh token. `false`: the provider has no refresh tokens. */
  offlineAccess?: OfflineAccess | false | undefined;
  /** `true`: plain http is accepted on hosts other than loopback, too. */
  allowInsecure: boolean;
  /** The application's `customFetch` or the global `fetch`, with limits for time and size. */
  fetch: typeof fetch;
}

/** Exported for type compatibility with Auth.js v5. */
export type OIDCConfigInternal<P> = OAuthConfigInternal<P>;

/** The account of a sign-in with an OAuth or OIDC provider. */
export type OAuthAccount = Account & { type: 'oauth' | 'oidc' };
