import * as oauth from 'oauth4webapi';
import { isPromise } from '../../chain.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { AuthError, OAuthCallbackError } from '../../errors.ts';
import type { Awaitable, TokenSet } from '../../types.ts';
import type { Taken } from './checks.ts';
import { clientOf, remoteOptions } from './client.ts';
import { clientAuth } from './client-auth.ts';
import { checkIdToken, type IdToken } from './id-token.ts';
import type { CallbackServer } from './server.ts';
import { checkSameIssuer, withTokenIssuer } from './token-issuer.ts';

/** An exchanged code. */
export interface Exchange {
  /** The whole token response, with `expires_at`. */
  readonly tokens: TokenSet & { access_token: string };
  /** Claims of the ID token, checked; `undefined` where none counts. */
  readonly idToken: IdToken | undefined;
}

/** What the exchange works with. */
export interface ExchangeInput {
  readonly context: Context;
  readonly provider: OAuthProvider;
  readonly server: CallbackServer;
  /** The callback's parameters, validated by the library. */
  readonly params: URLSearchParams;
  readonly taken: Taken;
}

/**
 * Exchanges the code for tokens (RFC 6749 §4.1.3) and checks the answer (§5.1; OpenID Connect Core §3.1.3.3).
 */
export async function exchange(input: ExchangeInput): Promise<Exchange> {
  const { context, provider, taken } = input;
  const client = clientOf(provider, context.now);
  const parting = withoutForeignIdToken(provider, await tokenAnswer(input));
  const { answer, idToken: unused } = isPromise(parting) ? await parting : parting;
  const known = withTokenIssuer(input, answer);
  const server = isPromise(known) ? await known : known;
  const tokens = await oauth.processAuthorizationCodeResponse(server.server, client, answer, {
    expectedNonce: taken.nonce ?? oauth.expectNoNonce,
    requireIdToken: provider.type === 'oidc' || provider.checks.includes('nonce'),
  });
  // The library knows a second type, whose tokens are worth nothing without a key (RFC 9449); an application may have one.
  if (tokens.token_type !== 'bearer' && !provider.token.request)
    throw new OAuthCallbackError('the access token is of no type that we can use', { provider: provider.id });
  if (!ACCESS_TOKEN.test(tokens.access_token))
    throw new OAuthCallbackError('the access token has characters that none may have', { provider: provider.id });
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  checkSameIssuer(input, claims);
  const code = input.params.get('code') ?? '';
  const checking = claims && checkIdToken({ context, provider, server, answer, tokens, claims, code });
  const idToken = isPromise(checking) ? await checking : checking;
  return { tokens: tokenSet(tokens, unused, context.now), idToken };
}

/** RFC 6749 §A.12. Whoever refuses others in a header quotes the whole token in its message, which is logged. */
const ACCESS_TOKEN = /^[\x20-\x7e]+$/;

function tokenAnswer(input: ExchangeInput): Promise<Response> {
  const { token } = input.provider;
  const asking = token.request ? customRequest(input) : codeGrant(input);
  return token.conform ? asking.then(async (answer) => (await token.conform?.(answer.clone())) ?? answer) : asking;
}

function codeGrant({ context, provider, server, params, taken }: ExchangeInput): Promise<Response> {
  if (!server.server.token_endpoint) {
    throw new AuthError(`provider "${provider.id}" has no token endpoint. Set \`token\``);
  }
  const verifier = provider.checks.includes('pkce') ? taken.codeVerifier : undefined;
  return oauth.authorizationCodeGrantRequest(
    server.server,
    clientOf(provider, context.now),
    clientAuth(provider),
    params,
    provider.redirectUri,
    verifier ?? oauth.nopkce,
    { ...remoteOptions(provider), headers: provider.token.headers ?? {} },
  );
}

/** What the application's own request got, in the form that everything is checked in. */
async function customRequest({ provider, params, taken }: ExchangeInput): Promise<Response> {
  const checks = { code_verifier: taken.codeVerifier, state: taken.state, nonce: taken.nonce };
  const result: unknown = await provider.token.request?.({ params: Object.fromEntries(params), checks, provider });
  const tokens = (result as { tokens?: unknown } | undefined)?.tokens;
  if (typeof tokens !== 'object' || tokens === null) {
    throw new OAuthCallbackError('`token.request` returned no `{ tokens }`', { provider: provider.id });
  }
  return Response.json({ token_type: 'bearer', ...tokens });
}

/**
 * A plain OAuth provider without issuer may send an ID token of whomever it pleases: it is handed on with the other tokens,
 * unread, and never used for identity.
 */
function withoutForeignIdToken(provider: OAuthProvider, answer: Response): Awaitable<Parted> {
  const isRead = provider.type === 'oidc' || provider.issuer || provider.checks.includes('nonce');
  return isRead ? { answer, idToken: {} } : parted(answer);
}

/** An answer, and the ID token that was in it. */
interface Parted {
  readonly answer: Response;
  readonly idToken: { readonly id_token?: string };
}

async function parted(answer: Response): Promise<Parted> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== 'object' || body === null || !('id_token' in body)) return { answer, idToken: {} };
  const { id_token, ...rest } = body;
  const { status, headers } = answer;
  return {
    answer: new Response(JSON.stringify(rest), { status, headers }),
    idToken: typeof id_token === 'string' ? { id_token } : {},
  };
}

function tokenSet(tokens: oauth.TokenEndpointResponse, unused: Parted['idToken'], now: Date): Exchange['tokens'] {
  const seconds = Number(tokens.expires_in);
  const expires = seconds > 0 ? { expires_at: Math.floor(now.getTime() / 1000 + seconds) } : {};
  return { ...tokens, ...unused, ...expires } as Exchange['tokens'];
}
