import { cleanupOf } from './cleanup.ts';
import type { RedisClient } from './client.ts';
import { type AccountMethods, accountsOf } from './rows/accounts.ts';
import { type AuthenticatorMethods, authenticatorsOf } from './rows/authenticators.ts';
import { type OneTimeMethods, oneTimeOf } from './rows/one-time.ts';
import { type SessionMethods, type SessionOnlyMethods, sessionsOf, sessionsOnlyOf } from './rows/sessions.ts';
import { type UserMethods, usersOf } from './rows/users.ts';
import { type RedisOptions, type Store, storeOf } from './store.ts';

/** Sessions and one-time values, for users who are kept elsewhere; see `combine`. */
export interface SessionStore extends SessionOnlyMethods, OneTimeMethods {
  /** Deletes what has expired; resolves to the number of rows deleted. */
  cleanup(): Promise<number>;
}

/** The methods of {@link RedisAdapter}. */
export interface RedisAdapter
  extends UserMethods,
    AccountMethods,
    AuthenticatorMethods,
    SessionMethods,
    OneTimeMethods {
  /** Deletes what has expired; resolves to the number of rows deleted. */
  cleanup(): Promise<number>;
  /** The same sessions and one-time values without the users. */
  readonly sessions: SessionStore;
}

/**
 * Keeps users, accounts, authenticators, sessions and one-time values in Redis or Valkey. Sessions and one-time values have a
 * time to live; the others stay.
 *
 * ```ts
 * import { createClient } from 'redis';
 * const adapter = RedisAdapter(await createClient({ url: process.env.REDIS_URL }).connect());
 * ```
 *
 * Members of users and accounts beyond the contract are kept if JSON can hold them, dates at the top level too.
 *
 * The client is the application's: it connects it, sets its time limits, and closes it. Its errors pass through.
 *
 * @throws {TypeError} when `client` is no client, or an option is none, that the adapter knows.
 */
export function RedisAdapter(client: RedisClient, options: RedisOptions = {}): RedisAdapter {
  const store = storeOf(client, options);
  return {
    ...usersOf(store),
    ...accountsOf(store),
    ...authenticatorsOf(store),
    ...sessionsOf(store),
    ...oneTimeOf(store),
    cleanup: cleanupOf(store),
    sessions: sessionStoreOf(store),
  };
}

/**
 * Keeps sessions and one-time values in Redis or Valkey, and nothing else; the other half of `combine`.
 *
 * @throws {TypeError} when `client` is no client, or an option is none, that we know.
 */
export function RedisSessions(client: RedisClient, options: RedisOptions = {}): SessionStore {
  return sessionStoreOf(storeOf(client, options));
}

function sessionStoreOf(store: Store): SessionStore {
  return { ...sessionsOnlyOf(store), ...oneTimeOf(store), cleanup: cleanupOf(store) };
}
