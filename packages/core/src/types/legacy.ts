import type { JWT } from './session.ts';
import type { Awaitable } from './user.ts';

/** A session that another library has started, as a {@link LegacyReader} finds it. */
export interface LegacySession {
  /** Id of the user in the present store. Without an adapter it becomes the `sub` of the session token. */
  userId: string;
  /** When the old session expires. The new session does not expire later at first. */
  expires: Date;
  /**
   * When the old session was issued. If all sessions of the user were ended later, the old one is refused. Default: not
   * known, so that each such end refuses it.
   */
  issuedAt?: Date | undefined;
  /**
   * Claims of the old token. With `session.strategy: 'jwt'`, `callbacks.jwt` receives them as `token`. Default: name,
   * address and picture of the user.
   */
  claims?: JWT | undefined;
  /** Identifies the old session for {@link LegacyReader.end}. Default: the reader does not need it. */
  id?: string | undefined;
}

/**
 * Reads the sessions of the library that the application has used before. `@latchkey/migrate` has readers for
 * NextAuth.js v4, Better Auth, express-session and Lucia.
 *
 * ```ts
 * const reader: LegacyReader = {
 *   name: 'our old sessions',
 *   cookies: ['sid'],
 *   until: '2027-06-30',
 *   read: (cookies) => oldSession(cookies.get('sid')), // { userId, expires } or null
 *   end: ({ id }) => deleteOldSession(id),
 * };
 * ```
 */
export interface LegacyReader {
  /** Names the reader in the log and in the event `legacySession`. */
  readonly name: string;
  /** The names of the cookies that it reads. They are removed from the browser when the old session ends. */
  readonly cookies: readonly string[];
  /** The reader is not called after this instant: a `Date` or an ISO 8601 string, at most 366 days ahead. */
  readonly until: Date | string;
  /**
   * Leaves the old cookie and the old session in place, so that the application can return to the other library. They
   * end with a sign-out, and when the new session has expired. Default: `false`.
   */
  readonly keep?: boolean | undefined;
  /** The `Domain` of the old cookies (RFC 6265 §4.1.2.3). Default: none, so that only the host has them. */
  readonly domain?: string | undefined;
  /** The `Path` of the old cookies. Default: `/`. */
  readonly path?: string | undefined;
  /** Mistakes in the reader's own options, each with its remedy. They are reported with those of the configuration. */
  readonly problems?: readonly string[] | undefined;
  /**
   * Returns the old session; `null` without a session, or if a signature is wrong. If it throws, the response has no
   * session, and the cookies stay.
   *
   * @param cookies Those of {@link cookies} that the request has, decoded. The chunks of a large value are joined.
   * @param now The time of the request.
   */
  read(cookies: ReadonlyMap<string, string>, now: Date): Awaitable<LegacySession | null>;
  /** Deletes the old session from its store. Default: it has no store, or stays there until it expires. */
  end?(session: LegacySession): Awaitable<void>;
}
