import { open, seal } from './crypto/seal.ts';
import { MissingSecret } from './errors/session.ts';
import type { Awaitable, LoggerInstance, Optional } from './types.ts';
import { parseCookies } from './wire/cookie.ts';
import { readChunked } from './wire/cookie-chunks.ts';
import { cookieTable } from './wire/cookie-table.ts';

const MAX_AGE = 30 * 24 * 60 * 60;

/** The claims the library writes; extend {@link JWT}, not this. */
export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null | undefined;
  email?: string | null | undefined;
  picture?: string | null | undefined;
  /** Id of the user. */
  sub?: string | undefined;
  /** Seconds since 1970 at which the token was issued. */
  iat?: number | undefined;
  /** Seconds since 1970 from which the token no longer counts. */
  exp?: number | undefined;
  /** Identity of the token: its text is none, since base64url has several spellings. */
  jti?: string | undefined;
}

/** The claims of a session token; applications may add members by module augmentation. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** Arguments of {@link encode}. */
export interface JWTEncodeParams<Payload = JWT> {
  /** Seconds. Default: 2592000 (30 days). */
  maxAge?: number | undefined;
  /** What the token is for; session tokens have the name of their cookie. */
  salt: string;
  /** Of a list the first seals. */
  secret: string | string[];
  /** Claims. Default: none but `iat`, `exp` and `jti`, which are always set anew. */
  token?: Payload | undefined;
}

/** Arguments of {@link decode}. */
export interface JWTDecodeParams {
  /** The salt that the token was made with. */
  salt: string;
  /** Of a list each opens. */
  secret: string | string[];
  token?: string | undefined;
}

/** How session tokens are made and read. */
export interface JWTOptions {
  /** Default: the `secret` of the configuration. */
  secret: string | string[];
  /** Seconds a token is valid. Default: `session.maxAge`. */
  maxAge: number;
  /** Makes the text of a token instead of the library's own {@link encode}. */
  encode(params: JWTEncodeParams): Awaitable<string>;
  /** Reads the text of a token instead of the library's own {@link decode}; `null` is no session. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>;
}

/**
 * Issues a token: a compact JWE (`dir`, A256CBC-HS512), readable only with the secret and under the same salt.
 *
 * @throws {TypeError} when there is no secret, or the claims cannot be written as JSON.
 */
export async function encode<Payload = JWT>(params: JWTEncodeParams<Payload>): Promise<string> {
  const { token, secret, salt, maxAge = MAX_AGE } = params;
  return seal(token ?? {}, { secrets: listOf(secret), salt, maxAge, now: new Date() });
}

/**
 * The claims of a token that {@link encode} has issued; `null` for no token.
 *
 * @throws an `Error` named `TokenError`, always the same, when the token is not valid for whatever reason.
 * @throws {TypeError} when there is no secret.
 */
export async function decode<Payload = JWT>(params: JWTDecodeParams): Promise<Payload | null> {
  const { token, secret, salt } = params;
  if (!token) return null;
  return (await open(token, { secrets: listOf(secret), salt, now: new Date() })) as Payload;
}

/** Arguments of {@link getToken}. */
export interface GetTokenParams<R extends boolean = false> {
  /** A request, or anything with its headers. */
  req: Request | { headers: Headers | Record<string, string | readonly string[] | undefined> };
  /** The cookie has the name for https. Default: `false`. */
  secureCookie?: boolean | undefined;
  /** Default: the name of the session cookie. */
  cookieName?: string | undefined;
  /** `true` gives the text of the token, unread. Default: `false`. */
  raw?: R | undefined;
  /** Default: {@link decode}. */
  decode?: JWTOptions['decode'] | undefined;
  /** Accepted for compatibility; nothing is logged. */
  logger?: Optional<LoggerInstance> | undefined;
  /** Needed unless `raw`. The environment is not read. */
  secret?: JWTDecodeParams['secret'] | undefined;
  /** Default: `cookieName`. */
  salt?: JWTDecodeParams['salt'] | undefined;
}

/**
 * The session token of a request, from its cookie or else from `Authorization: Bearer …` (percent-encoded): its claims, or
 * with `raw` its text. `null` when there is none or it is not valid.
 *
 * @throws {MissingSecret} when there is a token and no secret to read it with.
 */
export async function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<R extends true ? string : JWT | null>;
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const { req, secureCookie = false, raw, secret, decode: read = decode } = params;
  const { cookieName = cookieTable(secureCookie).sessionToken.name } = params;
  if (!req) throw new Error('Must pass `req` to JWT getToken()');
  const cookies = parseCookies(headerOf(req.headers, 'cookie'));
  const token = readChunked(cookies, cookieName) ?? bearerOf(headerOf(req.headers, 'authorization'));
  if (!token) return null;
  if (raw) return token;
  if (!secret?.length) throw new MissingSecret('Must pass `secret` if not set to JWT getToken()');
  try {
    return await read({ token, secret, salt: params.salt ?? cookieName });
  } catch {
    // Also where the application's own `decode` throws: by contract a token that cannot be read is no token.
    return null;
  }
}

/** RFC 6750 §2.1. The scheme is compared as the rest of the family does, letter by letter. */
function bearerOf(authorization: string | undefined): string | undefined {
  const [scheme, encoded] = authorization?.split(' ') ?? [];
  if (scheme !== 'Bearer' || !encoded) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined; // Malformed percent-encoding: not a token of ours.
  }
}

/** A header by its lower-case name. Not by `new Headers(…)`, which throws on the pseudo-headers of HTTP/2. */
function headerOf(headers: GetTokenParams['req']['headers'], name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const found = Object.entries(headers as Record<string, string | readonly string[] | undefined>).find(
    ([key]) => key.toLowerCase() === name,
  );
  const value = found?.[1];
  return typeof value === 'object' ? value.join('; ') : value;
}

function listOf(secret: string | readonly string[]): readonly string[] {
  return typeof secret === 'string' ? [secret] : secret;
}
