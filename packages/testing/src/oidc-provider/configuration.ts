import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { factsPage, INTERACTION_PATH, logoutPage, pageHeaders } from './interaction.ts';
import type { KoaContext } from './library.ts';

/** A client of the provider; members as in RFC 7591. */
export interface OidcClient {
  /** Client identifier (RFC 6749 §2.2). */
  client_id: string;
  /** Client secret. Absent for a public client with `token_endpoint_auth_method: 'none'`. */
  client_secret?: string;
  /** The callback URLs, compared character by character: `http://localhost:3000/auth/callback/local`. */
  redirect_uris: readonly string[];
  /** The addresses to which sign-out may redirect. */
  post_logout_redirect_uris?: readonly string[];
  /** The address to which the provider posts logout tokens, with the option `backchannelLogout`. */
  backchannel_logout_uri?: string;
  /** Whether logout tokens and ID tokens have `sid`. Default: false. */
  backchannel_logout_session_required?: boolean;
  /** Default: `client_secret_basic`. */
  token_endpoint_auth_method?: string;
  /** Any other client metadata of the npm package `oidc-provider`. */
  [metadata: string]: unknown;
}

/** The arguments of {@link configurationFor}. */
interface ConfigurationRequest {
  readonly clients: readonly OidcClient[];
  readonly users: readonly OidcUser[];
  readonly issuer: string;
  readonly requirePkce: boolean;
  readonly claimsInIdToken: boolean;
  readonly rpInitiatedLogout: boolean;
  readonly backchannelLogout: boolean;
  readonly rotateRefreshTokens: boolean;
}

/** Lifetimes in seconds: an hour for codes and interactions, a day for sessions and grants. */
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

/** Returns the configuration of the npm package. It sets each default about which the package would print a notice. */
export async function configurationFor(request: ConfigurationRequest): Promise<Record<string, unknown>> {
  const { users, issuer } = request;
  return {
    adapter: memoryStores(),
    clients: request.clients.map((client) => ({ grant_types: ['authorization_code', 'refresh_token'], ...client })),
    jwks: { keys: [await signingKey('RS256'), await signingKey('ES256')] },
    ttl,
    scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'picture'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    conformIdTokenClaims: !request.claimsInIdToken,
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'HS256'] },
    // All ports of a host share their cookies: these names must differ from those of the application.
    cookies: {
      keys: [randomBytes(32).toString('hex')],
      names: { session: 'op.session', interaction: 'op.interaction', resume: 'op.resume' },
    },
    pkce: { required: () => request.requirePkce },
    findAccount: (_context: unknown, sub: string) => accountOf(users, issuer, sub),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${INTERACTION_PATH}${uid}` },
    // The default of the npm package rotates only some of them.
    ...(request.rotateRefreshTokens && { rotateRefreshToken: () => true }),
    clientBasedCORS: () => true,
    fetch: loopbackFetch,
    features: {
      devInteractions: { enabled: false },
      jwtUserinfo: { enabled: true },
      revocation: { enabled: true },
      backchannelLogout: { enabled: request.backchannelLogout },
      rpInitiatedLogout: {
        enabled: request.rpInitiatedLogout,
        logoutSource: (context: KoaContext, form: string) => show(context, logoutPage(form)),
        postLogoutSuccessSource: (context: KoaContext) => show(context, factsPage('You are signed out', {})),
      },
    },
    renderError: (context: KoaContext, facts: Readonly<Record<string, unknown>>) =>
      show(context, factsPage('The request failed', facts)),
  };
}

/** The package refuses connections to private addresses. The clients of this provider have no others. */
function loopbackFetch(
  url: string,
  { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown },
): Promise<Response> {
  return fetch(url, options);
}

function accountOf(users: readonly OidcUser[], issuer: string, sub: string): object | undefined {
  const user = users.find((one) => one.sub === sub);
  if (!user) return undefined;
  const { name, email, email_verified, groups, picture = `${issuer}/avatar/${encodeURIComponent(sub)}.svg` } = user;
  return { accountId: sub, claims: () => ({ sub, name, email, email_verified, groups, picture }) };
}

function show(context: KoaContext, html: string): void {
  context.set(pageHeaders);
  context.body = html;
}

async function signingKey(alg: string): Promise<object> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  // Not the id of an earlier key: clients cache keys by their ids.
  const kid = `${alg.toLowerCase()}-${randomBytes(6).toString('hex')}`;
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

/** One stored record of the provider. */
interface Entry {
  readonly payload: Record<string, unknown>;
  /** Unix time in milliseconds; absent if the record does not expire. */
  readonly expires: number | undefined;
}

/** The storage interface of the npm package; one instance for each kind of record. */
export interface MemoryStore {
  upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Record<string, unknown> | undefined>;
  findByUid(uid: string): Promise<Record<string, unknown> | undefined>;
  findByUserCode(userCode: string): Promise<Record<string, unknown> | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/**
 * Makes a storage in memory for one provider. The package's own storage is shared by all providers of a process and
 * prints a warning.
 */
function memoryStores(): (kind: string) => MemoryStore {
  const everything = new Map<string, Entry>();
  return (kind) => memoryStore(kind, everything);
}

function memoryStore(kind: string, everything: Map<string, Entry>): MemoryStore {
  const alive = (entry: Entry | undefined): entry is Entry =>
    entry !== undefined && (entry.expires ?? Number.POSITIVE_INFINITY) > Date.now();
  const findBy = (member: string, value: string): Record<string, unknown> | undefined =>
    [...everything].find(
      ([key, entry]) => key.startsWith(`${kind}:`) && entry.payload[member] === value && alive(entry),
    )?.[1].payload;
  return {
    async upsert(id, payload, expiresIn) {
      everything.set(`${kind}:${id}`, { payload, expires: expiresIn ? Date.now() + expiresIn * 1000 : undefined });
    },
    async find(id) {
      const entry = everything.get(`${kind}:${id}`);
      return alive(entry) ? entry.payload : undefined;
    },
    async findByUid(uid) {
      return findBy('uid', uid);
    },
    async findByUserCode(userCode) {
      return findBy('userCode', userCode);
    },
    async consume(id) {
      const entry = everything.get(`${kind}:${id}`);
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      everything.delete(`${kind}:${id}`);
    },
    async revokeByGrantId(grantId) {
      // Only records of this kind: an interaction also refers to the grant, and must not be deleted.
      for (const [key, { payload }] of everything) {
        if (key.startsWith(`${kind}:`) && payload.grantId === grantId) everything.delete(key);
      }
    },
  };
}

/** A user of the provider of {@link startOidcProvider}. */
export interface OidcUser {
  /** The login name. The email address works, too. Case does not matter. */
  login: string;
  /** The password in plain text. The user types it into the provider's form. */
  password: string;
  /** Claim `sub`: identifies the user (OpenID Connect Core §5.1). */
  sub: string;
  /** Claim `name`, with the scope `profile`. */
  name: string;
  /** Claim `email`, with the scope `email`. */
  email: string;
  /** Claim `email_verified`, with the scope `email`. */
  email_verified: boolean;
  /** Claim `groups`, with the scope `groups`, as many providers of companies send it. Default: no claim. */
  groups?: readonly string[];
  /** Default: an image with the initials, which the provider serves. */
  picture?: string;
}

/** The default users: two with a verified address, one without. */
export const defaultUsers: readonly OidcUser[] = [
  {
    login: 'ada',
    password: 'password',
    sub: 'user-ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    email_verified: true,
  },
  {
    login: 'grace',
    password: 'password',
    sub: 'user-grace',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    email_verified: true,
  },
  {
    login: 'kim',
    password: 'password',
    sub: 'user-kim',
    name: 'Kim Unverified',
    email: 'kim@example.com',
    email_verified: false,
  },
];

/** Returns the user with this login or address and password; `null` if no user has them. Pure. */
export function findUser(users: readonly OidcUser[], login: string, password: string): OidcUser | null {
  const typed = login.trim().toLowerCase();
  const found = users.find((user) => user.login.toLowerCase() === typed || user.email.toLowerCase() === typed);
  return found && found.password === password ? found : null;
}

/** Returns an SVG image with the initials of a name. Pure. */
export function avatar(name: string): string {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) =>
      word
        .replace(/[^\p{L}\p{N}]/gu, '')
        .slice(0, 1)
        .toUpperCase(),
    )
    .join('');
  const hue = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 7);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 45% 40%)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="38" font-weight="600" text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`;
}
