import type { Awaitable, LegacyReader } from '@latchkey/core/types';
import { makeReader, type OldSession, type ReaderOptions, sessionOf } from './reader.ts';

/** Options of {@link Lucia}. */
export interface LuciaOptions extends ReaderOptions {
  /** Returns the session with this id from the old table; `null` without such a row. */
  findSession: (id: string) => Awaitable<OldSession | null | undefined>;
  /** Deletes the session with this id from the old table. Default: it stays there until it expires. */
  endSession?: ((id: string) => Awaitable<unknown>) | undefined;
  /**
   * The table has hashed ids, as the guides of Lucia show it after version 3: the SHA-256 of the cookie, in hexadecimal
   * digits. Default: `false`.
   */
  hashed?: boolean | undefined;
}

/** An id of Lucia has 40 characters; applications could make their own. */
const LONGEST_ID = 512;

/**
 * Reads the sessions of Lucia 3: the cookie `auth_session`, with the id of a row.
 *
 * ```ts
 * const reader = Lucia({
 *   findSession: (id) => oldSession(id), // { userId, expires } or null
 *   endSession: (id) => deleteOldSession(id),
 *   until: '2027-06-30',
 * });
 * ```
 */
export function Lucia(options: LuciaOptions): LegacyReader {
  const { findSession, endSession, hashed } = options;
  const isFound = typeof findSession === 'function';
  return makeReader(options, {
    name: 'lucia',
    cookie: 'auth_session',
    problems: isFound ? [] : ['`findSession` must be a function. Look the id up in the table of sessions'],
    async find(value) {
      if (value.length > LONGEST_ID) return null;
      const id = hashed ? await sha256Hex(value) : value;
      return sessionOf(await findSession(id), id);
    },
    end: endSession && (({ id = '' }) => endSession(id)),
  });
}

async function sha256Hex(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
