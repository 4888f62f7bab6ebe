import type { Adapter, AdapterAccount, AdapterSession, AdapterUser } from '@latchkey/core/adapters';
import { insert, keyOf, type MemoryStore, take, UniqueViolation } from './store.ts';

/** The methods of the Auth.js contract. */
export type ContractMethod = Exclude<keyof Adapter, OptionalMethod>;

/** The methods that Latchkey uses when they are there. */
export type OptionalMethod =
  | 'updateAccount'
  | 'createUserWithAccount'
  | 'replaceSession'
  | 'extendSession'
  | 'spendOnce'
  | 'cleanup';

/** The 19 methods of the contract. Each does its work at once, without giving others a turn. */
export function contractMethods(store: MemoryStore): Required<Pick<Adapter, ContractMethod>> {
  return {
    ...users(store),
    ...accounts(store),
    ...sessions(store),
    ...verificationTokens(store),
    ...authenticators(store),
  };
}

function users(
  store: MemoryStore,
): Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'deleteUser'>
> {
  return {
    createUser: (user) => createUser(store, user),
    getUser: (id) => store.users.get(id) ?? null,
    getUserByEmail: (email) => userByEmail(store, email) ?? null,
    getUserByAccount: ({ provider, providerAccountId }) =>
      store.users.get(store.accounts.get(keyOf(provider, providerAccountId))?.userId ?? '') ?? null,
    updateUser: (changes) => {
      const user = userRow({ ...existingUser(store, changes.id), ...defined(changes) });
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
      if (!authenticator) throw new Error('there is no authenticator of this id');
      const updated = { ...authenticator, counter };
      store.authenticators.set(credentialID, updated);
      return updated;
    },
  };
}

/** @throws {UniqueViolation} when the address or the id is taken. */
export function createUser(store: MemoryStore, user: AdapterUser): AdapterUser {
  const row = userRow(user);
  checkEmail(store, row);
  return insert(store.users, row.id, row);
}

/** @throws {UniqueViolation} when the account is linked already. */
export function linkAccount(store: MemoryStore, account: AdapterAccount): AdapterAccount {
  existingUser(store, account.userId);
  return insert(store.accounts, accountKey(account), account);
}

/** @throws {UniqueViolation} when there is a session of this token. */
export function createSession(store: MemoryStore, session: AdapterSession): AdapterSession {
  existingUser(store, session.userId);
  return insert(store.sessions, session.sessionToken, session);
}

/** @throws {Error} when there is no user of this id. */
function existingUser(store: MemoryStore, id: string): AdapterUser {
  const user = store.users.get(id);
  if (!user) throw new Error('there is no user of this id');
  return user;
}

/** A provider may tell no address; the row then has null, whatever the type says. */
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
  if (holder && holder.id !== user.id) throw new UniqueViolation('a user of this address exists already');
}

function accountKey({ provider, providerAccountId }: Pick<AdapterAccount, 'provider' | 'providerAccountId'>): string {
  return keyOf(provider, providerAccountId);
}

/** What is undefined is left as it is. */
export function defined<Changes extends object>(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Changes;
}

/** Deletes rows; returns how many. */
export function removeWhere<Row>(rows: Map<string, Row>, goes: (row: Row) => boolean): number {
  let removed = 0;
  for (const [key, row] of rows) if (goes(row) && rows.delete(key)) removed += 1;
  return removed;
}
