import { chain, rescue } from '../../chain.ts';
import { limits } from '../../config/defaults.ts';
import { errorOf } from '../../config/hooks.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { redact } from '../../config/redact.ts';
import type { Context, Reply } from '../../context.ts';
import { AuthError, InvalidEndpoints, OAuthSignInError } from '../../errors.ts';
import type { Awaitable } from '../../types.ts';
import { addressOf, startAt } from './authorization-address.ts';
import { beginChecks, browserOf, type Wanted } from './checks.ts';
import type { FlowMemo } from './flows.ts';
import { remoteFacts } from './remote-error.ts';
import { discovered, type Server } from './server.ts';

/**
 * Starts a sign-in at an OAuth or OIDC provider (RFC 6749 §4.1.1): where the visitor is sent, and what the browser
 * remembers of it.
 *
 * @param by Id of the user who is signed in now; only that user's account may be linked to in the end.
 * @throws {OAuthSignInError} when the provider's metadata cannot be had.
 */
export function beginOAuth(context: Context, provider: OAuthProvider, by: string | undefined): Awaitable<Reply> {
  return chain(authorizationEndpoint(provider), (endpoint) => beginAt(context, provider, endpoint, by));
}

function beginAt(
  context: Context,
  provider: OAuthProvider,
  endpoint: AuthorizationEndpoint,
  by: string | undefined,
): Awaitable<Reply> {
  const start = startAt(provider, endpoint.url);
  // The owner's own `state` stays, unless it is to be checked: then it has to be one that nobody can guess.
  const owners = start.params.has('state') && !provider.checks.includes('state');
  const wanted: Wanted = {
    state: !owners,
    pkce: provider.checks.includes('pkce'),
    nonce:
      provider.checks.includes('nonce') ||
      (provider.type === 'oidc' && endpoint.pkce === false && !provider.checks.includes('none')),
  };
  const memo: FlowMemo = { ...memoOf(context, by), ...(wanted.pkce && endpoint.pkce ? { pkce: true } : {}) };
  return chain(beginChecks(context, provider, wanted, memo), ({ params, cookies }) => {
    const url = addressOf(start, context.query, params);
    context.settings.logger.debug('authorization url is ready', () => redact({ provider: provider.id, url }));
    const known = context.browser?.cookie;
    return { redirect: url, cookies: known ? [known, ...cookies] : cookies };
  });
}

/** Where visitors are sent, and whether the server says that it supports PKCE. */
interface AuthorizationEndpoint {
  readonly url: string;
  /** `undefined`: nobody was asked. */
  readonly pkce: boolean | undefined;
}

function authorizationEndpoint(provider: OAuthProvider): Awaitable<AuthorizationEndpoint> {
  if (provider.authorization.url) return { url: provider.authorization.url.href, pkce: undefined };
  return chain(metadataOf(provider), (server) => published(provider, server));
}

function published(provider: OAuthProvider, server: Server): AuthorizationEndpoint {
  const url = server.authorization_endpoint;
  if (url === undefined) {
    throw new InvalidEndpoints(
      `provider "${provider.id}": its metadata have no authorization_endpoint. Set \`authorization\``,
    );
  }
  const methods: unknown = server.code_challenge_methods_supported;
  // RFC 9700 §2.1.1: PKCE protects only where the server supports it; elsewhere the nonce takes over.
  return { url, pkce: Array.isArray(methods) && methods.includes('S256') };
}

function metadataOf(provider: OAuthProvider): Awaitable<Server> {
  return rescue(
    () => discovered(provider),
    (error) => {
      if (error instanceof AuthError) throw error;
      throw new OAuthSignInError("the provider's metadata could not be fetched", {
        ...remoteFacts(errorOf(error)),
        provider: provider.id,
      });
    },
  );
}

/** What the flow knows when it comes back: where to go, who was signed in, and in which browser. */
function memoOf({ callbackUrl, browser }: Context, by: string | undefined): FlowMemo {
  return {
    returnTo: callbackUrl.length <= limits.returnTo ? callbackUrl : undefined,
    by,
    browser: browser && browserOf(browser.token),
  };
}
