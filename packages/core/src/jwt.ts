import { LONGEST_TOKEN, open, seal } from './crypto/seal.ts';
import { MissingSecret } from './errors.ts';
import type { LoggerInstance } from './types/config.ts';
import type { JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions } from './types/session.ts';
import type { Awaitable, Optional } from './types/user.ts';
import { parseCookies } from './wire/cookie.ts';
import { readAllChunked, readChunked } from './wire/cookie-chunks.ts';
import { cookieTable } from './wire/cookie-table.ts';

// Named one by one, so that `declare module '@latchkey/core/jwt'` extends these interfaces.
export type { DefaultJWT, JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions } from './types/session.ts';

const MAX_AGE = 30 * 24 * 60 * 60;

/**
 * Encrypts claims into a compact JWE (RFC 7516; `dir`, A256CBC-HS512). It can be read only with the same secret and
 * salt. `iat`, `exp` and `jti` are always set.
 *
 * ```ts
 * const secret = process.env.AUTH_SECRET;
 * const token = await encode({ token: { sub: user.id }, secret, salt: 'invitation', maxAge: 3600 });
 * ```
 *
 * @throws {TypeError} if there is no secret, or JSON cannot represent the claims.
 * @throws {RangeError} if the token is longer than the 131,072 characters that {@link decode} reads.
 */
export async function encode<Payload = JWT>(params: JWTEncodeParams<Payload>): Promise<string> {
  const { token, secret, salt, maxAge = MAX_AGE } = params;
  const sealed = await seal(token ?? {}, { secrets: listOf(secret), salt, maxAge, now: new Date() });
  if (sealed.length <= LONGEST_TOKEN) return sealed;
  throw new RangeError(
    `the token has ${sealed.length} characters, and \`decode\` reads at most ${LONGEST_TOKEN}. Put less into \`token\``,
  );
}

/**
 * Decrypts a token of {@link encode} and returns its claims; `null` without a token.
 *
 * ```ts
 * const claims = await decode({ token, secret: process.env.AUTH_SECRET, salt: 'invitation' });
 * ```
 *
 * @throws an `Error` with the name `TokenError` if the token is not valid. The error does not say why.
 * @throws {TypeError} if there is no secret.
 */
export async function decode<Payload = JWT>(params: JWTDecodeParams): Promise<Payload | null> {
  const { token, secret, salt } = params;
  if (!token) return null;
  return (await open(token, { secrets: listOf(secret), salt, now: new Date() })) as Payload;
}

/** Arguments of {@link getToken}. */
export interface GetTokenParams<R extends boolean = false> {
  /** A request, or an object with its headers. */
  req: Request | { headers: Headers | Record<string, string | readonly string[] | undefined> };
  /** Whether the cookie has the name that is used with https. Default: `false`. */
  secureCookie?: boolean | undefined;
  /** Default: the name of the session cookie. Required with an own name, and with `cookies.prefix`. */
  cookieName?: string | undefined;
  /** Whether to return the encrypted text. Default: `false`. */
  raw?: R | undefined;
  /** Default: {@link decode}. */
  decode?: JWTOptions['decode'] | undefined;
  /** Accepted for compatibility with Auth.js v5. The function does not log. */
  logger?: Optional<LoggerInstance> | undefined;
  /** Required unless `raw` is set. The environment is not read. */
  secret?: JWTDecodeParams['secret'] | undefined;
  /** Default: `cookieName`. */
  salt?: JWTDecodeParams['salt'] | undefined;
}

/**
 * Returns the claims of a request's session token, or with `raw` its encrypted text; `null` if the token is absent or
 * not valid. The token is read from the session cookie, else from `Authorization: Bearer …`, percent-encoded.
 *
 * ```ts
 * const claims = await getToken({ req: request, secret: process.env.AUTH_SECRET, secureCookie: true });
 * if (!claims) return new Response('Unauthorized', { status: 401 });
 * ```
 *
 * @throws {MissingSecret} if there is a token but no secret to decrypt it.
 */
export async function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<R extends true ? string : JWT | null>;
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const { req, secureCookie = false, raw, secret, decode: read = decode } = params;
  const { cookieName = cookieTable(secureCookie).sessionToken.name } = params;
  if (!req) throw new Error('Must pass `req` to JWT getToken()');
  const header = headerOf(req.headers, 'cookie');
  const cookie = readChunked(parseCookies(header), cookieName) ?? readAllChunked(header, cookieName)[0];
  const token = cookie ?? bearerOf(headerOf(req.headers, 'authorization'));
  if (!token) return null;
  if (raw) return token;
  if (!secret?.length) throw new MissingSecret('Must pass `secret` if not set to JWT getToken()');
  const salt = params.salt ?? cookieName;
  const claims = await readOrNull(() => read({ token, secret, salt }));
  if (claims) return claims;
  // A subdomain can set a cookie of the same name, which comes first.
  for (const other of readAllChunked(header, cookieName)) {
    const found = other === token ? null : await readOrNull(() => read({ token: other, secret, salt }));
    if (found) return found;
  }
  return null;
}

/** As in Auth.js v5, a token that cannot be decrypted counts as absent, even if the application's `decode` throws. */
async function readOrNull(read: () => Awaitable<JWT | null>): Promise<JWT | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}

/** Reads the bearer token (RFC 6750 §2.1). As in Auth.js v5, the scheme is case-sensitive. */
function bearerOf(authorization: string | undefined): string | undefined {
  const [scheme, encoded] = authorization?.split(' ') ?? [];
  if (scheme !== 'Bearer' || !encoded) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined; // Malformed percent-encoding.
  }
}

/** Returns a header by its lower-case name. `new Headers(…)` would throw on the pseudo-headers of HTTP/2. */
function headerOf(headers: GetTokenParams['req']['headers'], name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'object' ? value.join('; ') : value;
}

/** Tests for the method, because `Headers` of other libraries are not instances of the global class. */
function isHeaders(headers: GetTokenParams['req']['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

function listOf(secret: string | readonly string[]): readonly string[] {
  return typeof secret === 'string' ? [secret] : secret;
}
