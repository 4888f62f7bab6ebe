import type { allowInsecureIssuer, customFetch } from '../symbols.ts';
import type { Account, Awaitable, JsonValue, Profile, TokenSet, User } from '../types.ts';
import type { CommonProviderOptions } from './index.ts';

export type { OAuthProviderId } from './provider-types.ts';

/** Protections of one authorization request. */
export type OAuthChecks = 'none' | 'pkce' | 'state' | 'nonce';

type UrlParams = Record<string, unknown>;

/** A key of Web Crypto. Node's types have no global name for it. */
type WebCryptoKey = Parameters<typeof crypto.subtle.exportKey>[1];

/** A key of `private_key_jwt` client authentication, with the `kid` its assertion names. */
export interface PrivateKey {
  key: WebCryptoKey;
  kid?: string | undefined;
}

// The types of methods, here and below: what was declared with the types of another engine of the family has parameters that
// are a little narrower than ours.
type EndpointRequest<Context, Result, Params> = {
  call(
    context: Context & {
      /** The provider after normalisation. */
      provider: OAuthConfigInternal<Profile> & { signinUrl: string; callbackUrl: string };
      params?: Params | undefined;
    },
  ): Awaitable<Result>;
}['call'];

interface AdvancedEndpointHandler<P extends UrlParams, Context, Result> {
  /** Address of the endpoint; one that begins with `./` lies below the `issuer`. Absent: from the provider's metadata. */
  url?: string | undefined;
  /** Method of the userinfo request of a plain OAuth provider. Default: `GET`. */
  method?: 'GET' | 'POST' | undefined;
  /** Headers that our requests to the endpoint bear besides their own. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Query parameters of every request; object values are sent as JSON, and a function gets the provider and returns the value. */
  params?: P | undefined;
  /** Replaces the request altogether. */
  request?: EndpointRequest<Context, Result, P> | undefined;
  /** Gets a copy of the answer and may return one that follows the standard; nothing keeps the original. */
  conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined;
  /** For `client.token_endpoint_auth_method: 'private_key_jwt'`. */
  clientPrivateKey?: WebCryptoKey | PrivateKey | undefined;
}

/** An endpoint: its address, parameters and deviations. */
export type EndpointHandler<P extends UrlParams, Context = unknown, Result = unknown> = AdvancedEndpointHandler<
  P,
  Context,
  Result
>;

/** Parameters of an authorization request that have a type; any other may be given too. */
export interface AuthorizationParameters {
  response_type?: string;
  response_mode?: string;
  scope?: string;
  prompt?: string;
  audience?: string;
  [parameter: string]: unknown;
}

/** Where the visitor is sent to sign in. */
export type AuthorizationEndpointHandler = EndpointHandler<AuthorizationParameters & UrlParams>;

/** Where the code is exchanged for tokens. */
export type TokenEndpointHandler = EndpointHandler<
  UrlParams,
  {
    /** Parameters of the callback. */
    params: Record<string, string>;
    checks: { code_verifier?: string | undefined; state?: string | undefined; nonce?: string | undefined };
  },
  { tokens: TokenSet }
>;

/** Where the profile is fetched. */
export type UserinfoEndpointHandler = EndpointHandler<UrlParams, { tokens: TokenSet }, unknown>;

/** Maps what the provider tells to a user; the result must have an `id`. */
export type ProfileCallback<P> = { call(profile: P, tokens: TokenSet): Awaitable<User> }['call'];

/** What {@link OAuth2Config.conformProfile} may look at. */
export interface ConformContext {
  /** Parameters of the callback, as the visitor's browser brought them: whatever it likes. */
  params: Readonly<Record<string, string>>;
  /** Parameters of the authorization request as they are configured; what a single request added is not among them. */
  asked: Readonly<Record<string, string>>;
  tokens: TokenSet;
  /** The provider after normalisation; its `fetch` is bounded. */
  provider: OAuthConfigInternal<Profile>;
}

/** Puts a vendor's profile into the form that everything else works with, or refuses it. */
export type ConformProfile<P> = { call(profile: P, context: ConformContext): Awaitable<P> }['call'];

/** Picks what of the token response is stored with the account. */
export type AccountCallback = { call(tokens: TokenSet): TokenSet | undefined | void }['call'];

/** Look of the provider's button. */
export interface OAuthProviderButtonStyles {
  /** Address of an image, shown instead of `icon`. */
  logo?: string | undefined;
  /** CSS colour. */
  brandColor?: string | undefined;
  /** Path data (SVG `d`) of a 24 × 24 mark, drawn on `brandColor`. Default: the first letter of the name. */
  icon?: string | undefined;
  /** @deprecated ignored */
  text?: string | undefined;
  /** @deprecated use `brandColor` */
  bg?: string | undefined;
}

/** Registration data of the client (RFC 7591 §2) that change how the engine talks to the provider. */
export interface ClientMetadata {
  token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'none'
    | string
    | undefined;
  id_token_signed_response_alg?: string | undefined;
  userinfo_signed_response_alg?: string | undefined;
  require_auth_time?: boolean | undefined;
  /** Seconds. */
  default_max_age?: number | undefined;
  use_mtls_endpoint_aliases?: boolean | undefined;
  [member: string]: JsonValue | undefined;
}

/** A provider that speaks OAuth 2 (RFC 6749, authorization code). */
export interface OAuth2Config<P> extends CommonProviderOptions {
  type: 'oauth';
  /** Base of the metadata; compared with the `iss` parameter of the callback (RFC 9207). */
  issuer?: string | undefined;
  /** Address of the metadata where it is not `<issuer>/.well-known/openid-configuration`. */
  wellKnown?: string | undefined;
  authorization?: string | AuthorizationEndpointHandler | undefined;
  token?: string | TokenEndpointHandler | undefined;
  userinfo?: string | UserinfoEndpointHandler | undefined;
  /** Default: `['pkce']`. A `state` is sent in any case. */
  checks?: Exclude<OAuthChecks, 'nonce'>[] | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  client?: Partial<ClientMetadata> | undefined;
  /** Default: id, name, email and image from the standard claims. */
  profile?: ProfileCallback<P> | undefined;
  /**
   * Gets the vendor's profile before anything looks at it, whatever `profile` is, and returns the one that counts: says
   * `email_verified` in the standard's word, adds what is elsewhere, or throws `AccessDenied` when the visitor does not fit
   * what the configuration asks for (a domain, a tenant), which the vendor gets as a hint only.
   */
  conformProfile?: ConformProfile<P> | undefined;
  /** Default: the seven members that the reference schema has columns for. */
  account?: AccountCallback | undefined;
  /** Default: `false`. Links a first sign-in to the user who has the same (not unverified) address. */
  allowDangerousEmailAccountLinking?: boolean | undefined;
  /**
   * What a first sign-in does whose provider says `email_verified: false`. `unshared`: allows it where nothing else in the
   * configuration opens a user by address (mailed links, `allowDangerousEmailAccountLinking`); its owner would join whoever
   * came first. Default: `'refuse'`.
   */
  unverifiedEmail?: 'refuse' | 'allow' | 'unshared' | undefined;
  redirectProxyUrl?: string | undefined;
  style?: OAuthProviderButtonStyles | undefined;
  /** Address of the keys that sign ID tokens, where the metadata do not tell. */
  jwks_endpoint?: string | undefined;
  /** `authorization_details` of the authorization request (RFC 9396). */
  authorization_details?: JsonValue[] | undefined;
  [customFetch]?: typeof fetch | undefined;
  [allowInsecureIssuer]?: boolean | undefined;
  /** What the application passed to the factory; overrides the members beside it. */
  options?: OAuthUserConfig<P> | undefined;
}

/** A provider that speaks OpenID Connect. */
export interface OIDCConfig<P> extends Omit<OAuth2Config<P>, 'type' | 'options' | 'checks'> {
  type: 'oidc';
  /** Default: `['pkce']`. A `state` is sent in any case. */
  checks?: OAuthChecks[] | undefined;
  /** `false`: the profile comes from the userinfo endpoint; the ID token is checked all the same. */
  idToken?: boolean | undefined;
  /**
   * For vendors with an issuer per tenant: the `iss` that an ID token with these (yet unchecked) claims must have. `issuer` is
   * the one that the metadata name, which are then not compared with the configured one.
   */
  tokenIssuer?: ((issuer: string, claims: Readonly<Record<string, unknown>>) => string) | undefined;
  options?: OIDCUserConfig<P> | undefined;
}

/** Either of both. */
export type OAuthConfig<P> = OIDCConfig<P> | OAuth2Config<P>;

/** Endpoints of a provider. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo';

/**
 * What an application may pass to the factory of an OAuth provider. Ours return a configuration of `NoInfer<P>`: in a list of
 * providers, which takes any profile, `P` would otherwise be `any`, and so would be what `profile` gets.
 */
export type OAuthUserConfig<P> = Omit<Partial<OAuthConfig<P>>, 'options' | 'type'>;

/** What an application may pass to the factory of an OIDC provider. */
export type OIDCUserConfig<P> = Omit<Partial<OIDCConfig<P>>, 'options' | 'type'>;

/** An endpoint after normalisation; `url` is absent where the metadata tell it. */
export interface Endpoint<Handler extends { request?: unknown } = AuthorizationEndpointHandler> {
  url?: URL | undefined;
  method?: 'GET' | 'POST' | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Query parameters from the configuration, in their order. */
  params: Readonly<Record<string, string>>;
  request?: Handler['request'] | undefined;
  conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined;
  clientPrivateKey?: WebCryptoKey | PrivateKey | undefined;
}

/** An OAuth or OIDC provider after normalisation. */
export interface OAuthConfigInternal<P> {
  id: string;
  name: string;
  type: 'oauth' | 'oidc';
  clientId: string;
  clientSecret?: string | undefined;
  client: Partial<ClientMetadata>;
  issuer?: string | undefined;
  wellKnown?: string | undefined;
  authorization: Endpoint;
  token: Endpoint<TokenEndpointHandler>;
  userinfo: Endpoint<UserinfoEndpointHandler>;
  jwks_endpoint?: string | undefined;
  checks: readonly OAuthChecks[];
  profile: ProfileCallback<P>;
  conformProfile?: ConformProfile<P> | undefined;
  account: AccountCallback;
  idToken: boolean;
  tokenIssuer?: OIDCConfig<P>['tokenIssuer'];
  allowDangerousEmailAccountLinking: boolean;
  /** `undefined`: nobody has said; as `refuse` where there is a store. */
  unverifiedEmail: 'refuse' | 'allow' | 'unshared' | undefined;
  redirectProxyUrl?: string | undefined;
  /** Where visitors come back: the callback address, or that of the redirect proxy. Other engines of the family do not tell it. */
  redirectUri?: string | undefined;
  style?: OAuthProviderButtonStyles | undefined;
  /** Plain http is accepted although the host is not loopback. */
  allowInsecure: boolean;
  /** Bounded in time and size; the application's `customFetch` is inside. */
  fetch: typeof fetch;
}

/** Kept for type compatibility with the Auth.js v5 family. */
export type OIDCConfigInternal<P> = OAuthConfigInternal<P>;

/** Ids accepted by {@link Account.provider} of an OAuth sign-in. */
export type OAuthAccount = Account & { type: 'oauth' | 'oidc' };
