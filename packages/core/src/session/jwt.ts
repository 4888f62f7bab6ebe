import { chain, rescue } from '../chain.ts';
import { limits } from '../config/defaults.ts';
import { errorOf } from '../config/hooks.ts';
import { lazily } from '../config/lazy.ts';
import type { Context } from '../context.ts';
import { JWTSessionError } from '../errors/session.ts';
import type { JWT } from '../jwt.ts';
import type { Awaitable, Cookie, JWTCallbackParams, Session } from '../types.ts';
import { clearChunked, readChunked } from '../wire/cookie-chunks.ts';
import { jwtSessionParams } from './expose.ts';
import { count, decoded, sealedCookies } from './sealed-token.ts';
import type { SessionAnswer, SessionUpdate } from './strategy.ts';

/**
 * Reads a session that lives in an encrypted cookie, and re-issues it. Nearly every request does this and nothing else, so the rest of
 * the strategy is in files of its own.
 */
export function readJwt(context: Context, update?: SessionUpdate): Awaitable<SessionAnswer> {
  const value = readChunked(context.cookies, context.cookieTable.sessionToken.name);
  if (value === undefined) return NONE;
  return chain(decoded(context, value), (payload) => {
    if (!(payload instanceof JWTSessionError))
      return rescue(
        () => reissue(context, payload, update),
        (error) => notReissued(context, error),
      );
    const answer = payload.cause?.unreadable === true ? { session: null, cookies: clear(context) } : NONE;
    return chain(context.settings.logger.error(payload), () => answer);
  });
}

const NONE: SessionAnswer = Object.freeze({ session: null, cookies: Object.freeze([]) });

/** The cookie stays: nothing is wrong with it, and the next request may succeed. */
function notReissued({ settings: { logger } }: Context, error: unknown): Awaitable<SessionAnswer> {
  const told = logger.error(new JWTSessionError('the session could not be re-issued', { err: errorOf(error) }));
  return chain(told, () => NONE);
}

function reissue(context: Context, payload: JWT, update: SessionUpdate | undefined): Awaitable<SessionAnswer> {
  const { callbacks, emit } = context.settings;
  const { sid, iat } = payload;
  // Callbacks may change the token in place.
  const before = context.call.onlyWhenDue ? JSON.stringify(payload) : undefined;
  const params = { token: payload, ...(update && { trigger: 'update' }), session: update?.data };
  return chain(callbacks.jwt(params as unknown as JWTCallbackParams), (token): Awaitable<SessionAnswer> => {
    if (token === null) return { session: null, cookies: clear(context) };
    const isIssued = isDue(context, iat, token, before);
    const expires = expiry(context, isIssued ? undefined : iat);
    return chain(callbacks.session(jwtSessionParams(token, expires, update)), (session) =>
      chain(isIssued ? issue(context, withSid(token, sid), expires) : [], (cookies) =>
        chain(emit('session', { session: session as Session, token }), () => ({ session, cookies })),
      ),
    );
  });
}

/**
 * Is a new token to be issued? With each reading, unless the host wants it only when it is due: an answer that comes late could bring
 * back a session that has ended meanwhile.
 *
 * @param before What the token was before the callbacks, as JSON.
 */
function isDue({ call, settings, now }: Context, iat: unknown, token: JWT, before: string | undefined): boolean {
  if (call.readOnly) return false;
  if (!call.onlyWhenDue || typeof iat !== 'number' || JSON.stringify(token) !== before) return true;
  const { maxAge, updateAge } = settings.session;
  // Short sessions are extended when half of them is over.
  return now.getTime() / 1000 - iat >= Math.min(updateAge, maxAge / 2, settings.tokenMaxAge / 2);
}

/** The session's own identity; the application's claim of that name, where it has one, is left alone. */
export function withSid(token: JWT, sid: unknown): JWT {
  return sid === undefined || token.sid !== undefined ? token : { ...token, sid };
}

/**
 * When a session ends.
 *
 * @param iat When its token was issued, in seconds. Default: now.
 */
export function expiry({ now, settings }: Context, iat?: unknown): Date {
  const start = typeof iat === 'number' ? iat * 1000 : now.getTime();
  return new Date(start + settings.session.maxAge * 1000);
}

/** Clears the session's cookies. */
export function clear(context: Context): readonly Cookie[] {
  return clearChunked(context.cookies, context.cookieTable.sessionToken);
}

const tooLarge = lazily(async () => (await import('./jwt-size.ts')).issueSmaller);

/** Seals the token into cookies. One that no browser would keep loses its picture; if that is not enough, it fails. */
export function issue(context: Context, token: JWT, expires: Date): Awaitable<readonly Cookie[]> {
  return chain(sealedCookies(context, token, expires), (sealed) =>
    sealed.length <= limits.sessionChunksWarned || count(sealed) <= limits.sessionChunksWarned
      ? sealed
      : chain(tooLarge(), (issueSmaller) => issueSmaller(context, token, expires, sealed)),
  );
}
