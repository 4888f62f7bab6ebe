import type { AdapterUser } from '../adapters.ts';
import { attempt, chain } from '../chain.ts';
import { limits } from '../config/defaults.ts';
import { errorOf } from '../config/hooks.ts';
import { need } from '../config/need.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { open, seal, TokenError } from '../crypto/seal.ts';
import { JWTSessionError, SignOutError } from '../errors/session.ts';
import type { JWT } from '../jwt.ts';
import type { Awaitable, Cookie, JWTCallbackParams, Session } from '../types.ts';
import { clearChunked, readChunked, writeChunked } from '../wire/cookie-chunks.ts';
import { jwtSessionParams } from './expose.ts';
import type { SessionAnswer, SessionStrategy, SessionUpdate, SignedIn } from './strategy.ts';

/** Sessions that live in an encrypted cookie; re-issued whenever they are read. */
export const jwtStrategy: SessionStrategy = { start, read, end, currentUser };

async function start(context: Context, { user, account, profile, isNewUser }: SignedIn): Promise<readonly Cookie[]> {
  const sid = crypto.randomUUID();
  const token: JWT = { name: user.name, email: user.email, picture: user.image, sub: user.id?.toString() };
  const trigger = isNewUser ? 'signUp' : 'signIn';
  const params: JWTCallbackParams = { token, user, account, ...(profile && { profile }), isNewUser, trigger };
  const result = await context.settings.callbacks.jwt(params);
  return result === null ? clear(context) : issue(context, withSid(result, sid), expiry(context));
}

function read(context: Context, update?: SessionUpdate): Awaitable<SessionAnswer> {
  const value = readChunked(context.cookies, context.cookieTable.sessionToken.name);
  if (value === undefined) return NONE;
  return chain(decoded(context, value), (payload) => {
    if (!(payload instanceof JWTSessionError))
      return attempt(
        () => reissue(context, payload, update),
        asItIs,
        (error) => notReissued(context, error),
      );
    context.settings.logger.error(payload);
    return payload.cause?.unreadable === true ? { session: null, cookies: clear(context) } : NONE;
  });
}

const NONE: SessionAnswer = Object.freeze({ session: null, cookies: Object.freeze([]) });

const asItIs = (answer: SessionAnswer): SessionAnswer => answer;

/** The cookie stays: nothing is wrong with it, and the next request may succeed. */
function notReissued({ settings: { logger } }: Context, error: unknown): SessionAnswer {
  logger.error(new JWTSessionError('the session could not be re-issued', { err: errorOf(error) }));
  return NONE;
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

async function end(context: Context): Promise<readonly Cookie[]> {
  const { settings } = context;
  const value = readChunked(context.cookies, context.cookieTable.sessionToken.name);
  if (value !== undefined) {
    const payload = await decoded(context, value);
    if (payload instanceof JWTSessionError)
      settings.logger.error(new SignOutError('the session could not be read', payload));
    else await settings.emit('signOut', { token: payload });
  }
  return clear(context);
}

async function currentUser(context: Context, isConfirmed = false): Promise<AdapterUser | null> {
  const value = readChunked(context.cookies, context.cookieTable.sessionToken.name);
  const store = value === undefined ? undefined : await context.settings.store();
  if (value === undefined || !store) return null;
  const payload = await decoded(context, value);
  if (payload instanceof JWTSessionError) {
    // A bad cookie is told where the session is read. That nobody is signed in, because `jwt.decode` failed, would be told nowhere.
    if (payload.cause?.unreadable !== true) context.settings.logger.error(payload);
    return null;
  }
  // A session that the application has ended links nothing and adds nothing, though nobody has read it since.
  const token = isConfirmed
    ? await context.settings.callbacks.jwt({ token: payload } as unknown as JWTCallbackParams)
    : payload;
  return typeof token?.sub === 'string' ? need(store, 'getUser')(token.sub) : null;
}

/** The session's own identity; the application's claim of that name, where it has one, is left alone. */
function withSid(token: JWT, sid: unknown): JWT {
  return sid === undefined || token.sid !== undefined ? token : { ...token, sid };
}

/** @param iat When the token was issued, in seconds. Default: now. */
function expiry({ now, settings }: Context, iat?: unknown): Date {
  const start = typeof iat === 'number' ? iat * 1000 : now.getTime();
  return new Date(start + settings.session.maxAge * 1000);
}

function clear(context: Context): readonly Cookie[] {
  return clearChunked(context.cookies, context.cookieTable.sessionToken);
}

/** The claims of a session cookie's value, or why there are none; `cause.unreadable`: the value itself is bad or expired. */
function decoded(context: Context, token: string): Awaitable<JWT | JWTSessionError> {
  const { settings, cookieTable, now } = context;
  const salt = cookieTable.sessionToken.name;
  const { decode, sealingSecrets: secrets } = settings;
  return decode
    ? attempt(() => decode({ token, secret: secretOf(settings), salt }), payloadOf, notDecoded)
    : attempt(() => open(token, { secrets, salt, now }), payloadOf, notOpened);
}

function payloadOf(payload: JWT | null): JWT | JWTSessionError {
  return payload ?? new JWTSessionError('`jwt.decode` returned nothing', { unreadable: true });
}

function notDecoded(error: unknown): JWTSessionError {
  return new JWTSessionError('`jwt.decode` threw', { err: errorOf(error) });
}

function notOpened(error: unknown): JWTSessionError {
  // Anything else is our own fault, and no reason to take the visitor's cookie.
  const unreadable = error instanceof TokenError;
  return new JWTSessionError('the session cookie is unreadable or has expired', { err: errorOf(error), unreadable });
}

/** As the application gave it, for its own `encode` and `decode`. */
function secretOf({ config, sealingSecrets }: Settings): string | string[] {
  return config.jwt?.secret ?? config.secret ?? [...sealingSecrets];
}

/** Seals the token into cookies. One that no browser would keep loses its picture; if that is not enough, it fails. */
function issue(context: Context, token: JWT, expires: Date): Awaitable<readonly Cookie[]> {
  return chain(sealedCookies(context, token, expires), (sealed) =>
    sealed.length <= limits.sessionChunksWarned || count(sealed) <= limits.sessionChunksWarned
      ? sealed
      : issueSmaller(context, token, expires, sealed),
  );
}

async function issueSmaller(
  context: Context,
  token: JWT,
  expires: Date,
  sealed: readonly Cookie[],
): Promise<readonly Cookie[]> {
  context.settings.logger.warn('session-cookie-size', sizes(token));
  if (count(sealed) <= limits.sessionChunks) return sealed;
  const { picture: _, ...smaller } = token;
  const again = await sealedCookies(context, smaller, expires);
  if (count(again) <= limits.sessionChunks) return again;
  throw new JWTSessionError('the session token is larger than cookies can hold. Return less from `callbacks.jwt`');
}

function sealedCookies(context: Context, token: JWT, expires: Date): Awaitable<readonly Cookie[]> {
  const { name, options } = context.cookieTable.sessionToken;
  return chain(sealedText(context, token), (text) =>
    writeChunked(context.cookies, { name, options: { ...options, expires } }, text),
  );
}

function sealedText(context: Context, token: JWT): Awaitable<string> {
  const { settings, cookieTable, now } = context;
  const salt = cookieTable.sessionToken.name;
  const maxAge = settings.tokenMaxAge;
  if (settings.encode) return settings.encode({ token, secret: secretOf(settings), salt, maxAge });
  return seal(token, { secrets: settings.sealingSecrets, salt, maxAge, now });
}

function count(cookies: readonly Cookie[]): number {
  return cookies.filter((cookie) => cookie.value !== '').length;
}

/** What makes the token large, for the log: characters by claim, without their values. */
function sizes(token: JWT): string {
  const entries = Object.entries(token).map(([claim, value]) => [claim, JSON.stringify(value)?.length ?? 0] as const);
  return entries
    .sort((a, b) => b[1] - a[1])
    .slice(0, 8)
    .map(([claim, size]) => `${claim}: ${size}`)
    .join(', ');
}
