import type { JSONWebKeySet } from 'jose';

/** Signature algorithms of a {@link FakeProvider}'s ID tokens. */
export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'HS256';

/** How a client proves itself at the token endpoint (OpenID Connect Core §9). */
export type ClientAuthentication =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'none';

/** A client that a {@link FakeProvider} knows; member names as in RFC 7591. */
export interface FakeClient {
  client_id: string;
  /** Needed by the `client_secret_…` methods and by HS256. */
  client_secret?: string;
  /** Accepted exactly as written. When left out, every redirect URI is accepted. */
  redirect_uris?: readonly string[];
  /** The one method that is accepted. Default: `client_secret_basic`. */
  token_endpoint_auth_method?: ClientAuthentication;
  /** Public keys for `private_key_jwt`. */
  jwks?: JSONWebKeySet;
}

/** Someone who can sign in. Members other than these are passed on as claims too. */
export interface FakeUser {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  picture?: string;
  [claim: string]: unknown;
}

/** Where a {@link FakeProvider} answers; each a path below the issuer or an absolute URL. */
export interface FakeEndpoints {
  discovery: string;
  authorization: string;
  token: string;
  userinfo: string;
  jwks: string;
}

/** Options of {@link FakeProvider}; all have a default. */
export interface FakeProviderOptions {
  /** Its identifier, without a trailing slash. Default: `https://idp.test`. */
  issuer?: string;
  /** Default: one client `client` with the secret {@link DEFAULT_SECRET} and any redirect URI. */
  clients?: readonly FakeClient[];
  /** The first one signs in where a test names nobody. Default: Ada, whose address is verified. */
  users?: readonly FakeUser[];
  /** Where to answer; for posing as a certain provider. Default: `/authorize`, `/token`, `/userinfo`, `/jwks` and the well-known path. */
  endpoints?: Partial<FakeEndpoints>;
  /** Default: `RS256`. */
  signingAlgorithm?: SigningAlgorithm;
  /** Whether ID tokens are issued (to requests with the scope `openid`). `false` is a plain OAuth 2 provider. Default: true. */
  oidc?: boolean;
  /** Whether the callback carries `iss` (RFC 9207). Default: true. */
  issParameter?: boolean;
  /** Whether the userinfo endpoint answers with a signed token (OpenID Connect Core §5.3.2). Default: false. */
  signedUserinfo?: boolean;
  /** Whether requests without `code_challenge` are refused. Default: false. */
  requirePkce?: boolean;
  /** Whether tokens come with a `refresh_token`. Default: true. */
  refreshTokens?: boolean;
  /** Seconds an access token lives. Default: 3600. */
  accessTokenLifetime?: number;
  /** Seconds a code lives. Default: 60. */
  codeLifetime?: number;
  /** Default: the system's clock. */
  now?: () => Date;
  /** Answers for further URLs, such as another API of the provider: absolute URL without query → handler. */
  routes?: Readonly<Record<string, (request: Request) => Response | Promise<Response>>>;
}

/** {@link FakeProviderOptions} with every default filled in. */
export interface FakeProviderSettings extends Required<Omit<FakeProviderOptions, 'endpoints'>> {
  /** Absolute. */
  endpoints: FakeEndpoints;
  /** Who signs in where a test names nobody. */
  visitor: FakeUser;
}

/** The secret of the default client; 43 characters, as HS256 wants at least 32. */
export const DEFAULT_SECRET = 'fake-client-secret-for-tests-only-not-a-key';

/** The person who signs in by default. */
const ADA: FakeUser = {
  sub: 'ada-1815',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  picture: 'https://idp.test/ada.png',
};

/** Fills in the defaults. Pure. */
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
