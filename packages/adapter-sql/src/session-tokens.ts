/** How the tokens of sessions are stored, see `SqlAdapterOptions`. */
export type HashSessionTokens = boolean | 'read';

/** The forms of a session's token that a row can have. `null` equals no row. */
export interface StoredForms extends Readonly<Record<string, string | null>> {
  readonly sessionToken: string | null;
  readonly hashed: string | null;
}

/** How the tokens of sessions are stored. */
export interface SessionTokens {
  /** Rows can have a hash in the place of the token. */
  readonly readsHashes: boolean;
  /** New and extended rows get a hash in the place of the token. */
  readonly writesHashes: boolean;
  /**
   * Returns what a new row stores of a token.
   *
   * @throws {TypeError} if the token itself could be taken for a hash.
   */
  toStore(token: string): Promise<string>;
  /** Returns the forms in which a row can have the token that a browser sent. */
  formsOf(token: string): Promise<StoredForms>;
}

/**
 * Tests whether a row that was found may have been found by one of these forms. A column whose collation ignores case
 * finds the row of a hash also by the text `SHA256:…`, which would open its session.
 */
export function isFoundBy({ hashed }: StoredForms, stored: string): boolean {
  // Columns of a fixed length add spaces.
  return !isHash(stored) || stored.trimEnd() === hashed;
}

const PREFIX = 'sha256:';

/**
 * Returns how tokens are stored.
 *
 * @throws {TypeError} if the option has another value.
 */
export function sessionTokensOf(option: HashSessionTokens = false): SessionTokens {
  if (typeof option !== 'boolean' && option !== 'read') {
    throw new TypeError('`hashSessionTokens` must be true, false or "read"');
  }
  const readsHashes = option !== false;
  const writesHashes = option === true;
  return {
    readsHashes,
    writesHashes,
    toStore: async (token) => {
      if (writesHashes) return hashOf(token);
      // Such a row would never be found again.
      if (isHash(token)) throw new TypeError(`a session token must not begin with ${PREFIX}`);
      return token;
    },
    // A hash from a copy of the database is not compared with the stored text: it would open its session.
    formsOf: async (token) => ({
      sessionToken: isHash(token) ? null : token,
      hashed: readsHashes ? await hashOf(token) : null,
    }),
  };
}

function isHash(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Returns the stored form of a token: 128 random bits or more need neither a salt nor a slow hash. */
async function hashOf(token: string): Promise<string> {
  // WebCrypto works on another thread, which takes as long as a read from SQLite.
  if (builtin?.hash) return PREFIX + builtin.hash('sha256', token, 'base64url');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  const base64 = btoa(String.fromCharCode(...digest));
  return PREFIX + base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The part of `node:crypto` that is used. It is missing on other runtimes. */
interface BuiltinCrypto {
  hash?(algorithm: 'sha256', text: string, encoding: 'base64url'): string;
}

declare const process: { getBuiltinModule?(name: 'node:crypto'): BuiltinCrypto | undefined } | undefined;

const builtin = typeof process === 'undefined' ? undefined : process.getBuiltinModule?.('node:crypto');
