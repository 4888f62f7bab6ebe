import * as oauth from 'oauth4webapi';
import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { AuthError, errorOf } from '../../errors.ts';
import type { Plain } from '../../plain-object.ts';
import type { TokenSet } from '../../types/user.ts';
import { untilAborted } from '../../wire/bounded-fetch.ts';
import { clientAuth, clientOf } from './client.ts';
import { isMacOfClient, jwtPart, verifySignature } from './id-token.ts';
import { remoteOptions } from './remote.ts';
import { type RemoteFacts, remoteFacts } from './remote-error.ts';
import type { CallbackServer } from './server.ts';
import { checkAccessToken, readAnswer, withIssuerOf } from './token.ts';

/** The provider's answer to a refresh request. */
export type RefreshResult =
  | { readonly answer: 'tokens'; readonly tokens: TokenSet & { readonly access_token: string } }
  /** The refresh token is not valid any more. */
  | ({ readonly answer: 'refused' } & RemoteFacts)
  | ProviderFailure;

/** A refresh that failed for another reason. */
export interface ProviderFailure extends RemoteFacts {
  /** `provider-refused`: another error, or an answer that cannot be used. `provider-unavailable`: no answer. */
  readonly answer: 'provider-refused' | 'provider-unavailable';
  /** Seconds that the provider asks to wait. */
  readonly retryAfter?: number | undefined;
}

/** Input of {@link refreshTokens}. */
export interface RefreshInput {
  readonly provider: OAuthProvider;
  readonly server: CallbackServer;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
  /** The `sub` that an ID token must have. Default: any. */
  readonly subject: string | undefined;
  readonly now: Date;
}

/** Errors by which servers refuse a refresh token: RFC 6749 §5.2, GitHub, Slack. */
const REFUSED: ReadonlySet<unknown> = new Set(['invalid_grant', 'bad_refresh_token', 'invalid_refresh_token']);

/**
 * Sends a refresh request (RFC 6749 §6), with the client authentication of the sign-in, and checks the answer (OpenID
 * Connect Core §12.2). Never rejects.
 */
export async function refreshTokens(input: RefreshInput): Promise<RefreshResult> {
  let received: Response;
  try {
    received = await sendRequest(input);
  } catch (error) {
    const answer = error instanceof AuthError ? 'provider-refused' : 'provider-unavailable';
    return { answer, ...remoteFacts(errorOf(error)) };
  }
  try {
    return await readResult(input, received);
  } catch (error) {
    return { answer: 'provider-refused', ...remoteFacts(errorOf(error)) };
  }
}

async function sendRequest({ provider, server, refreshToken, scopes, now }: RefreshInput): Promise<Response> {
  const { token, refresh } = provider;
  if (refresh) {
    const { tokens } = await refresh.request({ refreshToken, scopes, provider });
    return Response.json({ token_type: 'bearer', ...tokens });
  }
  if (!server.server.token_endpoint) {
    throw new AuthError(`provider "${provider.id}" has no token endpoint. Set \`token\`, or \`refresh.request\``);
  }
  const options = { ...remoteOptions(provider), headers: token.headers ?? {} };
  const client = clientOf(provider, now);
  const answer = await oauth.refreshTokenGrantRequest(
    server.server,
    client,
    clientAuth(provider),
    refreshToken,
    options,
  );
  return (await token.conform?.(answer.clone())) ?? answer;
}

async function readResult(input: RefreshInput, received: Response): Promise<RefreshResult> {
  const { provider, now } = input;
  if (received.status === 429 || received.status >= 500) {
    return {
      answer: 'provider-unavailable',
      err: new Error(`the token endpoint answered ${received.status}`),
      status: received.status,
      retryAfter: secondsOf(received.headers.get('retry-after') ?? '', now),
    };
  }
  const { answer, body, unreadIdToken } = await readAnswer(provider, received);
  if (typeof body['error'] === 'string' && body['access_token'] === undefined) return refusal(body, received.status);
  const server = withIssuerOf(provider, input.server, String(body['id_token'] ?? ''));
  const response = Response.json(withExpiry(body), { status: answer.status });
  const tokens = await oauth.processRefreshTokenResponse(server.server, clientOf(provider, now), response);
  checkAccessToken(provider, tokens);
  const checked = { ...tokens, ...unreadIdToken } as TokenSet & { access_token: string };
  if (oauth.getValidatedIdTokenClaims(tokens) && !(await isIdTokenKept(input, server, tokens, response))) {
    delete checked.id_token;
  }
  const { expires_in: seconds } = tokens;
  return {
    answer: 'tokens',
    tokens: { ...checked, ...(seconds !== undefined && { expires_at: now.getTime() / 1000 + seconds }) },
  };
}

function refusal(body: Plain, status: number): RefreshResult {
  const { error, error_description: words } = body;
  const name = String(error).slice(0, 200);
  return {
    answer: REFUSED.has(error) ? 'refused' : 'provider-refused',
    err: new Error(`the token endpoint answered ${status} ${JSON.stringify(name)}`),
    status,
    error: name,
    ...(typeof words === 'string' && { error_description: words.slice(0, 500) }),
  };
}

/** Some providers send a text, or 0. Without a usable number, the token is used until an API refuses it. */
function withExpiry({ expires_in, ...body }: Plain): Plain {
  const seconds = Number(expires_in);
  return seconds > 0 && Number.isFinite(seconds) ? { ...body, expires_in: seconds } : body;
}

/**
 * Checks the ID token of a refresh: the same user, and the signature.
 *
 * @returns Whether to keep it. Not if the provider's keys do not arrive in two seconds.
 * @throws {Error} if it names another user, or if the signature is wrong.
 */
async function isIdTokenKept(
  { provider, subject }: RefreshInput,
  server: CallbackServer,
  { id_token: token = '' }: oauth.TokenEndpointResponse,
  answer: Response,
): Promise<boolean> {
  const { sub } = jwtPart(token, 'claims') ?? {};
  if (subject !== undefined && sub !== subject) throw new Error('the ID token of the refresh names another user');
  if (jwtPart(token, 'header')?.['alg'] === 'HS256') {
    if (await isMacOfClient(provider, token)) return true;
    throw new Error('the signature of the ID token is wrong');
  }
  if (!server.hasKeys) return true;
  try {
    await untilAborted(AbortSignal.timeout(limits.refreshKeysTime), verifySignature(provider, server.server, answer));
    return true;
  } catch (error) {
    if (isWrongSignature(errorOf(error))) throw error;
    return false;
  }
}

/** Codes of the protocol library for a token that no key of the provider has signed. */
const WRONG_SIGNATURE: ReadonlySet<unknown> = new Set([
  oauth.INVALID_RESPONSE,
  oauth.KEY_SELECTION,
  oauth.UNSUPPORTED_OPERATION,
]);

function isWrongSignature(error: Error): boolean {
  return 'code' in error && WRONG_SIGNATURE.has(error.code);
}

/** Reads `Retry-After` (RFC 9110 §10.2.3): seconds, or a date. */
function secondsOf(header: string, now: Date): number | undefined {
  const seconds = Number(header) || Math.ceil((Date.parse(header) - now.getTime()) / 1000);
  return seconds > 0 ? Math.min(seconds, limits.retryAfter) : undefined;
}

/** Reads the `sub` of an ID token that the sign-in has checked; `undefined` if it cannot be read. */
export function subjectOf(idToken: string | undefined): string | undefined {
  const { sub } = (idToken && jwtPart(idToken, 'claims')) || {};
  return typeof sub === 'string' ? sub : undefined;
}
