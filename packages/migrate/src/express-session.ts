import type { LegacyReader } from '@latchkey/core/types';
import { makeReader, type ReaderOptions, secretsOf } from './reader.ts';
import { verifiedText } from './signature.ts';

/** The store of express-session: any package that works with it. */
export interface ExpressSessionStore {
  /** Passes the data of a session to the callback; nothing if there is no such session. */
  get(id: string, callback: (error: unknown, session?: unknown) => void): unknown;
  /** Deletes a session. */
  destroy(id: string, callback?: (error?: unknown) => void): unknown;
}

/** The data of a session. */
export interface ExpressSessionData {
  /** The data of Passport; `user` is the result of `serializeUser`. */
  passport?: { user?: unknown } | undefined;
  /** Further data of the application. */
  [name: string]: unknown;
}

/** Options of {@link ExpressSession}. */
export interface ExpressSessionOptions extends ReaderOptions {
  /** The `secret` of express-session. A list if it was changed. */
  secret: string | readonly string[] | undefined;
  /** The `store` of express-session, with the old sessions. */
  store: ExpressSessionStore;
  /** Returns the id of the user, a string or a number; another value if the visitor was not signed in. */
  userId: (data: ExpressSessionData) => unknown;
}

/** Milliseconds that a session is valid whose cookie ends with the browser: stores keep it for a day, too. */
const ONE_DAY = 86_400_000;

/**
 * Reads the sessions of express-session, also those of Passport: the cookie `connect.sid`, with an id and its
 * HMAC-SHA-256. The store is asked only for ids with a valid signature.
 *
 * ```ts
 * const reader = ExpressSession({
 *   secret: process.env.SESSION_SECRET,
 *   store,
 *   userId: ({ passport }) => passport?.user,
 *   until: '2027-06-30',
 * });
 * ```
 */
export function ExpressSession(options: ExpressSessionOptions): LegacyReader {
  const { store, userId } = options;
  const secrets = secretsOf(options.secret);
  const problems = [
    ...(secrets.length > 0 ? [] : ['`secret` is not set. Set it to the `secret` of express-session']),
    ...(typeof store?.get === 'function'
      ? []
      : ['`store` must be the store of express-session. Pass the object that `session()` received']),
    ...(typeof userId === 'function' ? [] : ['`userId` must be a function. For Passport, return `passport.user`']),
  ];
  return makeReader(options, {
    name: 'express-session',
    cookie: 'connect.sid',
    problems,
    async find(text, now) {
      const id = text.startsWith('s:') ? await verifiedText({ text: text.slice(2), secrets }) : null;
      const data = id === null ? null : await dataOf(store, id);
      const user = data && userId(data);
      if (id === null || !data || (typeof user !== 'string' && typeof user !== 'number')) return null;
      return { userId: String(user), expires: expiryOf(data, now), id };
    },
    end: ({ id = '' }) =>
      new Promise<void>((resolve, reject) => store.destroy(id, (error) => (error ? reject(error) : resolve()))),
  });
}

function dataOf(store: ExpressSessionStore, id: string): Promise<ExpressSessionData | null> {
  return new Promise((resolve, reject) =>
    store.get(id, (error, data) => (error ? reject(error) : resolve((data as ExpressSessionData | undefined) ?? null))),
  );
}

function expiryOf(data: ExpressSessionData, now: Date): Date {
  const { expires } = (data['cookie'] ?? {}) as { expires?: string | Date | null };
  return expires ? new Date(expires) : new Date(now.getTime() + ONE_DAY);
}
