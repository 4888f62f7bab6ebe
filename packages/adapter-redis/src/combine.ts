import type { Adapter, AdapterMethod } from '@latchkey/core/adapters';
import type { SessionStore } from './adapter.ts';

/** The stores that {@link combine} joins. */
export interface Stores {
  /**
   * Keeps users, accounts, authenticators and, if it has a token vault, provider tokens: any adapter. Its methods about
   * sessions and one-time values are not used.
   */
  readonly users: Adapter;
  /**
   * Keeps sessions, their records and one-time values: a `RedisSessions`, or a `RedisAdapter` whose other methods are
   * not used.
   */
  readonly sessions: SessionStore | { readonly sessions: SessionStore };
  /** Keeps verification tokens; may be the same adapter as `users`. Default: `sessions`. */
  readonly tokens?: Pick<Adapter, (typeof TOKEN_METHODS)[number] | 'cleanup'> | undefined;
}

/**
 * Makes one adapter of a store for users and a store for sessions.
 *
 * ```ts
 * const adapter = combine({ users: SqlAdapter(pool), sessions: RedisSessions(redis) });
 * ```
 *
 * A session is valid while its user exists. If `users` lacks a method, the result lacks it, too, and core reports it.
 *
 * @throws {TypeError} if `sessions` cannot keep sessions without their users.
 */
export function combine({ users, sessions: given, tokens }: Stores): Adapter {
  const sessions = sessionStoreIn(given);
  const getUser = bound(users, 'getUser');
  const deleteUser = bound(users, 'deleteUser');
  return {
    ...methodsOf(users, USER_METHODS),
    ...methodsOf(sessions, SESSION_METHODS),
    ...methodsOf(tokens ?? sessions, TOKEN_METHODS),
    ...(getUser && {
      getSessionAndUser: async (sessionToken) => {
        const session = await sessions.readSession(sessionToken);
        const user = session && (await getUser(session.userId));
        return session && user ? { session, user } : null;
      },
    }),
    ...(deleteUser && {
      // Sessions first: if the store of users then fails, the user is signed out, and a second call deletes the user.
      deleteUser: async (userId: string) => {
        await sessions.deleteSessionsOfUser(userId);
        const deleted = (await deleteUser(userId)) ?? null;
        // A sign-in may have created a session meanwhile, and a store such as SQLite can give the id to another user.
        await sessions.deleteSessionsOfUser(userId);
        return deleted;
      },
    }),
    sessionRecords: sessions.sessionRecords,
    ...(users.tokenVault && { tokenVault: users.tokenVault }),
    ...(users.migrations && { migrations: users.migrations }),
    cleanup: () => cleanup([...new Set<Pick<Adapter, 'cleanup'>>([users, sessions, ...(tokens ? [tokens] : [])])]),
  };
}

const USER_METHODS = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'updateUserEmail',
  'linkAccount',
  'unlinkAccount',
  'unlinkAccountIfNotLast',
  'getAccount',
  'listAccountsByUserId',
  'updateAccount',
  'createUserWithAccount',
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
  'updateAuthenticator',
  'deleteAuthenticator',
] as const;
const SESSION_METHODS = [
  'createSession',
  'updateSession',
  'deleteSession',
  'replaceSession',
  'extendSession',
  'deleteSessionsByUserId',
  'spendOnce',
] as const;
const TOKEN_METHODS = ['createVerificationToken', 'useVerificationToken', 'deleteVerificationTokens'] as const;

function sessionStoreIn(given: Stores['sessions']): SessionStore {
  const store = 'sessions' in given ? given.sessions : given;
  if (typeof store?.readSession === 'function' && typeof store.deleteSessionsOfUser === 'function') return store;
  throw new TypeError(
    '`sessions` must be a RedisSessions or a RedisAdapter: it must keep sessions without their users',
  );
}

/** Returns a method, bound to its adapter; also a method of a class instance. */
function bound<K extends AdapterMethod>(adapter: Adapter, name: K): Adapter[K] {
  const method: unknown = adapter[name];
  return typeof method === 'function' ? method.bind(adapter) : undefined;
}

/** Returns the named methods that the adapter has, bound. */
function methodsOf<K extends AdapterMethod>(adapter: Adapter, names: readonly K[]): Pick<Adapter, K> {
  const methods = names.map((name) => [name, bound(adapter, name)] as const);
  return Object.fromEntries(methods.filter(([, method]) => method)) as Pick<Adapter, K>;
}

/** Cleans up each store, even if another one fails. */
async function cleanup(stores: readonly Pick<Adapter, 'cleanup'>[]): Promise<number> {
  const results = await Promise.allSettled(stores.map(async (store) => (await store.cleanup?.()) ?? 0));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
}
