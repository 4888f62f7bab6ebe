import type { Adapter, AdapterAccount, AdapterMethod, AdapterSession, AdapterUser } from '@latchkey/core/adapters';
import { type AccountMethod, accountMethods } from './account-methods.ts';
import { defined, insert, keyOf, type MemoryStore, removeWhere, take, UniqueViolation } from './store.ts';
import type { UserCheck } from './user-fields.ts';

/** The methods of an Auth.js v5 adapter. */
export type ContractMethod = Exclude<AdapterMethod, OptionalMethod | 'ready'>;

/** The methods that Latchkey adds. Core uses them if an adapter has them. */
export type OptionalMethod =
  | AccountMethod
  | 'updateAccount'
  | 'createUserWithAccount'
  | 'replaceSession'
  | 'extendSession'
  | 'spendOnce'
  | 'deleteVerificationTokens'
  | 'deleteSessionsByUserId'
  | 'cleanup';

/** Returns the 19 methods of an Auth.js v5 adapter. Each is synchronous, so it is atomic. */
export function contractMethods(store: MemoryStore, check: UserCheck): Required<Pick<Adapter, ContractMethod>> {
  return {
    ...users(store, check),
    ...accounts(store),
    ...sessions(store),
    ...verificationTokens(store),
    ...authenticators(store),
  };
}

function users(
  store: MemoryStore,
  check: UserCheck,
): Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'deleteUser'>
> {
  return {
    createUser: (user) => createUser(store, check(user)),
    getUser: (id) => store.users.get(id) ?? null,
    getUserByEmail: (email) => userByEmail(store, email) ?? null,
    getUserByAccount: ({ provider, providerAccountId }) =>
      store.users.get(store.accounts.get(keyOf(provider, providerAccountId))?.userId ?? '') ?? null,
    updateUser: (changes) => {
      const user = userRow({ ...existingUser(store, changes.id), ...defined(check(changes)) });
      checkEmail(store, user);
      store.users.set(user.id, user);
      return user;
    },
    deleteUser: (id) => {
      const ofUser = (row: { userId: string }): boolean => row.userId === id;
      for (const rows of [store.accounts, store.sessions, store.authenticators]) removeWhere(rows, ofUser);
      return take(store.users, id);
    },
  };
}

function accounts(store: MemoryStore): Required<Pick<Adapter, 'linkAccount' | 'unlinkAccount' | 'getAccount'>> {
  return {
    linkAccount: (account) => linkAccount(store, account),
    unlinkAccount: (account) => take(store.accounts, accountKey(account)) ?? undefined,
    getAccount: (providerAccountId, provider) => store.accounts.get(keyOf(provider, providerAccountId)) ?? null,
  };
}

function sessions(
  store: MemoryStore,
): Required<Pick<Adapter, 'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession'>> {
  return {
    createSession: (session) => createSession(store, session),
    getSessionAndUser: (sessionToken) => {
      const session = store.sessions.get(sessionToken);
      const user = store.users.get(session?.userId ?? '');
      return session?.expires && user ? { session, user } : null;
    },
    updateSession: (changes) => {
      const session = store.sessions.get(changes.sessionToken);
      if (!session) return null;
      const updated = { ...session, ...defined(changes) };
      store.sessions.set(session.sessionToken, updated);
      return updated;
    },
    deleteSession: (sessionToken) => take(store.sessions, sessionToken),
  };
}

function verificationTokens(
  store: MemoryStore,
): Required<Pick<Adapter, 'createVerificationToken' | 'useVerificationToken'>> {
  return {
    createVerificationToken: (row) => insert(store.verificationTokens, keyOf(row.identifier, row.token), row),
    useVerificationToken: ({ identifier, token }) => take(store.verificationTokens, keyOf(identifier, token)),
  };
}

function authenticators(
  store: MemoryStore,
): Required<
  Pick<
    Adapter,
    'createAuthenticator' | 'getAuthenticator' | 'listAuthenticatorsByUserId' | 'updateAuthenticatorCounter'
  >
> {
  return {
    createAuthenticator: (authenticator) => {
      existingUser(store, authenticator.userId);
      return insert(store.authenticators, authenticator.credentialID, authenticator);
    },
    getAuthenticator: (credentialID) => store.authenticators.get(credentialID) ?? null,
    listAuthenticatorsByUserId: (userId) => [...store.authenticators.values()].filter((row) => row.userId === userId),
    updateAuthenticatorCounter: (credentialID, counter) => {
      const authenticator = store.authenticators.get(credentialID);
      if (!authenticator) throw new Error('the authenticator does not exist');
      const updated = { ...authenticator, counter };
      store.authenticators.set(credentialID, updated);
      return updated;
    },
  };
}

/** Returns the methods that Latchkey adds. Each writes everything or nothing. */
export function optionalMethods(
  store: MemoryStore,
  check: UserCheck,
  now: () => Date,
): Required<Pick<Adapter, OptionalMethod>> {
  return {
    ...accountMethods(store),
    updateAccount: (changes) => {
      const key = keyOf(changes.provider, changes.providerAccountId);
      const account = store.accounts.get(key);
      if (account?.userId !== changes.userId) return null;
      const updated = { ...account, ...defined(changes) };
      store.accounts.set(key, updated);
      return updated;
    },
    createUserWithAccount: (user, account) => {
      const created = createUser(store, check(user));
      try {
        linkAccount(store, { ...account, userId: created.id } as AdapterAccount);
      } catch (error) {
        store.users.delete(created.id);
        throw error;
      }
      return created;
    },
    replaceSession: (old, session) => {
      const replaced = old === undefined ? undefined : store.sessions.get(old);
      if (replaced) store.sessions.delete(replaced.sessionToken);
      try {
        return createSession(store, session);
      } catch (error) {
        if (replaced) store.sessions.set(replaced.sessionToken, replaced);
        throw error;
      }
    },
    extendSession: ({ sessionToken, from, to }) => {
      const session = store.sessions.get(sessionToken);
      if (session?.expires.getTime() !== from.getTime()) return false;
      store.sessions.set(sessionToken, { ...session, expires: to });
      return true;
    },
    spendOnce: (key, expires) => {
      const until = store.spent.get(key);
      if (until && until.getTime() >= now().getTime()) return false;
      store.spent.set(key, expires);
      return true;
    },
    deleteVerificationTokens: ({ identifier }) => {
      removeWhere(store.verificationTokens, (row) => row.identifier === identifier);
    },
    deleteSessionsByUserId: (userId, exceptToken) => {
      removeWhere(store.sessions, (row) => row.userId === userId && row.sessionToken !== exceptToken);
    },
    cleanup: () => {
      const isPast = (expires: Date | undefined): boolean =>
        expires !== undefined && expires.getTime() < now().getTime();
      return (
        removeWhere(store.sessions, ({ expires }) => isPast(expires)) +
        removeWhere(store.verificationTokens, ({ expires }) => isPast(expires)) +
        removeWhere(store.spent, isPast)
      );
    },
  };
}

/** Stores a user. @throws {UniqueViolation} if the address or the id is taken. */
function createUser(store: MemoryStore, user: AdapterUser): AdapterUser {
  const row = userRow(user);
  checkEmail(store, row);
  return insert(store.users, row.id, row);
}

/** Stores an account. @throws {UniqueViolation} if the account is linked already. */
function linkAccount(store: MemoryStore, account: AdapterAccount): AdapterAccount {
  existingUser(store, account.userId);
  return insert(store.accounts, accountKey(account), account);
}

/** Stores a session. @throws {UniqueViolation} if the token is taken. */
function createSession(store: MemoryStore, session: AdapterSession): AdapterSession {
  existingUser(store, session.userId);
  return insert(store.sessions, session.sessionToken, session);
}

/** Returns a user. @throws {Error} if the user does not exist. */
function existingUser(store: MemoryStore, id: string): AdapterUser {
  const user = store.users.get(id);
  if (!user) throw new Error('the user does not exist');
  return user;
}

/**
 * Returns the row of a user. If the provider did not return an address, the row holds null, although the type excludes
 * it.
 */
function userRow(user: AdapterUser): AdapterUser {
  return {
    ...user,
    id: user.id ?? crypto.randomUUID(),
    email: user.email || (null as unknown as string),
    emailVerified: user.emailVerified ?? null,
  };
}

function userByEmail(store: MemoryStore, email: string | null): AdapterUser | undefined {
  return email ? [...store.users.values()].find((user) => user.email === email) : undefined;
}

function checkEmail(store: MemoryStore, user: AdapterUser): void {
  const holder = userByEmail(store, user.email);
  if (holder && holder.id !== user.id) throw new UniqueViolation('a user with this address exists already');
}

function accountKey({ provider, providerAccountId }: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): string {
  return keyOf(provider, providerAccountId);
}
