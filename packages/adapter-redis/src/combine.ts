import type { Adapter } from '@latchkey/core/adapters';
import type { SessionStore } from './adapter.ts';

/** Where {@link combine} finds what. */
export interface Stores {
  /** Keeps users, accounts and authenticators: any adapter. Its sessions and one-time values are not used. */
  readonly users: Adapter;
  /** Keeps sessions and one-time values: a `RedisSessions`, or a `RedisAdapter`, of which the rest is not used. */
  readonly sessions: SessionStore | { readonly sessions: SessionStore };
  /** Keeps verification tokens, if they shall not be with the sessions; may be the same as `users`. */
  readonly tokens?: Pick<Adapter, 'createVerificationToken' | 'useVerificationToken' | 'cleanup'> | undefined;
}

/**
 * One adapter out of a store of users and a store of sessions.
 *
 * ```ts
 * const adapter = combine({ users: SqlAdapter(pool), sessions: RedisSessions(redis) });
 * ```
 *
 * A session counts while its user is there. A method that `users` lacks is lacking here, too, so that core says so.
 *
 * @throws {TypeError} when `sessions` keeps no sessions without their users.
 */
export function combine({ users, sessions: given, tokens }: Stores): Adapter {
  const sessions = sessionStoreIn(given);
  const getUser = bound(users, 'getUser');
  const deleteUser = bound(users, 'deleteUser');
  return {
    ...all(users, OF_USERS),
    ...all(sessions, OF_SESSIONS),
    ...all(tokens ?? sessions, OF_TOKENS),
    ...(getUser && {
      getSessionAndUser: async (sessionToken) => {
        const session = await sessions.readSession(sessionToken);
        const user = session && (await getUser(session.userId));
        return session && user ? { session, user } : null;
      },
    }),
    ...(deleteUser && {
      // Sessions first: if the users fail then, the user is signed out and can be deleted by the next call.
      deleteUser: async (userId: string) => {
        await sessions.deleteSessionsOfUser(userId);
        return (await deleteUser(userId)) ?? null;
      },
    }),
    cleanup: () => cleanup([...new Set<Pick<Adapter, 'cleanup'>>([users, sessions, ...(tokens ? [tokens] : [])])]),
  };
}

const OF_USERS = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
  'unlinkAccount',
  'getAccount',
  'updateAccount',
  'createUserWithAccount',
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
] as const;
const OF_SESSIONS = [
  'createSession',
  'updateSession',
  'deleteSession',
  'replaceSession',
  'extendSession',
  'spendOnce',
] as const;
const OF_TOKENS = ['createVerificationToken', 'useVerificationToken'] as const;

function sessionStoreIn(given: Stores['sessions']): SessionStore {
  const store = 'sessions' in given ? given.sessions : given;
  if (typeof store?.readSession === 'function' && typeof store.deleteSessionsOfUser === 'function') return store;
  throw new TypeError(
    '`sessions` must be a RedisSessions or a RedisAdapter: it has to keep sessions without their users',
  );
}

/** A method that keeps its `this`; methods of a class instance's prototype count. */
function bound<K extends keyof Adapter>(adapter: Adapter, name: K): Adapter[K] {
  const method: unknown = adapter[name];
  return typeof method === 'function' ? method.bind(adapter) : undefined;
}

/** Those of the named methods that are there. */
function all<K extends keyof Adapter>(adapter: Adapter, names: readonly K[]): Pick<Adapter, K> {
  const methods = names.map((name) => [name, bound(adapter, name)] as const);
  return Object.fromEntries(methods.filter(([, method]) => method)) as Pick<Adapter, K>;
}

/** Each store gets its turn, whatever happens to the others. */
async function cleanup(stores: readonly Pick<Adapter, 'cleanup'>[]): Promise<number> {
  const results = await Promise.allSettled(stores.map(async (store) => (await store.cleanup?.()) ?? 0));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
}
