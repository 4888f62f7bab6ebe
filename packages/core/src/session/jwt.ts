import { limits } from '../config/defaults.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { open, seal, TokenError } from '../crypto/seal.ts';
import { errorOf, JWTSessionError, SignOutError } from '../errors.ts';
import type { Warning } from '../log/logger.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { Cookie, JWTCallbackParams } from '../types/config.ts';
import type { JWT } from '../types/session.ts';
import { clearChunked, readChunked, writeChunked } from '../wire/cookie-chunks.ts';
import { isMoving, sentName } from '../wire/cookie-names.ts';
import {
  type EndedSession,
  jwtCallbackParams,
  jwtSessionParams,
  type SessionAnswer,
  type SessionHooks,
  type SessionStrategy,
  type SessionUpdate,
  type SignedIn,
  type StartedSession,
} from './strategy.ts';

/** Sessions in an encrypted cookie. Each read issues a new token, unless the host asks for fewer. */
export const jwtStrategy: SessionStrategy = { start, read, end, currentUser, ownerOf };

async function start(context: Context, { user, account, profile, isNewUser }: SignedIn): Promise<StartedSession> {
  const sid = crypto.randomUUID();
  const token: JWT = { name: user.name, email: user.email, picture: user.image, sub: user.id?.toString() };
  const trigger = isNewUser ? 'signUp' : 'signIn';
  const params: JWTCallbackParams = { token, user, account, ...(profile && { profile }), isNewUser, trigger };
  const result = await context.settings.callbacks.jwt(params);
  if (result === null) return { cookies: clear(context), userId: undefined };
  const cookies = await issue(context, withSid(result, sid), expiry(context));
  return { cookies, userId: typeof result.sub === 'string' ? result.sub : undefined };
}

async function read(context: Context, update?: SessionUpdate): Promise<SessionAnswer> {
  const text = tokenOf(context);
  if (text === undefined) return { session: null, cookies: [] };
  const token = await decoded(context, text);
  if (token instanceof JWTSessionError) {
    context.settings.logger.error(token);
    return { session: null, cookies: isUnreadable(token) ? clear(context) : [] };
  }
  try {
    return await renew(context, token, update);
  } catch (error) {
    // The cookie is kept: it is valid, and the next request may succeed.
    const { logger } = context.settings;
    logger.error(new JWTSessionError('the session could not be re-issued', { err: errorOf(error) }));
    return { session: null, cookies: [] };
  }
}

async function renew(context: Context, before: JWT, update: SessionUpdate | undefined): Promise<SessionAnswer> {
  const { callbacks, emit }: SessionHooks = context.settings;
  const { sid, iat } = before;
  // Written down now, because the callback may change the token in place.
  const textBefore = context.call.renew === 'when-due' ? JSON.stringify(before) : undefined;
  const token = await callbacks.jwt(jwtCallbackParams(before, update));
  if (token === null) return { session: null, cookies: clear(context) };
  const isIssued = isDue(context, iat, token, textBefore);
  const expires = expiry(context, isIssued ? undefined : iat);
  const session = await callbacks.session(jwtSessionParams(token, expires, update));
  const cookies = isIssued ? await issue(context, withSid(token, sid), expires) : [];
  await emit('session', { session, token });
  return { session, cookies };
}

async function end(context: Context): Promise<EndedSession> {
  const cookies = clear(context);
  const text = tokenOf(context);
  if (text === undefined) return { cookies };
  const token = await decoded(context, text);
  if (!(token instanceof JWTSessionError)) return { cookies, ended: { token } };
  context.settings.logger.error(new SignOutError('the session could not be read', token));
  return { cookies };
}

async function currentUser(context: Context, isConfirmed = false): Promise<AdapterUser | null> {
  const { settings } = context;
  const { callbacks }: SessionHooks = settings;
  const text = tokenOf(context);
  const store = text === undefined ? undefined : await settings.store();
  if (text === undefined || !store) return null;
  const decodedToken = await decoded(context, text);
  if (decodedToken instanceof JWTSessionError) {
    // `GET session` logs an unreadable cookie. A failure of `jwt.decode` would otherwise not be logged at all.
    if (!isUnreadable(decodedToken)) settings.logger.error(decodedToken);
    return null;
  }
  // The application may have ended the session since it was last read.
  const token = isConfirmed ? await callbacks.jwt({ token: decodedToken }) : decodedToken;
  if (typeof token?.sub !== 'string') return null;
  // Loaded already, with the store. Sessions without a store do not load it.
  const { requireMethod } = await import('../store/methods.ts');
  return requireMethod(store, 'getUser')(token.sub);
}

async function ownerOf(context: Context): Promise<string | undefined> {
  const text = tokenOf(context);
  const token = text === undefined ? undefined : await decoded(context, text);
  if (token === undefined || token instanceof JWTSessionError) return undefined;
  return typeof token.sub === 'string' ? token.sub : '';
}

function tokenOf(context: Context): string | undefined {
  return readChunked(context.cookies, sentName(context.cookies, context.cookieTable.sessionToken));
}

/** Returns the claims of a token, or the error that explains why they are missing; see {@link isUnreadable}. */
async function decoded(context: Context, token: string): Promise<JWT | JWTSessionError> {
  const { settings, cookieTable, cookies, now } = context;
  const { decode, sealingSecrets: secrets } = settings;
  const salt = sentName(cookies, cookieTable.sessionToken);
  try {
    if (!decode) return await open(token, { secrets, salt, now });
    const claims = await decode({ token, secret: secretOf(settings), salt });
    return claims ?? new JWTSessionError('`jwt.decode` returned nothing', { unreadable: true });
  } catch (error) {
    const err = errorOf(error);
    if (decode) return new JWTSessionError('`jwt.decode` threw', { err });
    const unreadable = error instanceof TokenError;
    return new JWTSessionError('the session cookie is unreadable or has expired', { err, unreadable });
  }
}

/** Tests whether the cookie's value itself is invalid. Other failures are not the cookie's fault, so it is kept. */
function isUnreadable({ cause }: JWTSessionError): boolean {
  return cause?.['unreadable'] === true;
}

/**
 * Tests whether a new token has to be issued. By default each read issues one. A host can ask for one only if due,
 * because a late response could restore a session that has ended meanwhile.
 *
 * @param before The token before the callback, as JSON.
 */
function isDue(context: Context, iat: unknown, token: JWT, before: string | undefined): boolean {
  const { call, settings, now, cookies, cookieTable } = context;
  if (call.renew === 'never') return false;
  if (isMoving(cookies, cookieTable.sessionToken)) return true;
  if (call.renew !== 'when-due' || typeof iat !== 'number' || JSON.stringify(token) !== before) return true;
  const { maxAge, updateAge } = settings.session;
  // Sessions shorter than twice `updateAge` are extended after half of their time.
  return now.getTime() / 1000 - iat >= Math.min(updateAge, maxAge / 2, settings.tokenMaxAge / 2);
}

/** Adds the session's id, unless the application's own token has a claim of that name. */
function withSid(token: JWT, sid: unknown): JWT {
  return sid === undefined || token['sid'] !== undefined ? token : { ...token, sid };
}

/**
 * Returns when a session expires.
 *
 * @param iat When its token was issued, in seconds. Default: now.
 */
function expiry({ now, settings }: Context, iat?: unknown): Date {
  const start = typeof iat === 'number' ? iat * 1000 : now.getTime();
  return new Date(start + settings.session.maxAge * 1000);
}

function clear(context: Context): readonly Cookie[] {
  return clearChunked(context.cookies, context.cookieTable.sessionToken);
}

const LARGE: Warning = {
  code: 'session-cookie-size',
  words: 'the session token is large. Return less from `callbacks.jwt`.',
};

/**
 * Encrypts a token into cookies. A token that browsers would not store loses its `picture`.
 *
 * @throws {JWTSessionError} if the token is still too large.
 */
async function issue(context: Context, token: JWT, expires: Date): Promise<readonly Cookie[]> {
  const cookies = await sealedCookies(context, token, expires);
  const length = countSet(cookies);
  if (length <= limits.sessionChunksWarned) return cookies;
  context.settings.logger.warn(LARGE, claimSizes(token));
  if (length <= limits.sessionChunks) return cookies;
  const { picture: _, ...smaller } = token;
  const smallerCookies = await sealedCookies(context, smaller, expires);
  if (countSet(smallerCookies) <= limits.sessionChunks) return smallerCookies;
  throw new JWTSessionError('the session token is larger than cookies can hold. Return less from `callbacks.jwt`');
}

async function sealedCookies(context: Context, token: JWT, expires: Date): Promise<readonly Cookie[]> {
  const { settings, cookieTable, cookies, now } = context;
  const { encode, sealingSecrets: secrets, tokenMaxAge: maxAge } = settings;
  const { name, options } = cookieTable.sessionToken;
  const text = encode
    ? await encode({ token, secret: secretOf(settings), salt: name, maxAge })
    : await seal(token, { secrets, salt: name, maxAge, now });
  return writeChunked(cookies, { name, options: { ...options, expires } }, text);
}

/** Returns the secret as the application has configured it, for the application's own `encode` and `decode`. */
function secretOf({ config, sealingSecrets }: Settings): string | string[] {
  return config.jwt?.secret ?? config.secret ?? [...sealingSecrets];
}

/** Returns how many of the cookies are set, not cleared. */
function countSet(cookies: readonly Cookie[]): number {
  return cookies.filter((cookie) => cookie.value !== '').length;
}

/** Returns the largest claims for the log, with their number of characters and without their values. */
function claimSizes(token: JWT): string {
  return Object.entries(token)
    .map(([claim, value]) => ({ claim, size: JSON.stringify(value)?.length ?? 0 }))
    .sort((a, b) => b.size - a.size)
    .slice(0, 8)
    .map(({ claim, size }) => `${claim}: ${size}`)
    .join(', ');
}
