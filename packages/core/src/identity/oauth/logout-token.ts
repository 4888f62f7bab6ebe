import * as oauth from 'oauth4webapi';
import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import type { RoutedRequest } from '../../context.ts';
import { isForm } from '../../entry/body.ts';
import { errorOf, LogoutTokenError } from '../../errors.ts';
import { isRecord } from '../../plain-object.ts';
import { clientOf } from './client.ts';
import { isMacOfClient, jwtPart, verifySignature } from './id-token.ts';
import { remoteFacts } from './remote-error.ts';
import { callbackServer, type Server } from './server.ts';
import { withIssuerOf } from './token.ts';

/** A logout token (OpenID Connect Back-Channel Logout §2.4), checked. */
export interface LogoutToken {
  readonly issuer: string;
  /** Identifies the token. */
  readonly jti: string;
  /** When the token was issued. */
  readonly issuedAt: Date;
  /** The sessions that end: the sessions of this session of the provider, else the sessions of this user. */
  readonly sessionId: string | undefined;
  readonly subject: string | undefined;
}

/**
 * Reads and checks the logout token that a provider has posted (OpenID Connect Back-Channel Logout §2.6).
 *
 * @throws {LogoutTokenError} if it is not acceptable, or if the provider's keys cannot be fetched.
 */
export async function readLogoutToken(
  request: RoutedRequest,
  provider: OAuthProvider,
  now: Date,
): Promise<LogoutToken> {
  const token = postedToken(request);
  checkType(token);
  const claims = await verifiedClaims(provider, token, now);
  const { iat, jti, events, nonce, sid, sub } = claims;
  if (typeof iat !== 'number' || !(Math.abs(now.getTime() / 1000 - iat) <= limits.logoutTokenAge)) refuse('iat');
  if (typeof jti !== 'string' || jti === '') refuse('jti');
  if (!isRecord(events) || !isRecord(events[LOGOUT_EVENT])) refuse('events');
  // A nonce is for ID tokens: a token of one kind must not be accepted as the other.
  if (nonce !== undefined) refuse('nonce');
  const issuedAt = new Date(iat * 1000);
  const named = { sessionId: nameOf('sid', sid), subject: nameOf('sub', sub) };
  if (named.sessionId === undefined && named.subject === undefined) refuse('sid');
  return { issuer: String(claims['iss']), jti, issuedAt, ...named };
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

function refuse(claim: string): never {
  throw new LogoutTokenError(`the logout token was refused: ${claim}`, { claim });
}

function nameOf(claim: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  return refuse(claim);
}

/** Form fields that occur more than once are lists. */
function postedToken({ incoming, body }: RoutedRequest): string {
  const { logout_token: token } = body;
  if (!isForm(incoming) || typeof token !== 'string' || token.length > limits.logoutToken)
    throw new LogoutTokenError('the request must be a form with one `logout_token`, of at most 8,192 characters');
  return token;
}

/** OpenID Connect Back-Channel Logout §2.4 recommends `logout+jwt`. Older providers write `JWT`, or no type. */
const TYPES: ReadonlySet<string> = new Set(['logout+jwt', 'jwt']);

function checkType(token: string): void {
  const { typ = 'JWT' } = jwtPart(token, 'header') ?? {};
  if (!TYPES.has(String(typ).toLowerCase())) refuse('typ');
}

/** Checks signature, algorithm, `iss`, `aud`, `exp` and `nbf`, as of the provider's ID tokens. */
async function verifiedClaims(provider: OAuthProvider, token: string, now: Date): Promise<Record<string, unknown>> {
  try {
    const { server, hasKeys } = withIssuerOf(provider, await callbackServer(provider), token);
    const answer = new Response(token, { headers: { 'content-type': 'application/jwt' } });
    const claims = await processedClaims(provider, server, answer, token, now);
    if (!(await isSigned(provider, server, hasKeys, answer, token))) refuse('signature');
    return claims;
  } catch (error) {
    if (error instanceof LogoutTokenError) throw error;
    const failure = errorOf(error);
    throw new LogoutTokenError(`the logout token was refused: ${failure.message}`, {
      ...remoteFacts(failure),
      provider: provider.id,
    });
  }
}

/**
 * Lets the protocol library check a logout token. The library does not know logout tokens, so they pass for signed
 * userinfo, which has the same rules for header, `iss`, `aud`, `exp` and `nbf`. The other rules are checked here.
 *
 * @param answer The token. The library remembers it for the check of its signature.
 */
async function processedClaims(
  provider: OAuthProvider,
  { issuer, id_token_signing_alg_values_supported: supported }: Server,
  answer: Response,
  token: string,
  now: Date,
): Promise<Record<string, unknown>> {
  const claims = jwtPart(token, 'claims') ?? {};
  // Userinfo may lack them.
  if (claims['iss'] === undefined) refuse('iss');
  if (claims['aud'] === undefined) refuse('aud');
  const client = clientOf(provider, now);
  const { id_token_signed_response_alg: configured } = client;
  const algorithms = configured === undefined ? (Array.isArray(supported) ? supported : ['RS256']) : [configured];
  const { userinfo_signed_response_alg: _, ...asUserinfo } = client;
  try {
    const server = { issuer, userinfo_signing_alg_values_supported: algorithms };
    await oauth.processUserInfoResponse(server, asUserinfo, oauth.skipSubjectCheck, answer);
  } catch (error) {
    if (!isSubjectMissing(error)) throw error;
  }
  return claims;
}

/** Userinfo needs `sub`, which a logout token may leave out. The library looks for it after everything else. */
function isSubjectMissing(error: unknown): boolean {
  if (!(error instanceof oauth.OperationProcessingError)) return false;
  return error.code === oauth.INVALID_RESPONSE && isRecord(error.cause) && isRecord(error.cause['body']);
}

async function isSigned(
  provider: OAuthProvider,
  server: Server,
  hasKeys: boolean,
  answer: Response,
  token: string,
): Promise<boolean> {
  if (provider.client.id_token_signed_response_alg === 'HS256') return isMacOfClient(provider, token);
  // TLS cannot replace the signature, because anyone may post a token.
  if (!hasKeys) return false;
  await verifySignature(provider, server, answer);
  return true;
}
