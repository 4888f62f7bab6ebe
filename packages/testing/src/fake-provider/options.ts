import { customFetch } from '@latchkey/core';
import type { OAuth2Config, OIDCConfig } from '@latchkey/core/providers/oauth';
import type { Profile } from '@latchkey/core/types';
import type { JSONWebKeySet } from 'jose';

/** Signature algorithms of a {@link FakeProvider}'s ID tokens. */
export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'HS256';

/** How a client authenticates at the token endpoint (OpenID Connect Core §9). */
export type ClientAuthentication =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'none';

/** A client of a {@link FakeProvider}; member names as in RFC 7591. */
export interface FakeClient {
  /** Client identifier (RFC 6749 §2.2). */
  client_id: string;
  /** Required by the `client_secret_…` methods and by HS256. */
  client_secret?: string;
  /** Compared character by character. If it is absent, each redirect URI is accepted. */
  redirect_uris?: readonly string[];
  /** The one method that is accepted. Default: `client_secret_basic`. */
  token_endpoint_auth_method?: ClientAuthentication;
  /** Public keys for `private_key_jwt`. */
  jwks?: JSONWebKeySet;
}

/** A user who can sign in. Further members become claims, too. */
export interface FakeUser {
  /** Identifies the user (OpenID Connect Core §5.1). */
  sub: string;
  /** Full name, with the scope `profile`. */
  name?: string;
  /** Email address, with the scope `email`. */
  email?: string;
  /** Whether the provider has verified the address, with the scope `email`. */
  email_verified?: boolean;
  /** URL of a picture, with the scope `profile`. */
  picture?: string;
  /** A further claim of any type. */
  [claim: string]: unknown;
}

/** The endpoints of a {@link FakeProvider}; each is a path below the issuer or an absolute URL. */
export interface FakeEndpoints {
  /** The metadata (OpenID Connect Discovery §4). */
  discovery: string;
  /** The authorization endpoint (RFC 6749 §3.1). */
  authorization: string;
  /** The token endpoint (RFC 6749 §3.2). */
  token: string;
  /** The userinfo endpoint (OpenID Connect Core §5.3). */
  userinfo: string;
  /** The public keys that sign ID tokens (RFC 7517 §5). */
  jwks: string;
}

/** Options of {@link FakeProvider}; all have a default. */
export interface FakeProviderOptions {
  /** The issuer identifier, without a trailing slash. Default: `https://idp.test`. */
  issuer?: string;
  /** Default: one client `client` with the secret {@link DEFAULT_SECRET} and any redirect URI. */
  clients?: readonly FakeClient[];
  /** The first user signs in unless a test names another. Default: Ada, with a verified address. */
  users?: readonly FakeUser[];
  /**
   * The endpoints, for imitating a provider. Default: `/authorize`, `/token`, `/userinfo`, `/jwks` and the well-known
   * path.
   */
  endpoints?: Partial<FakeEndpoints>;
  /** Default: `RS256`. */
  signingAlgorithm?: SigningAlgorithm;
  /** Whether it issues ID tokens for the scope `openid`. `false` is a plain OAuth 2 provider. Default: true. */
  oidc?: boolean;
  /** Whether the callback carries `iss` (RFC 9207). Default: true. */
  issParameter?: boolean;
  /** Whether the userinfo endpoint answers with a signed token (OpenID Connect Core §5.3.2). Default: false. */
  signedUserinfo?: boolean;
  /** Whether requests without `code_challenge` are refused. Default: false. */
  requirePkce?: boolean;
  /** Whether tokens come with a `refresh_token`. Default: true. */
  refreshTokens?: boolean;
  /** Lifetime of an access token in seconds. Default: 3600. */
  accessTokenLifetime?: number;
  /** Lifetime of a code in seconds. Default: 60. */
  codeLifetime?: number;
  /** Default: the system's clock. */
  now?: () => Date;
  /** Handlers for further URLs, such as another API of the provider, by absolute URL without a query. */
  routes?: Readonly<Record<string, (request: Request) => Response | Promise<Response>>>;
}

/** {@link FakeProviderOptions} with every default filled in. */
export interface FakeProviderSettings extends Required<Omit<FakeProviderOptions, 'endpoints'>> {
  /** Absolute. */
  endpoints: FakeEndpoints;
  /** The user who signs in unless a test names another. */
  visitor: FakeUser;
}

/** The secret of the default client. HS256 requires at least 32 characters. */
export const DEFAULT_SECRET = 'fake-client-secret-for-tests-only-not-a-key';

/** The user who signs in by default. */
const ADA: FakeUser = {
  sub: 'ada-1815',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  picture: 'https://idp.test/ada.png',
};

/** Returns the options with defaults. Pure. */
export function settingsFor(options: FakeProviderOptions): FakeProviderSettings {
  const issuer = options.issuer ?? 'https://idp.test';
  const users = options.users ?? [ADA];
  const absolute = (endpoint: string): string => (endpoint.startsWith('/') ? `${issuer}${endpoint}` : endpoint);
  return {
    clients: [{ client_id: 'client', client_secret: DEFAULT_SECRET }],
    signingAlgorithm: 'RS256',
    oidc: true,
    issParameter: true,
    signedUserinfo: false,
    requirePkce: false,
    refreshTokens: true,
    accessTokenLifetime: 3600,
    codeLifetime: 60,
    now: () => new Date(),
    routes: {},
    ...options,
    issuer,
    users,
    visitor: users[0] ?? ADA,
    endpoints: {
      discovery: absolute(options.endpoints?.discovery ?? '/.well-known/openid-configuration'),
      authorization: absolute(options.endpoints?.authorization ?? '/authorize'),
      token: absolute(options.endpoints?.token ?? '/token'),
      userinfo: absolute(options.endpoints?.userinfo ?? '/userinfo'),
      jwks: absolute(options.endpoints?.jwks ?? '/jwks'),
    },
  };
}

/** Returns the entry for an application that uses OpenID Connect: with the issuer. */
export function asOidc(
  { issuer, clients, signingAlgorithm }: FakeProviderSettings,
  fetch: typeof globalThis.fetch,
  own: Partial<OIDCConfig<Profile>>,
): OIDCConfig<Profile> {
  const client = {
    ...(clients[0]?.token_endpoint_auth_method && {
      token_endpoint_auth_method: clients[0].token_endpoint_auth_method,
    }),
    ...(signingAlgorithm === 'HS256' && { id_token_signed_response_alg: signingAlgorithm }),
  };
  return {
    id: 'fake',
    name: 'Fake provider',
    type: 'oidc',
    issuer,
    clientId: clients[0]?.client_id,
    clientSecret: clients[0]?.client_secret,
    ...(Object.keys(client).length > 0 && { client }),
    [customFetch]: fetch,
    ...own,
  };
}

/** Returns the entry for an application that uses plain OAuth 2: with endpoints, without an issuer. */
export function asOAuth2(
  { clients, endpoints }: FakeProviderSettings,
  fetch: typeof globalThis.fetch,
  own: Partial<OAuth2Config<Profile>>,
): OAuth2Config<Profile> {
  const method = clients[0]?.token_endpoint_auth_method;
  return {
    id: 'fake',
    name: 'Fake provider',
    type: 'oauth',
    authorization: { url: endpoints.authorization, params: { scope: 'profile email' } },
    token: endpoints.token,
    userinfo: endpoints.userinfo,
    clientId: clients[0]?.client_id,
    clientSecret: clients[0]?.client_secret,
    ...(method && { client: { token_endpoint_auth_method: method } }),
    [customFetch]: fetch,
    ...own,
  };
}

/** Returns the discovery document (OpenID Connect Discovery §3, RFC 8414 §2). Pure. */
export function metadataOf(settings: FakeProviderSettings): Record<string, unknown> {
  const { issuer, endpoints, oidc, issParameter, signingAlgorithm, signedUserinfo } = settings;
  return {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    userinfo_endpoint: endpoints.userinfo,
    ...(oidc ? { jwks_uri: endpoints.jwks } : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    scopes_supported: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    ...(signedUserinfo ? { userinfo_signing_alg_values_supported: [signingAlgorithm] } : {}),
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'client_secret_jwt',
      'private_key_jwt',
      'none',
    ],
    token_endpoint_auth_signing_alg_values_supported: ['HS256', 'RS256', 'ES256', 'EdDSA'],
    code_challenge_methods_supported: ['S256', 'plain'],
    authorization_response_iss_parameter_supported: issParameter,
  };
}
