import type { Awaitable, LegacyReader } from '@latchkey/core/types';
import { makeReader, type OldSession, type ReaderOptions, secretsOf, sessionOf } from './reader.ts';
import { verifiedText } from './signature.ts';

/** Options of {@link BetterAuth}. */
export interface BetterAuthOptions extends ReaderOptions {
  /** The secret of Better Auth, `BETTER_AUTH_SECRET`. A list if it was changed. */
  secret: string | readonly string[] | undefined;
  /** Returns the session with this token from the old table `session`; `null` without such a row. */
  findSession: (token: string) => Awaitable<OldSession | null | undefined>;
  /** Deletes the session with this token from the old table. Default: it stays there until it expires. */
  endSession?: ((token: string) => Awaitable<unknown>) | undefined;
}

/**
 * Reads the sessions of Better Auth 1: the cookie `better-auth.session_token`, with the token of a session and its
 * HMAC-SHA-256. `findSession` is called only for tokens with a valid signature.
 *
 * ```ts
 * const reader = BetterAuth({
 *   secret: process.env.BETTER_AUTH_SECRET,
 *   findSession: (token) => oldSession(token), // { userId, expires } or null
 *   endSession: (token) => deleteOldSession(token),
 *   until: '2027-06-30',
 * });
 * ```
 */
export function BetterAuth(options: BetterAuthOptions): LegacyReader {
  const { findSession, endSession } = options;
  const secrets = secretsOf(options.secret);
  const problems = [
    ...(secrets.length > 0 ? [] : ['`secret` is not set. Set it to the secret of Better Auth']),
    ...(typeof findSession === 'function' ? [] : ['`findSession` must be a function. Look the token up in the table']),
  ];
  return makeReader(options, {
    name: 'better-auth',
    cookie: 'better-auth.session_token',
    others: ['better-auth.session_data', 'better-auth.dont_remember'],
    problems,
    async find(text) {
      const token = await verifiedText({ text, secrets });
      return token === null ? null : sessionOf(await findSession(token), token);
    },
    end: endSession && (({ id = '' }) => endSession(id)),
  });
}
