import { limits } from '../config/defaults.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { open, seal, TokenError } from '../crypto/seal.ts';
import { errorOf, JWTSessionError } from '../errors.ts';
import type { Warning } from '../log/logger.ts';
import type { Cookie } from '../types/config.ts';
import type { JWT } from '../types/session.ts';
import { clearChunked, readChunked, writeChunked } from '../wire/cookie-chunks.ts';
import { sentName } from '../wire/cookie-names.ts';

/** The instant at which a session is over at the latest, in milliseconds. */
interface SessionLimit {
  readonly until: number;
}

/** Returns the token in the request's cookies; `undefined` without one. */
export function tokenOf(context: Context): string | undefined {
  return readChunked(context.cookies, sentName(context.cookies, context.cookieTable.sessionToken));
}

/** Returns the claims of a token, or the error that explains why they are missing; see {@link isUnreadable}. */
export async function decodeToken(context: Context, token: string): Promise<JWT | JWTSessionError> {
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
export function isUnreadable({ cause }: JWTSessionError): boolean {
  return cause?.['unreadable'] === true;
}

/**
 * Returns when a session expires.
 *
 * @param limit Default: no limit.
 * @param iat When its token was issued, in seconds. Default: now.
 */
export function tokenExpiry({ now, settings }: Context, limit: SessionLimit | undefined, iat?: unknown): Date {
  const start = typeof iat === 'number' ? iat * 1000 : now.getTime();
  return new Date(Math.min(start + settings.session.maxAge * 1000, limit?.until ?? Number.POSITIVE_INFINITY));
}

/** Returns the seconds for which a new token is valid. Whole seconds, which do not exceed the limit. */
function tokenAge({ now, settings }: Context, limit: SessionLimit | undefined): number {
  const left = limit ? Math.floor((limit.until - now.getTime()) / 1000) : Number.POSITIVE_INFINITY;
  return Math.min(settings.tokenMaxAge, left);
}

/** Returns the cookies that remove the token from the browser, with the provider tokens that belong to its session. */
export function clearToken(context: Context): readonly Cookie[] {
  return [...clearChunked(context.cookies, context.cookieTable.sessionToken), ...clearProviderTokens(context)];
}

/** Returns the cookies that remove the provider tokens from the browser. Empty unless they are kept in a cookie. */
export function clearProviderTokens({ settings, cookies, cookieTable }: Context): readonly Cookie[] {
  return settings.tokens?.isInCookie ? clearChunked(cookies, cookieTable.tokens) : [];
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
export async function issueToken(
  context: Context,
  token: JWT,
  limit: SessionLimit | undefined,
): Promise<readonly Cookie[]> {
  const cookies = await sealedCookies(context, token, limit);
  const length = countSet(cookies);
  if (length <= limits.sessionChunksWarned) return cookies;
  context.settings.logger.warn(LARGE, claimSizes(token));
  if (length <= limits.sessionChunks) return cookies;
  const { picture: _, ...smaller } = token;
  const smallerCookies = await sealedCookies(context, smaller, limit);
  if (countSet(smallerCookies) <= limits.sessionChunks) return smallerCookies;
  throw new JWTSessionError('the session token is larger than cookies can hold. Return less from `callbacks.jwt`');
}

async function sealedCookies(
  context: Context,
  token: JWT,
  limit: SessionLimit | undefined,
): Promise<readonly Cookie[]> {
  const { settings, cookieTable, cookies, now } = context;
  const { encode, sealingSecrets: secrets } = settings;
  const maxAge = tokenAge(context, limit);
  const expires = tokenExpiry(context, limit);
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
