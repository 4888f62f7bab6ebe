import { InvalidEndpoints } from '../errors.ts';
import { isPlainObject } from '../plain-object.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import type { EmailConfig } from '../providers/email.ts';
import type { Provider, ProviderConfig } from '../providers/index.ts';
import type {
  AuthorizationEndpointHandler,
  Endpoint,
  OAuthConfig,
  OAuthConfigInternal,
  OfflineAccess,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from '../providers/oauth.ts';
import type { WebAuthnConfig } from '../providers/webauthn.ts';
import { allowInsecureIssuer, customFetch } from '../symbols.ts';
import type { Profile, TokenSet, User } from '../types/user.ts';
import { boundedFetch, globalFetch } from '../wire/bounded-fetch.ts';
import { defaults, limits } from './defaults.ts';
import { readableProviders, symbolMember, withOptions } from './provider-options.ts';
import { perBase, type Settings } from './settings.ts';

/** Where the sign-in form of a provider posts to, and where the provider redirects to. */
export interface ProviderUrls {
  signinUrl: string;
  callbackUrl: string;
}

/** How a provider's authorization response reaches this deployment. */
export interface AnswerRoute {
  /** `redirect_uri` of the authorization request and of the token request. */
  readonly redirectUri: string;
  /**
   * `via`: the provider redirects to the redirect proxy, which forwards to this deployment. `self`: this deployment is
   * the proxy.
   */
  readonly proxy: 'none' | 'via' | 'self';
  /** The provider posts its response from its own site (`response_mode=form_post`). */
  readonly formPost: boolean;
}

/** A resolved provider of type `oauth` or `oidc`. */
export type OAuthProvider = OAuthConfigInternal<Profile> & ProviderUrls & AnswerRoute;

/** A provider with the application's options laid over its defaults, and with its addresses. */
export type ResolvedProvider =
  | OAuthProvider
  | (EmailConfig & ProviderUrls)
  | (CredentialsConfig & ProviderUrls)
  | (WebAuthnConfig & ProviderUrls);

/** A provider as pages and lists show it. Its endpoints may be unusable. */
export type ListedProvider = ProviderConfig & ProviderUrls;

/** Returns the providers that a request can name, for one origin and base path. Remembered. */
export const providersOf: (settings: Settings, base: string) => readonly ListedProvider[] = perBase(
  ({ config }, base) => readableProviders(config).map((provider) => ({ ...provider, ...urlsOf(provider, base) })),
);

/** Returns the name by which pages and mails call a provider; `undefined` if the provider is not configured. */
export function nameOfProvider(settings: Settings, id: string, base: string): string | undefined {
  const provider = providersOf(settings, base).find((one) => one.id === id);
  return provider && (provider.name || id);
}

const resolvedById = perBase((_settings, _base) => new Map<string, ResolvedProvider>());

/**
 * Returns the provider with an id; `undefined` if it is not configured. Remembered. The other providers are not
 * resolved, so their mistakes do not matter.
 *
 * @throws {Error} if an option of this provider cannot be used.
 */
export function providerOf(settings: Settings, id: string, base: string): ResolvedProvider | undefined {
  const resolved = resolvedById(settings, base);
  const known = resolved.get(id);
  if (known) return known;
  const listed = providersOf(settings, base).find((provider) => provider.id === id);
  if (!listed) return undefined;
  const made = resolveProvider(listed, base, settings.config.redirectProxyUrl);
  resolved.set(id, made);
  return made;
}

/**
 * How the owner of an address can join the user that has it. If an attacker has made that user under the owner's
 * address, both share it.
 */
export interface WaysByAddress {
  /** A provider mails links. */
  readonly hasEmailProvider: boolean;
  /** A provider has `allowDangerousEmailAccountLinking`. */
  readonly linksByAddress: boolean;
}

/** Returns how the providers of a configuration let the owner of an address join the user that has it. */
export function waysByAddress(settings: Settings, base: string): WaysByAddress {
  const providers = providersOf(settings, base);
  return {
    hasEmailProvider: providers.some(({ type }) => type === 'email'),
    linksByAddress: providers.some(
      (one) => 'allowDangerousEmailAccountLinking' in one && one.allowDangerousEmailAccountLinking === true,
    ),
  };
}

/**
 * Resolves an entry of `providers`: lays its options over its defaults, and adds its addresses below `base`.
 *
 * @param base Origin and base path.
 * @param proxy The configuration's `redirectProxyUrl`.
 */
export function resolveProvider(entry: Provider, base: string, proxy: string | undefined): ResolvedProvider {
  const provider = withOptions(entry);
  const urls = urlsOf(provider, base);
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return withRoute({ ...oauthProvider(provider), ...urls }, proxy);
    default:
      return { ...provider, ...urls };
  }
}

function urlsOf({ id }: ProviderConfig, base: string): ProviderUrls {
  return { signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` };
}

function withRoute(provider: OAuthConfigInternal<Profile> & ProviderUrls, proxy: string | undefined): OAuthProvider {
  const { authorization, callbackUrl, checks, id } = provider;
  const mode = authorization.params.response_mode ?? authorization.url?.searchParams.get('response_mode');
  const formPost = mode === 'form_post';
  // The redirect proxy forwards query parameters only; a posted form would be lost.
  const proxyUrl = formPost ? undefined : (provider.redirectProxyUrl ?? proxy);
  if (!proxyUrl) return { ...provider, redirectUri: callbackUrl, proxy: 'none', formPost };
  const redirectUri = `${proxyUrl.replace(/\/$/, '')}/callback/${id}`;
  return {
    ...provider,
    redirectUri,
    proxy: new URL(redirectUri).origin === new URL(callbackUrl).origin ? 'self' : 'via',
    formPost,
    checks: checks.includes('state') ? checks : [...checks.filter((check) => check !== 'none'), 'state'],
  };
}

function oauthProvider(provider: OAuthConfig<Profile>): OAuthConfigInternal<Profile> {
  const base = symbolMember(provider, customFetch) as typeof fetch | undefined;
  const checks = provider.checks ?? [...defaults.oauth.checks];
  return {
    id: provider.id,
    name: provider.name,
    type: provider.type,
    clientId: provider.clientId ?? '',
    clientSecret: provider.clientSecret,
    client: provider.client ?? {},
    issuer: provider.issuer,
    wellKnown: addressOf(provider.wellKnown),
    authorization: withOffline(
      provider,
      withScope(endpoint(provider, 'authorization'), provider.authorization_details),
    ),
    token: endpoint(provider, 'token'),
    userinfo: endpoint(provider, 'userinfo'),
    jwks_endpoint: addressOf(provider.jwks_endpoint),
    checks: checks.includes('none') ? checks.filter((check) => check === 'none') : checks,
    profile: provider.profile ?? defaultProfile,
    conformProfile: provider.conformProfile,
    account: provider.account ?? defaultAccount,
    idToken: 'idToken' in provider ? provider.idToken !== false : true,
    tokenIssuer: 'tokenIssuer' in provider ? provider.tokenIssuer : undefined,
    allowDangerousEmailAccountLinking: provider.allowDangerousEmailAccountLinking === true,
    unverifiedEmail: provider.unverifiedEmail,
    emailVerification: provider.emailVerification,
    numericAccountIds: provider.numericAccountIds === true,
    stableId: provider.stableId,
    redirectProxyUrl: addressOf(provider.redirectProxyUrl),
    style: provider.style,
    apis: provider.apis,
    offlineAccess: provider.offline === true ? offlineAccessOf(provider) : undefined,
    revocation: revocationOf(provider.revocation),
    refresh: provider.refresh,
    scopes: provider.scopes,
    allowInsecure: symbolMember(provider, allowInsecureIssuer) === true,
    fetch: boundedFetch(base ?? globalFetch, { bytes: limits.remoteBytes, time: limits.remoteTime }),
  };
}

function addressOf(address: string | URL | undefined): string | undefined {
  return typeof address === 'string' ? address : address?.toString();
}

interface Handlers {
  authorization: AuthorizationEndpointHandler;
  token: TokenEndpointHandler;
  userinfo: UserinfoEndpointHandler;
}

function endpoint<K extends keyof Handlers>(provider: OAuthConfig<Profile>, key: K): Endpoint<Handlers[K]> {
  const given = provider[key] as Handlers[K] | undefined;
  if (!given) return { params: {} };
  return {
    url: endpointUrl(provider.id, key, given.url),
    method: given.method,
    headers: given.headers,
    params: parameters(given.params, provider),
    request: given.request,
    conform: given.conform,
    clientPrivateKey: given.clientPrivateKey,
  };
}

function endpointUrl(id: string, key: keyof Handlers, url: string | URL | undefined): URL | undefined {
  if (!url) return undefined;
  try {
    return new URL(url);
  } catch (error) {
    throw new InvalidEndpoints(`provider "${id}": the ${key} address is not an absolute URL. Begin it with https://`, {
      cause: error,
    });
  }
}

/**
 * Returns the query parameters. A parameter that is a function gets the whole provider, whose client id may come from
 * the environment.
 */
function parameters(
  params: Record<string, unknown> | undefined,
  provider: OAuthConfig<Profile>,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, given] of Object.entries(params ?? {})) {
    const value: unknown = typeof given === 'function' ? given(provider) : given;
    if (value === undefined || value === null) continue;
    result[name] = isPlainObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  }
  return result;
}

function withScope(authorization: Endpoint, details: unknown[] | undefined): Endpoint {
  const params: Record<string, string> = { ...authorization.params };
  const named = authorization.url?.searchParams;
  if (details && !named?.has('authorization_details')) params.authorization_details ??= JSON.stringify(details);
  // `??=` keeps an empty `scope`, which some vendors need.
  if (!named?.has('scope')) params.scope ??= defaults.oauth.scope;
  return { ...authorization, params };
}

/** The default for OpenID providers (OpenID Connect Core §11). */
const OPENID_OFFLINE: OfflineAccess = { scope: 'offline_access', params: { prompt: 'consent' } };

function offlineAccessOf({ offlineAccess, type }: OAuthConfig<Profile>): OfflineAccess | false {
  return offlineAccess ?? (type === 'oidc' ? OPENID_OFFLINE : {});
}

/** Adds what the provider requires for a refresh token. Configured parameters win. */
function withOffline(provider: OAuthConfig<Profile>, authorization: Endpoint): Endpoint {
  if (provider.offline !== true) return authorization;
  const { scope, params } = offlineAccessOf(provider) || {};
  const { url } = authorization;
  const named = new Set(url?.searchParams.keys());
  const added = Object.entries(params ?? {}).filter(([name]) => !named.has(name));
  const all: Record<string, string> = { ...Object.fromEntries(added), ...authorization.params };
  if (scope === undefined) return { ...authorization, params: all };
  const present = all['scope'] ?? url?.searchParams.get('scope') ?? '';
  return { ...authorization, params: { ...all, scope: joinScopes(present.split(/\s+/), scope.split(' ')) } };
}

/** Joins lists of scopes, each of which occurs once. */
export function joinScopes(...lists: readonly (readonly string[])[]): string {
  return [...new Set(lists.flat().filter(Boolean))].join(' ');
}

function revocationOf(given: OAuthConfig<Profile>['revocation']): OAuthConfigInternal<Profile>['revocation'] {
  return typeof given === 'string' ? new URL(given) : given;
}

/**
 * Returns the user that the standard claims describe (OpenID Connect Core §5.1). A profile without an id is refused
 * later.
 */
export function defaultProfile(profile: Profile): User {
  return present({
    id: text(profile.sub ?? profile.id, Number.isSafeInteger),
    name: text(profile.name ?? profile.nickname ?? profile.preferred_username),
    email: text(profile.email),
    image: text(profile.picture),
  });
}

/**
 * Returns the members of a token response that are stored with the account: those for which the Auth.js v5 schema has
 * columns.
 */
export function defaultAccount(tokens: TokenSet): TokenSet {
  return present({
    access_token: tokens.access_token,
    id_token: tokens.id_token,
    refresh_token: tokens.refresh_token,
    expires_at: tokens.expires_at,
    scope: tokens.scope,
    token_type: tokens.token_type,
    session_state: tokens.session_state,
  });
}

/** Returns a claim as text; `undefined` unless it is a string or an accepted number. */
function text(value: unknown, accepts: (value: number) => boolean = Number.isFinite): string | undefined {
  if (typeof value === 'number') return accepts(value) ? String(value) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function present<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
