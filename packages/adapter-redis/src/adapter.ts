import type { AdapterSessionMethods, UserFieldDefinitions, WithUserFields } from '@latchkey/core/adapters';
import type { RedisClient } from './client.ts';
import type { Kind } from './keys.ts';
import { type AccountMethods, accountsOf } from './rows/accounts.ts';
import { type AuthenticatorMethods, authenticatorsOf } from './rows/authenticators.ts';
import { type OneTimeMethods, oneTimeOf } from './rows/one-time.ts';
import { sessionRecordsOf } from './rows/session-records.ts';
import { type SessionOnlyMethods, sessionsOf, sessionsOnlyOf } from './rows/sessions.ts';
import { tokenVaultOf } from './rows/token-vault.ts';
import { type UserMethods, usersOf } from './rows/users.ts';
import type { RedisSessionRecords } from './session-records.ts';
import { type RedisOptions, type Store, storeOf } from './store.ts';
import type { RedisTokenVault } from './token-vault.ts';

/** Sessions and one-time values of users who are stored elsewhere; see `combine`. */
export interface SessionStore extends SessionOnlyMethods, OneTimeMethods {
  /** The session records of this store. */
  readonly sessionRecords: RedisSessionRecords;
  /** Deletes expired sessions and verification tokens. Resolves to the number of deleted rows. */
  cleanup(): Promise<number>;
}

/** The methods of {@link RedisAdapter}. */
export interface RedisAdapter
  extends UserMethods,
    AccountMethods,
    AuthenticatorMethods,
    AdapterSessionMethods,
    OneTimeMethods {
  /** Deletes expired sessions and verification tokens. Resolves to the number of deleted rows. */
  cleanup(): Promise<number>;
  /** The session records of this store. */
  readonly sessionRecords: RedisSessionRecords;
  /** The token vault of this store. */
  readonly tokenVault: RedisTokenVault;
  /** The sessions and one-time values of this adapter, without the users. */
  readonly sessions: SessionStore;
}

/** Options of {@link RedisAdapter}. */
export interface RedisAdapterOptions<F extends UserFieldDefinitions = UserFieldDefinitions> extends RedisOptions {
  /**
   * The application's own members of users, with their kinds. The adapter then checks these members, and neither stores
   * nor returns others. A `column` has no effect. Default: each member that JSON can hold is stored.
   */
  userFields?: F | undefined;
}

/**
 * Keeps users, accounts, authenticators, sessions and one-time values in Redis or Valkey. Sessions and one-time values
 * expire; the other rows stay.
 *
 * ```ts
 * import { createClient } from 'redis';
 * const client = await createClient({ url: process.env.REDIS_URL }).connect();
 * const adapter = RedisAdapter(client, { userFields: { role: 'text' } });
 * ```
 *
 * The application connects the client, sets its time limits and closes it. Errors of the client are passed on.
 *
 * @throws {TypeError} if `client` is not a client of `redis` or `ioredis`, or if an option is not valid.
 */
export function RedisAdapter<const F extends UserFieldDefinitions = Record<never, never>>(
  client: RedisClient,
  options: RedisAdapterOptions<F> = {},
): RedisAdapter & WithUserFields<F> {
  const store = storeOf(client, options, options.userFields);
  return {
    ...usersOf(store),
    ...accountsOf(store),
    ...authenticatorsOf(store),
    ...sessionsOf(store),
    ...oneTimeOf(store),
    cleanup: () => cleanup(store),
    sessionRecords: sessionRecordsOf(store),
    tokenVault: tokenVaultOf(store),
    sessions: sessionStoreOf(store),
  };
}

/**
 * Keeps sessions and one-time values in Redis or Valkey, and nothing else. Use it with `combine`.
 *
 * ```ts
 * const adapter = combine({ users: SqlAdapter(pool), sessions: RedisSessions(client) });
 * ```
 *
 * @throws {TypeError} if `client` is not a client of `redis` or `ioredis`, or if an option is not valid.
 */
export function RedisSessions(client: RedisClient, options: RedisOptions = {}): SessionStore {
  return sessionStoreOf(storeOf(client, options));
}

function sessionStoreOf(store: Store): SessionStore {
  return {
    ...sessionsOnlyOf(store),
    ...oneTimeOf(store),
    cleanup: () => cleanup(store),
    sessionRecords: sessionRecordsOf(store),
  };
}

/**
 * Deletes expired rows, found by the sorted sets; no command scans keys. It need not be called: the server deletes each
 * row an hour after it expires.
 */
async function cleanup(store: Store): Promise<number> {
  let deleted = 0;
  for (const key of store.keys.allExpiring()) deleted += await sweepAll(store, key);
  return deleted;
}

async function sweepAll(store: Store, key: string): Promise<number> {
  let deleted = 0;
  for (;;) {
    const names = await store.membersBelow(key, store.now().getTime(), BATCH);
    if (names.length === 0) return deleted;
    deleted += await store.sweep(key, new Map(names.map((name) => [name, keyOf(store, name)])));
    if (names.length < BATCH) return deleted;
  }
}

/** Rows that one script deletes. Between two scripts the server answers other clients. */
const BATCH = 500;

/** Returns the key of a name in a sorted set: `session:<part>` or `token:<part>`. */
function keyOf(store: Store, name: string): string {
  const colon = name.indexOf(':');
  const kind: Kind = name.startsWith('token:') ? 'token' : 'session';
  return store.keys.of(kind, name.slice(colon + 1));
}
