import { attempt, chain } from '../chain.ts';
import { errorOf } from '../config/hooks.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { open, seal, TokenError } from '../crypto/seal.ts';
import { JWTSessionError } from '../errors/session.ts';
import type { JWT } from '../jwt.ts';
import type { Awaitable, Cookie } from '../types.ts';
import { writeChunked } from '../wire/cookie-chunks.ts';

/** The claims of a session cookie's value, or why there are none; `cause.unreadable`: the value itself is bad or expired. */
export function decoded(context: Context, token: string): Awaitable<JWT | JWTSessionError> {
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

/** The token as cookies, however many it takes. */
export function sealedCookies(context: Context, token: JWT, expires: Date): Awaitable<readonly Cookie[]> {
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

/** As the application gave it, for its own `encode` and `decode`. */
function secretOf({ config, sealingSecrets }: Settings): string | string[] {
  return config.jwt?.secret ?? config.secret ?? [...sealingSecrets];
}

/** How many cookies are set, and not cleared. */
export function count(cookies: readonly Cookie[]): number {
  return cookies.filter((cookie) => cookie.value !== '').length;
}
