import type { Awaitable, User } from './user.ts';

/** The claims that the library writes. To add claims, extend {@link JWT}, not this type. */
export interface DefaultJWT extends Record<string, unknown> {
  /** Display name of the user (OpenID Connect Core §5.1). Absent or `null` if it is unknown. */
  name?: string | null | undefined;
  /** Email address of the user (OpenID Connect Core §5.1). Absent or `null` if it is unknown. */
  email?: string | null | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Id of the user (RFC 7519 §4.1.2). */
  sub?: string | undefined;
  /** Seconds since 1970 at which the token was issued (RFC 7519 §4.1.6). */
  iat?: number | undefined;
  /** Seconds since 1970 at which the token expires (RFC 7519 §4.1.4). */
  exp?: number | undefined;
  /**
   * Id of the token (RFC 7519 §4.1.7). The text of a token does not identify it, because one token has several
   * spellings.
   */
  jti?: string | undefined;
}

/**
 * The claims of a session token. An application can add claims:
 *
 * ```ts
 * declare module '@latchkey/core/jwt' {
 *   interface JWT {
 *     role?: string;
 *   }
 * }
 * ```
 */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** Parameters of `encode`. */
export interface JWTEncodeParams<Payload = JWT> {
  /** Seconds that the token is valid. Default: 2592000 (30 days). */
  maxAge?: number | undefined;
  /** Purpose of the token. For session tokens it is the name of the session cookie. */
  salt: string;
  /** With a list, the first secret seals. */
  secret: string | string[];
  /** Claims. `iat`, `exp` and `jti` are always replaced. Default: no other claims. */
  token?: Payload | undefined;
}

/** Parameters of `decode`. */
export interface JWTDecodeParams {
  /** The `salt` with which the token was encoded. */
  salt: string;
  /** With a list, each secret can open the token. */
  secret: string | string[];
  /** The text of the token. */
  token?: string | undefined;
}

/** How session tokens are encoded and decoded. */
export interface JWTOptions {
  /** Seals the tokens. Default: the `secret` of the configuration. */
  secret: string | string[];
  /** Seconds that a token is valid. Default: `session.maxAge`. */
  maxAge: number;
  /** Returns the text of a token. Default: an encrypted token (JWE, RFC 7516). */
  encode(params: JWTEncodeParams): Awaitable<string>;
  /** Returns the claims of a token; `null` if it is not valid. Default: decrypts the tokens of the default `encode`. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>;
}

/** The members of every session. To add members, extend {@link Session}, not this type. */
export interface DefaultSession {
  /** The signed-in user: `name`, `email` and `image`, and what `callbacks.session` adds. */
  user?: User | undefined;
  /** Instant at which the session expires unless it is extended, in ISO 8601. */
  expires: string;
}

/**
 * A session, as the client sees it. An application can add members:
 *
 * ```ts
 * declare module '@latchkey/core/types' {
 *   interface Session {
 *     role?: string;
 *   }
 * }
 * ```
 */
export interface Session extends DefaultSession {}

/** Facts about the mail that a browser has requested, for the application's own page. Instants are in ISO 8601. */
export interface MailStatus {
  /** The address. It is masked (`a…@e….com`) if the visitor has not typed it. */
  email: string;
  /** Whether the visitor can type the code of the mail. `false` after too many wrong codes, too. */
  code: boolean;
  /** When the mail was last sent. */
  sentAt: string;
  /** From this instant on, the mail can be sent again. */
  resendAt: string;
  /** When the link and the code expire. */
  expires: string;
}
