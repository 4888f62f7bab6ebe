import { limits } from '../../config/defaults.ts';
import { errorOf } from '../../config/hooks.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { isAcceptableUrl } from '../../config/remote-url.ts';
import type { Context, Reply } from '../../context.ts';
import { AuthError, InvalidEndpoints, OAuthSignInError } from '../../errors.ts';
import { type Begun, beginChecks, browserOf, type Wanted } from './checks.ts';
import { clientOf } from './client.ts';
import type { FlowMemo } from './flows.ts';
import { remoteFacts } from './remote-error.ts';
import { discovered, withParams } from './server.ts';

/** Parameters that carry the security of the flow: only the configuration and we ourselves set them. */
const PROTECTED: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'request',
  'request_uri',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
]);

/**
 * Starts a sign-in at an OAuth or OIDC provider (RFC 6749 §4.1.1): where the visitor is sent, and what the browser
 * remembers of it.
 *
 * @param by Id of the user who is signed in now; only that user's account may be linked to in the end.
 * @throws {OAuthSignInError} when the provider's metadata cannot be had.
 */
export async function beginOAuth(context: Context, provider: OAuthProvider, by: string | undefined): Promise<Reply> {
  const { client_id } = clientOf(provider, context.now);
  const endpoint = await authorizationEndpoint(provider);
  const url = withParams(endpoint.url, provider.authorization.params);
  // The owner's own `state` stays, unless it is to be checked: then it has to be one that nobody can guess.
  const owners = url.searchParams.has('state') && !provider.checks.includes('state');
  const wanted: Wanted = {
    state: !owners,
    pkce: provider.checks.includes('pkce'),
    nonce:
      provider.checks.includes('nonce') ||
      (provider.type === 'oidc' && endpoint.pkce === false && !provider.checks.includes('none')),
  };
  const memo: FlowMemo = { ...memoOf(context, by), ...(wanted.pkce && endpoint.pkce ? { pkce: true } : {}) };
  const begun = await beginChecks(context, provider, wanted, memo);
  const target = authorizationUrl(url, context.query, { client_id, redirect_uri: provider.redirectUri }, begun);
  context.settings.logger.debug('authorization url is ready', { provider: provider.id, url: target });
  return { redirect: target.href, cookies: begun.cookies };
}

/** Where visitors are sent, and whether the server says that it supports PKCE. */
interface AuthorizationEndpoint {
  readonly url: URL;
  /** `undefined`: nobody was asked. */
  readonly pkce: boolean | undefined;
}

async function authorizationEndpoint(provider: OAuthProvider): Promise<AuthorizationEndpoint> {
  if (provider.authorization.url) return { url: provider.authorization.url, pkce: undefined };
  const server = await metadataOf(provider);
  const url = server.authorization_endpoint;
  if (url === undefined || !isAcceptableUrl(url, provider.allowInsecure)) {
    throw new InvalidEndpoints(
      `provider "${provider.id}": its metadata have no authorization_endpoint. Set \`authorization\``,
    );
  }
  const methods = server.code_challenge_methods_supported;
  // RFC 9700 §2.1.1: PKCE protects only where the server supports it; elsewhere the nonce takes over.
  return { url: new URL(url), pkce: methods?.includes('S256') === true };
}

async function metadataOf(provider: OAuthProvider): ReturnType<typeof discovered> {
  try {
    return await discovered(provider);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new OAuthSignInError("the provider's metadata could not be fetched", {
      ...remoteFacts(errorOf(error)),
      provider: provider.id,
    });
  }
}

/** What the flow knows when it comes back: where to go, who was signed in, and in which browser. */
function memoOf({ callbackUrl, csrfToken }: Context, by: string | undefined): FlowMemo {
  return {
    ...(callbackUrl.length <= limits.returnTo ? { returnTo: callbackUrl } : {}),
    ...(by === undefined ? {} : { by }),
    ...(csrfToken === undefined ? {} : { browser: browserOf(csrfToken) }),
  };
}

function authorizationUrl(
  endpoint: URL,
  query: Readonly<Record<string, string>>,
  ours: { client_id: string; redirect_uri: string },
  begun: Begun,
): URL {
  const url = new URL(endpoint.origin + endpoint.pathname);
  // WeChat wants one.
  url.hash = endpoint.hash;
  const own = endpoint.searchParams;
  const params = url.searchParams;
  for (const [name, value] of Object.entries({ response_type: 'code', ...ours })) params.set(name, value);
  for (const [name, value] of own) params.set(name, value);
  for (const [name, value] of Object.entries(query)) {
    if (!PROTECTED.has(name) && name !== 'callbackUrl') params.set(name, value);
  }
  if (begun.state) params.set('state', begun.state);
  if (begun.codeChallenge) {
    params.set('code_challenge', begun.codeChallenge);
    params.set('code_challenge_method', 'S256');
  }
  if (begun.nonce) params.set('nonce', begun.nonce);
  return url;
}
