import type { JWT } from '@latchkey/core/jwt';
import type { Awaitable, LegacyReader, LegacySession } from '@latchkey/core/types';
import { makeReader, type ReaderOptions, secretsOf, userIdOf } from './reader.ts';
import { bytesOf } from './signature.ts';

/** The methods of an adapter of NextAuth.js v4 that the reader calls. Ids can be numbers, and dates can be text. */
export interface NextAuth4Store {
  /** Returns the row of a session with its user; `null` without such a row. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: { expires: Date }; user: { id: string } } | null>;
  /** Deletes the row of a session. */
  deleteSession?(sessionToken: string): Awaitable<unknown>;
}

/** Options of {@link NextAuth4}: `secret` for sessions in a cookie, `adapter` for sessions in a database, or both. */
export interface NextAuth4Options extends ReaderOptions {
  /** The secret of NextAuth.js, `NEXTAUTH_SECRET`. A list if it was changed. */
  secret?: string | readonly string[] | undefined;
  /** The adapter of NextAuth.js, with the table of sessions. It must be able to read the old rows. */
  adapter?: NextAuth4Store | undefined;
}

/**
 * Reads the sessions of NextAuth.js v4: the cookie `next-auth.session-token`, with an encrypted token (RFC 7516, `dir`
 * and `A256GCM`), or the token of a row.
 *
 * ```ts
 * const reader = NextAuth4({ secret: process.env.NEXTAUTH_SECRET, until: '2027-06-30' });
 * ```
 */
export function NextAuth4(options: NextAuth4Options): LegacyReader {
  const { adapter } = options;
  const secrets = secretsOf(options.secret);
  const isComplete = secrets.length > 0 || typeof adapter?.getSessionAndUser === 'function';
  return makeReader(options, {
    name: 'next-auth-4',
    cookie: 'next-auth.session-token',
    problems: isComplete ? [] : ['set `secret` for sessions in a cookie, or `adapter` for sessions in a database'],
    // The five parts of an encrypted token. The token of a row is a random text without dots.
    find: (text, now) => (text.includes('.') ? findToken(secrets, text, now) : findRow(adapter, text)),
    end: adapter && (({ id }) => id !== undefined && adapter.deleteSession?.(id)),
  });
}

async function findRow(adapter: NextAuth4Store | undefined, token: string): Promise<LegacySession | null> {
  const found = await adapter?.getSessionAndUser?.(token);
  return found ? { userId: userIdOf(found.user.id), expires: new Date(found.session.expires), id: token } : null;
}

async function findToken(secrets: readonly string[], text: string, now: Date): Promise<LegacySession | null> {
  for (const secret of secrets) {
    const claims = await decrypted(secret, text);
    if (!claims) continue;
    const { sub, exp, iat } = claims;
    if (typeof sub !== 'string' || typeof exp !== 'number' || exp * 1000 <= now.getTime()) return null;
    return { userId: sub, expires: new Date(exp * 1000), issuedAt: new Date(Number(iat) * 1000), claims };
  }
  return null;
}

/** Returns the claims of an encrypted token; `null` if the key does not open it. Other algorithms are refused. */
async function decrypted(secret: string, text: string): Promise<JWT | null> {
  const [header = '', encryptedKey, ...others] = text.split('.');
  const [iv, ciphertext, tag] = others.map(bytesOf);
  if (others.length !== 3 || encryptedKey !== '' || iv?.length !== 12 || !ciphertext || tag?.length !== 16) return null;
  try {
    const { alg, enc } = JSON.parse(atob(header));
    if (alg !== 'dir' || enc !== 'A256GCM') return null;
    const gcm = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(header) };
    const plain = await crypto.subtle.decrypt(gcm, await keyOf(secret), new Uint8Array([...ciphertext, ...tag]));
    return JSON.parse(new TextDecoder().decode(plain));
  } catch {
    return null;
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const info = new TextEncoder().encode('NextAuth.js Generated Encryption Key');
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, ['deriveKey']);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return crypto.subtle.deriveKey(hkdf, material, { name: 'AES-GCM', length: 256 }, false, ['decrypt']);
}
