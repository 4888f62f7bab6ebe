import * as oauth from 'oauth4webapi';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { AuthError, OAuthCallbackError } from '../../errors.ts';
import type { OAuthFlow } from '../../pending/kinds.ts';
import { type Plain, readObject } from '../../plain-object.ts';
import type { TokenSet } from '../../types/user.ts';
import { clientAuth, clientOf } from './client.ts';
import { checkIdToken, type IdToken, jwtPart } from './id-token.ts';
import { remoteOptions } from './remote.ts';
import { reportRefusal, timeRefusal } from './remote-error.ts';
import type { CallbackServer } from './server.ts';

/** The tokens for a code. */
export interface Exchange {
  /** The whole token response, with `expires_at`. */
  readonly tokens: TokenSet & { access_token: string };
  /** The checked claims of the ID token; `undefined` if the provider's ID tokens are not read. */
  readonly idToken: IdToken | undefined;
}

/** Input of {@link exchangeCode}. */
export interface ExchangeInput {
  readonly context: Context;
  readonly provider: OAuthProvider;
  readonly server: CallbackServer;
  /** The callback's parameters, as the protocol library has validated them. */
  readonly params: URLSearchParams;
  /** The authorization request that the code answers. */
  readonly flow: OAuthFlow;
}

/**
 * Exchanges the code for tokens (RFC 6749 §4.1.3) and checks the answer (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
 *
 * @throws {OAuthCallbackError} if the answer is not acceptable; the protocol library's errors are thrown as they are.
 */
export async function exchangeCode(input: ExchangeInput): Promise<Exchange> {
  const { context, provider, params, flow } = input;
  const { answer, body, unreadIdToken } = await readAnswer(provider, await tokenAnswer(input));
  reportRefusal(provider, input.server.server.token_endpoint, answer, body);
  const server = withTokenIssuer(input, body);
  const tokens = await processAnswer(input, server, answer);
  checkAccessToken(provider, tokens);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  checkSameIssuer(input, claims);
  const code = params.get('code') ?? '';
  if (claims)
    await checkIdToken({ context, provider, server, answer, tokens, claims, code, startedAt: flow.startedAt });
  return { tokens: tokenSet(tokens, unreadIdToken, context.now), idToken: claims };
}

async function processAnswer(
  { context, provider, flow }: ExchangeInput,
  { server }: CallbackServer,
  answer: Response,
): Promise<oauth.TokenEndpointResponse> {
  try {
    return await oauth.processAuthorizationCodeResponse(server, clientOf(provider, context.now), answer, {
      expectedNonce: flow.secrets.nonce ?? oauth.expectNoNonce,
      requireIdToken: provider.type === 'oidc' || provider.checks.includes('nonce'),
    });
  } catch (error) {
    throw timeRefusal(provider, error, { answer, now: context.now }) ?? error;
  }
}

async function tokenAnswer(input: ExchangeInput): Promise<Response> {
  const { token } = input.provider;
  const answer = await (token.request ? customRequest(input) : codeGrant(input));
  return (await token.conform?.(answer.clone())) ?? answer;
}

async function codeGrant({ context, provider, server, params, flow }: ExchangeInput): Promise<Response> {
  if (!server.server.token_endpoint)
    throw new AuthError(`provider "${provider.id}" has no token endpoint. Set \`token\``);
  return oauth.authorizationCodeGrantRequest(
    server.server,
    clientOf(provider, context.now),
    clientAuth(provider),
    params,
    provider.redirectUri,
    (provider.checks.includes('pkce') && flow.secrets.pkceCodeVerifier) || oauth.nopkce,
    { ...remoteOptions(provider), headers: provider.token.headers ?? {} },
  );
}

/** Calls the application's `token.request`, and returns its tokens as a response, so that they are checked alike. */
async function customRequest({ provider, params, flow: { secrets } }: ExchangeInput): Promise<Response> {
  const checks = { code_verifier: secrets.pkceCodeVerifier, state: secrets.state, nonce: secrets.nonce };
  const result = await provider.token.request?.({ params: Object.fromEntries(params), checks, provider });
  const tokens: unknown = result?.tokens;
  if (typeof tokens !== 'object' || tokens === null)
    throw new OAuthCallbackError('`token.request` must return `{ tokens }`', { provider: provider.id });
  return Response.json({ token_type: 'bearer', ...tokens });
}

/** A token response. */
interface TokenAnswer {
  /** For the protocol library, which has not read it. */
  readonly answer: Response;
  /** The body; empty if it is not a JSON object. */
  readonly body: Plain;
  /** The ID token that was taken out of the answer. */
  readonly unreadIdToken: { readonly id_token?: string };
}

/**
 * Reads a token response. Takes the ID token out of the answer of a plain OAuth provider without issuer. Such a token
 * cannot be checked. It is passed on with the other tokens, and is never used for identity.
 */
export async function readAnswer(provider: OAuthProvider, received: Response): Promise<TokenAnswer> {
  const text = await received.text();
  const body = readObject(text) ?? {};
  const isRead = provider.type === 'oidc' || provider.issuer || provider.checks.includes('nonce');
  if (isRead || !('id_token' in body)) return { answer: withBody(received, text), body, unreadIdToken: {} };
  const { id_token, ...rest } = body;
  return {
    answer: withBody(received, JSON.stringify(rest)),
    body: rest,
    unreadIdToken: typeof id_token === 'string' ? { id_token } : {},
  };
}

/** Returns the response with another body. */
function withBody({ status, statusText, headers }: Response, body: string): Response {
  return new Response(body || null, { status, statusText, headers });
}

/**
 * RFC 6749 §A.12. The runtime refuses other characters in a header, with an error that quotes the token and is logged.
 */
const ACCESS_TOKEN = /^[\x20-\x7e]+$/;

/** @throws {OAuthCallbackError} if the access token cannot be used as a bearer token. */
export function checkAccessToken({ id, token }: OAuthProvider, tokens: oauth.TokenEndpointResponse): void {
  // The protocol library also accepts DPoP (RFC 9449), whose tokens need a key. Only `token.request` can have one.
  if (tokens.token_type !== 'bearer' && !token.request)
    throw new OAuthCallbackError('the type of the access token must be bearer', { provider: id });
  if (!isAccessToken(tokens.access_token))
    throw new OAuthCallbackError('the access token has characters that RFC 6749 does not allow', { provider: id });
}

/** Tests whether a text has only characters that RFC 6749 allows in an access token. Headers can have them. */
export function isAccessToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}

function tokenSet(tokens: oauth.TokenEndpointResponse, unread: object, now: Date): Exchange['tokens'] {
  const seconds = Number(tokens.expires_in);
  const expires = seconds > 0 ? { expires_at: Math.floor(now.getTime() / 1000 + seconds) } : {};
  return { ...tokens, ...unread, ...expires };
}

/**
 * Returns the server with the issuer that this ID token must name. A provider with an issuer per tenant learns the
 * tenant from the token; the token then has to be one of that tenant.
 */
function withTokenIssuer({ provider, server }: ExchangeInput, { id_token }: Plain): CallbackServer {
  if (!provider.tokenIssuer) return server;
  return typeof id_token === 'string' ? withIssuerOf(provider, server, id_token) : server;
}

/**
 * Returns the server with the issuer that a token must name. A provider with an issuer per tenant learns the tenant
 * from the token, which is not verified yet.
 */
export function withIssuerOf(provider: OAuthProvider, server: CallbackServer, token: string): CallbackServer {
  const claims = provider.tokenIssuer && jwtPart(token, 'claims');
  const issuer = claims && provider.tokenIssuer?.(server.server.issuer, claims);
  return issuer === undefined ? server : { ...server, server: { ...server.server, issuer } };
}

/**
 * Compares the callback's `iss` (RFC 9207) for a provider with an issuer per tenant, now that the tenant is known.
 *
 * @throws {OAuthCallbackError} if the ID token names another issuer.
 */
function checkSameIssuer({ provider, params }: ExchangeInput, claims: IdToken | undefined): void {
  const issuer = params.get('iss');
  if (!provider.tokenIssuer || issuer === null || issuer === claims?.iss) return;
  throw new OAuthCallbackError('the callback names another issuer than the ID token', { provider: provider.id });
}
