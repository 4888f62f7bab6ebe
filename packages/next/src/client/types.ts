import type { DefaultSession } from '@latchkey/core/types';

/** A type that tells what the session is: that of the session itself, or of the `auth` that `NextAuth` returns. */
export type SessionLike = DefaultSession | ((...args: never) => unknown);

/**
 * The session that `callbacks.session` returns, by the type of `auth`: `SessionOf<typeof auth>`. A session's own type stays.
 */
export type SessionOf<T> = T extends DefaultSession ? T : NonNullable<Extract<Awaited<Answer<T>>, DefaultSession>>;

/** What a function returns, in any of its forms. */
type Answer<T> = T extends {
  (...args: never): infer A;
  (...args: never): infer B;
  (...args: never): infer C;
  (...args: never): infer D;
  (...args: never): infer E;
  (...args: never): infer F;
}
  ? A | B | C | D | E | F
  : never;
