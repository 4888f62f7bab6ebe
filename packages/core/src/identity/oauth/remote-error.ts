import * as oauth from 'oauth4webapi';
import { envName } from '../../config/env.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import { because, OAuthCallbackError } from '../../errors.ts';
import type { Plain } from '../../plain-object.ts';
import { NOT_JSON } from './remote.ts';

/** Returns how a request for a document failed, with its status or the reason: "answered 404". */
export function outcomeOf(error: Error): string {
  const { cause } = error;
  if (cause instanceof Response) {
    if (cause.statusText === NOT_JSON) return `answered, but ${NOT_JSON}`;
    return cause.status === 200 ? `answered what cannot be used: ${error.message}` : `answered ${cause.status}`;
  }
  return `failed: ${reasonOf(error)}`;
}

/** Causes that are followed; the bound also ends causes that form a circle. */
const MOST_CAUSES = 5;

/** The innermost message: an error such as `fetch failed` does not state the reason. */
function reasonOf(error: Error, depth = 0): string {
  const next: unknown = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  return next instanceof Error && depth < MOST_CAUSES ? reasonOf(next, depth + 1) || error.message : error.message;
}

/** A claim about time that the protocol library has refused, see `JWT_TIMESTAMP_CHECK`. */
interface TimeCheck {
  readonly claim: string;
  readonly claims: Record<string, unknown>;
  /** Seconds since 1970. */
  readonly now: number;
  /** Seconds. */
  readonly tolerance: number;
}

/** The ID token's refusal, if the protocol library has refused it because of a time; otherwise `undefined`. */
export function timeRefusal(
  provider: OAuthProvider,
  error: unknown,
  answered?: Answered,
): OAuthCallbackError | undefined {
  if (!(error instanceof oauth.OperationProcessingError) || error.code !== oauth.JWT_TIMESTAMP_CHECK) return undefined;
  const { claim, claims, now, tolerance } = error.cause as TimeCheck;
  const words = timeWords(claim, Number(claims[claim]) - now, tolerance, answered);
  const facts = { ...remoteFacts(error), provider: provider.id, claim };
  return because('clock', new OAuthCallbackError(`provider "${provider.id}": ${words}`, facts));
}

/** The answer that brought the token, and when. */
export interface Answered {
  readonly answer: Response;
  readonly now: Date;
}

/**
 * Says by how many seconds a time in an ID token is off, and which clock is wrong.
 *
 * @param off Seconds; negative if the time has passed.
 * @param tolerance Seconds that the time may be off.
 * @param answered Its `Date` header is the provider's clock.
 */
export function timeWords(claim: string, off: number, tolerance: number, answered?: Answered): string {
  return `the ID token ${offWords(claim, off)} (allowed: ${tolerance} s). ${clockWords(tolerance, answered)}`;
}

function offWords(claim: string, off: number): string {
  const seconds = `${Math.round(Math.abs(off))} s`;
  if (claim === 'exp') return `expired ${seconds} ago`;
  if (claim === 'iat') return `was issued ${seconds} in the future`;
  if (claim === 'nbf') return `becomes valid only in ${seconds}`;
  return `has a time (${claim}) ${seconds} in the ${off < 0 ? 'past' : 'future'}`;
}

/** The header has whole seconds (RFC 9110 §5.6.7), and it takes a while to arrive. */
function clockWords(tolerance: number, answered: Answered | undefined): string {
  const date = Date.parse(answered?.answer.headers.get('date') ?? '');
  const ahead = answered ? Math.round((date - answered.now.getTime()) / 1000) : Number.NaN;
  if (!(Math.abs(ahead) > tolerance)) return 'Check the clocks of this server and of the provider';
  const where = ahead > 0 ? 'ahead of' : 'behind';
  return `By its Date header the provider's clock is ${Math.abs(ahead)} s ${where} this server. Check this server's time`;
}

/** Errors by which servers refuse the client: RFC 6749 §5.2, and GitHub, which answers with the status 200. */
const CLIENT_REFUSED: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
]);

/**
 * Reports the error that the token endpoint names in its answer (RFC 6749 §5.2). The protocol library does not read it
 * if the answer has a `WWW-Authenticate` header or the status 200.
 *
 * @param endpoint URL of the token endpoint; `undefined` if the application makes the request.
 * @throws {OAuthCallbackError} with `error`, `error_description` and `status`. If the client was refused, the message
 *   names the variable to check.
 */
export function reportRefusal(
  provider: OAuthProvider,
  endpoint: string | undefined,
  answer: Response,
  body: Plain,
): void {
  const { error, error_description: described, access_token } = body;
  if (typeof error !== 'string' || error === '' || (answer.ok && access_token !== undefined)) return;
  const isClientRefused = CLIENT_REFUSED.has(error);
  // The library reports this one itself.
  if (!isClientRefused && !answer.ok && !answer.headers.has('www-authenticate')) return;
  const facts = {
    provider: provider.id,
    status: answer.status,
    error: error.slice(0, 200),
    ...(typeof described === 'string' && { error_description: described.slice(0, 500) }),
  };
  if (!isClientRefused) throw new OAuthCallbackError('the token endpoint answered with an error', facts);
  const reason = facts.error_description?.slice(0, 200).replace(/\s+/g, ' ');
  const { words, variable } = sentAs(provider);
  const message = `provider "${provider.id}": ${endpoint ?? 'the token endpoint'} refused this client (${answer.status} ${facts.error}${reason ? `, ${JSON.stringify(reason)}` : ''}). ${words}`;
  throw because('client-refused', new OAuthCallbackError(message, { ...facts, variable }));
}

/** How the client has authenticated, and which variable to check. */
function sentAs({ id, clientId, client, token }: OAuthProvider): { words: string; variable: string } {
  const name = `AUTH_${envName(id)}`;
  const method = client.token_endpoint_auth_method ?? 'client_secret_basic';
  const ofClient = `client ${JSON.stringify(client['client_id'] ?? clientId)}`;
  if (token.request) return { variable: `${name}_SECRET`, words: `Check ${name}_SECRET and \`token.request\`` };
  if (method === 'none') {
    const words = `Check ${name}_ID. No secret was sent for ${ofClient}, because of \`token_endpoint_auth_method: "none"\``;
    return { variable: `${name}_ID`, words };
  }
  const sent = `It was sent as ${method} for ${ofClient}`;
  if (method === 'private_key_jwt')
    return { variable: `${name}_ID`, words: `Check \`token.clientPrivateKey\`. ${sent}` };
  return { variable: `${name}_SECRET`, words: `Check ${name}_SECRET. ${sent}` };
}

/** The protocol library's codes about the ID token, its claims and its signature. */
const ID_TOKEN_CODES: ReadonlySet<unknown> = new Set([
  oauth.JWT_CLAIM_COMPARISON,
  oauth.JWT_USERINFO_EXPECTED,
  oauth.KEY_SELECTION,
]);

/** Has the protocol library refused the ID token? */
export function isAboutIdToken(error: Error): boolean {
  if (!('code' in error)) return false;
  return ID_TOKEN_CODES.has(error.code) || /ID Token|JWT/.test(error.message);
}

/** Facts about a failed request, for the log. */
export interface RemoteFacts {
  /** The failure, without what the provider sent. */
  readonly err: Error;
  /** The protocol library's code. */
  readonly code?: string;
  readonly status?: number;
  /** `error` of the provider's answer (RFC 6749 §5.2). */
  readonly error?: string;
  readonly error_description?: string;
}

/**
 * Returns the facts about a failed request. Errors of the protocol library have the whole answer as their cause, tokens
 * included. Only message, code, and the provider's own error texts are kept.
 */
export function remoteFacts(error: Error): RemoteFacts {
  const { code, status, error: word, error_description: words }: Record<string, unknown> = { ...error };
  if (typeof code !== 'string' || !/^(OAUTH|ERR_INVALID_ARG)_/.test(code)) return { err: error };
  const err = new Error(error.message);
  err.name = error.name;
  if (error.stack !== undefined) err.stack = error.stack;
  return {
    err,
    code,
    ...(typeof status === 'number' && { status }),
    ...(typeof word === 'string' && { error: word.slice(0, 200) }),
    ...(typeof words === 'string' && { error_description: words.slice(0, 500) }),
  };
}
