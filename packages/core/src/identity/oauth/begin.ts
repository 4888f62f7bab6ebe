import { limits } from '../../config/defaults.ts';
import { type OAuthProvider, waysByAddress } from '../../config/provider.ts';
import type { Context, Reply } from '../../context.ts';
import { AuthError, because, errorOf, InvalidEndpoints, OAuthSignInError } from '../../errors.ts';
import { redact } from '../../log/redact.ts';
import type { OAuthFlow } from '../../pending/kinds.ts';
import { addRequested, ownParams, type RequestedParams } from './authorization-params.ts';
import { type Authorization, type Checks, issueChecks, sendsState } from './checks.ts';
import { remoteFacts } from './remote-error.ts';
import { discover, metadataCause, metadataFailure, type Server, withParams } from './server.ts';

/**
 * Starts a sign-in at an OAuth or OpenID Connect provider. Redirects the visitor to the authorization endpoint (RFC
 * 6749 §4.1.1), and sets cookies that remember the request.
 *
 * @param start Who starts the sign-in, and what is known about the account.
 * @throws {OAuthSignInError} if the provider's metadata cannot be fetched.
 */
export async function beginOAuth(
  context: Context,
  provider: OAuthProvider,
  { startedBy, adds, proven, scope }: OAuthStart,
): Promise<Reply> {
  const endpoint = await authorizationEndpoint(provider);
  const checks = checksOf(provider, endpoint.isPkceSupported);
  const checksPkce = checks.pkce && endpoint.isPkceSupported === true;
  const params = ownParams(provider, endpoint.url);
  const added = addRequestParams(context, params);
  if (scope !== undefined) params.set('scope', scope);
  if (scope !== undefined) for (const [name, value] of Object.entries(consentParams(provider))) params.set(name, value);
  const requested = proven ? undefined : paramsToRepeat(context, added);
  const flow = { startedBy, adds, checksPkce, proven, requested, scope };
  const authorization = await issueChecks(context, provider, checks, flow);
  const url = authorizationUrl(endpoint.url, params, authorization);
  context.settings.logger.debug('oauth', 'authorization url is ready', () => redact({ provider: provider.id, url }));
  return { redirect: url, cookies: authorization.cookies };
}

/** Facts about the start of a sign-in. */
export interface OAuthStart {
  /** Id of the user who is signed in now. The account may be linked to that user only. Default: no one is. */
  readonly startedBy?: string | undefined;
  /** This user wants to add the account. Default: the request is a sign-in. */
  readonly adds?: OAuthFlow['adds'];
  /** The account whose address a mail has proven. The provider must return it. Default: any account. */
  readonly proven?: OAuthFlow['proven'];
  /** All scopes to ask for, because of the option `scopes`. Default: the configured ones, without a new consent. */
  readonly scope?: string | undefined;
}

/** Returns parameters that make a provider ask the visitor again (OpenID Connect Core §3.1.2.1). */
function consentParams({ type, offlineAccess }: OAuthProvider): Readonly<Record<string, string>> {
  const { params } = offlineAccess || {};
  return type === 'oidc' ? { ...params, prompt: 'consent' } : { ...params };
}

interface AuthorizationEndpoint {
  readonly url: URL;
  /** `undefined` if the endpoint is configured, so that the metadata was not read. */
  readonly isPkceSupported: boolean | undefined;
}

async function authorizationEndpoint(provider: OAuthProvider): Promise<AuthorizationEndpoint> {
  const { url, params } = provider.authorization;
  if (url) return { url: withParams(url, params), isPkceSupported: undefined };
  const { authorization_endpoint, code_challenge_methods_supported: methods } = await metadataOf(provider);
  if (authorization_endpoint === undefined) {
    throw new InvalidEndpoints(
      `provider "${provider.id}": the metadata has no authorization_endpoint. Set \`authorization\``,
    );
  }
  return {
    url: withParams(authorization_endpoint, params),
    isPkceSupported: Array.isArray(methods) && methods.includes('S256'),
  };
}

async function metadataOf(provider: OAuthProvider): Promise<Server> {
  try {
    return await discover(provider);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    const failure = errorOf(error);
    const facts = { ...remoteFacts(failure), provider: provider.id };
    throw because(metadataCause(provider, failure), new OAuthSignInError(metadataFailure(provider, failure), facts));
  }
}

function checksOf(provider: OAuthProvider, isPkceSupported: boolean | undefined): Checks {
  const { type, checks } = provider;
  // RFC 9700 §2.1.1: PKCE protects only if the provider supports it. Otherwise the nonce takes its place.
  const needsNonce = type === 'oidc' && isPkceSupported === false && !checks.includes('none');
  return {
    state: sendsState(provider),
    pkce: checks.includes('pkce'),
    nonce: checks.includes('nonce') || needsNonce,
  };
}

/** Adds the parameters of the request for the sign-in, and returns them. */
function addRequestParams(context: Context, params: URLSearchParams): RequestedParams['added'] {
  const { callbackUrl: _, ...query } = context.query;
  const { added, leftOut: names } = addRequested(params, query);
  if (names.length > 0)
    context.settings.logger.debug('oauth', 'parameters of the request were left out', () => redact({ names }));
  return added;
}

/**
 * Returns the parameters that a second authorization request repeats, after a mail has confirmed the address. Long ones
 * are not kept. Without an email provider, there is no second request.
 */
function paramsToRepeat({ settings, origin, basePath }: Context, added: RequestedParams['added']): string | undefined {
  const query = new URLSearchParams(added).toString();
  if (query === '' || query.length > limits.requestedParams) return undefined;
  return waysByAddress(settings, origin + basePath).hasEmailProvider ? query : undefined;
}

/** @param url The endpoint, which gets the parameters. */
function authorizationUrl(url: URL, params: URLSearchParams, authorization: Authorization): string {
  for (const [name, value] of Object.entries(authorization.params)) params.set(name, value);
  url.search = params.toString();
  return url.href;
}
