import { limits } from '../config/defaults.ts';
import type { Warning } from '../config/logger.ts';
import type { Context } from '../context.ts';
import { JWTSessionError } from '../errors.ts';
import type { JWT } from '../jwt.ts';
import type { Cookie } from '../types.ts';
import { count, sealedCookies } from './sealed-token.ts';

const LARGE: Warning = {
  code: 'session-cookie-size',
  words: 'the session token is large. Return less from `callbacks.jwt`.',
};

/**
 * A token of many cookies, told to the log. One that no browser would keep loses its picture.
 *
 * @param sealed The cookies of the whole token.
 * @throws {JWTSessionError} when that is not enough.
 */
export async function issueSmaller(
  context: Context,
  token: JWT,
  expires: Date,
  sealed: readonly Cookie[],
): Promise<readonly Cookie[]> {
  await context.settings.logger.warn(LARGE, sizes(token));
  if (count(sealed) <= limits.sessionChunks) return sealed;
  const { picture: _, ...smaller } = token;
  const again = await sealedCookies(context, smaller, expires);
  if (count(again) <= limits.sessionChunks) return again;
  throw new JWTSessionError('the session token is larger than cookies can hold. Return less from `callbacks.jwt`');
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
