import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { INTERACTION_PATH } from './interaction.ts';
import type { KoaContext } from './library.ts';
import { memoryStores } from './memory-store.ts';
import { factsPage, logoutPage, pageHeaders } from './pages.ts';
import type { OidcUser } from './users.ts';

/** A client of the provider; members as in RFC 7591, further ones are passed on. */
export interface OidcClient {
  client_id: string;
  client_secret?: string;
  redirect_uris: readonly string[];
  /** Where sign-out may lead back to. */
  post_logout_redirect_uris?: readonly string[];
  /** Default: `client_secret_basic`. */
  token_endpoint_auth_method?: string;
  [metadata: string]: unknown;
}

/** What {@link configurationFor} turns into the package's configuration. */
export interface ConfigurationRequest {
  readonly clients: readonly OidcClient[];
  readonly users: readonly OidcUser[];
  readonly issuer: string;
  readonly requirePkce: boolean;
  readonly claimsInIdToken: boolean;
}

/** Lifetimes in seconds: an hour for what a visitor is about to use, a day for what stays. */
const ttl = {
  AccessToken: 3600,
  AuthorizationCode: 60,
  ClientCredentials: 3600,
  Grant: 86_400,
  IdToken: 3600,
  Interaction: 3600,
  RefreshToken: 86_400,
  Session: 86_400,
};

/** The configuration of the npm package. Every default that it would print a notice about is set. */
export async function configurationFor(request: ConfigurationRequest): Promise<Record<string, unknown>> {
  const { users, issuer } = request;
  return {
    adapter: memoryStores(),
    clients: request.clients.map((client) => ({ grant_types: ['authorization_code', 'refresh_token'], ...client })),
    jwks: { keys: [await signingKey('RS256'), await signingKey('ES256')] },
    ttl,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !request.claimsInIdToken,
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'HS256'] },
    // Cookies are shared by all ports of a host: these names cannot meet those of the application.
    cookies: {
      keys: [randomBytes(32).toString('hex')],
      names: { session: 'op.session', interaction: 'op.interaction', resume: 'op.resume' },
    },
    pkce: { required: () => request.requirePkce },
    findAccount: (_context: unknown, sub: string) => accountOf(users, issuer, sub),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${INTERACTION_PATH}${uid}` },
    clientBasedCORS: () => true,
    features: {
      devInteractions: { enabled: false },
      jwtUserinfo: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: KoaContext, form: string) => show(context, logoutPage(form)),
        postLogoutSuccessSource: (context: KoaContext) => show(context, factsPage('You are signed out', {})),
      },
    },
    renderError: (context: KoaContext, facts: Readonly<Record<string, unknown>>) =>
      show(context, factsPage('That did not work', facts)),
  };
}

function accountOf(users: readonly OidcUser[], issuer: string, sub: string): object | undefined {
  const user = users.find((one) => one.sub === sub);
  if (!user) return undefined;
  const { name, email, email_verified, picture = `${issuer}/avatar/${encodeURIComponent(sub)}.svg` } = user;
  return { accountId: sub, claims: () => ({ sub, name, email, email_verified, picture }) };
}

function show(context: KoaContext, html: string): void {
  context.set(pageHeaders);
  context.body = html;
}

async function signingKey(alg: string): Promise<object> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  // Never the id of an earlier start's key: clients remember keys by it.
  const kid = `${alg.toLowerCase()}-${randomBytes(6).toString('hex')}`;
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}
