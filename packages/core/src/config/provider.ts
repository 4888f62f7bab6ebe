import { InvalidEndpoints } from '../errors.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import type { EmailConfig } from '../providers/email.ts';
import type { Provider, ProviderConfig } from '../providers/index.ts';
import type {
  AuthorizationEndpointHandler,
  Endpoint,
  OAuthConfig,
  OAuthConfigInternal,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from '../providers/oauth.ts';
import type { WebAuthnConfig } from '../providers/webauthn.ts';
import { allowInsecureIssuer, customFetch } from '../symbols.ts';
import type { Profile } from '../types.ts';
import { boundedFetch, globalFetch } from '../wire/bounded-fetch.ts';
import { limits } from './defaults.ts';
import { isPlainObject } from './merge.ts';
import { mergedProvider } from './merged-provider.ts';
import { ownOrForeign } from './own-or-foreign.ts';
import { defaultAccount, defaultProfile } from './provider-defaults.ts';
import { signInDefaults } from './sign-in-defaults.ts';

/** Where a provider's forms post to and its answers come back to. */
export interface ProviderUrls {
  signinUrl: string;
  callbackUrl: string;
}

/** How a provider's answers find their way back. */
export interface AnswerRoute {
  /** `redirect_uri` of the authorization request and of the token request. */
  readonly redirectUri: string;
  /** `via`: answers go to the redirect proxy, which hands them on to us. `self`: we are the proxy. */
  readonly proxy: 'none' | 'via' | 'self';
  /** The provider posts its answers from its own site (`response_mode=form_post`). */
  readonly formPost: boolean;
}

/** A provider of type `oauth` or `oidc`, ready for the engine. */
export type OAuthProvider = OAuthConfigInternal<Profile> & ProviderUrls & AnswerRoute;

/** Any provider, after its options were laid over its defaults. */
export type NormalProvider =
  | OAuthProvider
  | (EmailConfig & ProviderUrls)
  | (CredentialsConfig & ProviderUrls)
  | (WebAuthnConfig & ProviderUrls);

const normalised = new WeakMap<ProviderConfig, Map<string, NormalProvider>>();
const ADDRESSES = 16;

/**
 * The provider as the engine wants it, for one origin and mount path. Remembered.
 *
 * @param proxy The configuration's `redirectProxyUrl`.
 */
export function normalProvider(entry: Provider, base: string, proxy: string | undefined): NormalProvider {
  const provider = mergedProvider(entry);
  const byPlace = normalised.get(provider) ?? new Map<string, NormalProvider>();
  normalised.set(provider, byPlace);
  const place = `${base} ${proxy ?? ''}`;
  const known = byPlace.get(place);
  if (known) return known;
  const made = normalise(provider, base, proxy);
  if (byPlace.size >= ADDRESSES) byPlace.clear();
  byPlace.set(place, made);
  return made;
}

function normalise(provider: ProviderConfig, base: string, proxy: string | undefined): NormalProvider {
  const urls = {
    signinUrl: `${base}/signin/${provider.id}`,
    callbackUrl: `${base}/callback/${provider.id}`,
  };
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return withRoute({ ...oauthProvider(provider as OAuthConfig<Profile>), ...urls }, proxy);
    default:
      return { ...(provider as EmailConfig | CredentialsConfig | WebAuthnConfig), ...urls };
  }
}

function withRoute(provider: OAuthConfigInternal<Profile> & ProviderUrls, global: string | undefined): OAuthProvider {
  const { authorization, callbackUrl, checks, id } = provider;
  const mode = authorization.params.response_mode ?? authorization.url?.searchParams.get('response_mode');
  const formPost = mode === 'form_post';
  // What is posted across sites could not be handed on.
  const proxyUrl = formPost ? undefined : (provider.redirectProxyUrl ?? global);
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
  const base = ownOrForeign(provider, customFetch) as typeof fetch | undefined;
  const checks = provider.checks ?? [...signInDefaults.oauth.checks];
  return {
    id: provider.id,
    name: provider.name,
    type: provider.type,
    clientId: provider.clientId ?? '',
    clientSecret: provider.clientSecret,
    client: provider.client ?? {},
    issuer: provider.issuer,
    wellKnown: provider.wellKnown,
    authorization: withScope(endpoint(provider, 'authorization'), provider.authorization_details),
    token: endpoint(provider, 'token'),
    userinfo: endpoint(provider, 'userinfo'),
    jwks_endpoint: provider.jwks_endpoint,
    checks: checks.includes('none') ? checks.filter((check) => check === 'none') : checks,
    profile: provider.profile ?? defaultProfile,
    conformProfile: provider.conformProfile,
    account: provider.account ?? defaultAccount,
    idToken: 'idToken' in provider ? provider.idToken !== false : true,
    tokenIssuer: 'tokenIssuer' in provider ? provider.tokenIssuer : undefined,
    allowDangerousEmailAccountLinking: provider.allowDangerousEmailAccountLinking === true,
    unverifiedEmail: provider.unverifiedEmail,
    redirectProxyUrl: provider.redirectProxyUrl,
    style: provider.style,
    allowInsecure: ownOrForeign(provider, allowInsecureIssuer) === true,
    fetch: boundedFetch(base ?? globalFetch, { bytes: limits.remoteBytes, time: limits.remoteTime }),
  };
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

function endpointUrl(id: string, key: keyof Handlers, url: string | undefined): URL | undefined {
  if (!url) return undefined;
  try {
    return new URL(url);
  } catch (error) {
    throw new InvalidEndpoints(`provider "${id}": the ${key} address is no absolute URL. Begin it with https://`, {
      cause: error,
    });
  }
}

/** A function makes its value of the whole provider: the environment may have said the client id after the factory was called. */
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
  if (details) params.authorization_details ??= JSON.stringify(details);
  // An empty `scope` is a choice, too: some vendors want it so.
  if (params.scope === undefined && !authorization.url?.searchParams.has('scope'))
    params.scope = signInDefaults.oauth.scope;
  return { ...authorization, params };
}
