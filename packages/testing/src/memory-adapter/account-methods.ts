import type { Adapter } from '@latchkey/core/adapters';
import { defined, keyOf, type MemoryStore } from './store.ts';

/** The methods with which users manage their accounts and passkeys. */
export type AccountMethod =
  | 'listAccountsByUserId'
  | 'unlinkAccountIfNotLast'
  | 'deleteAuthenticator'
  | 'updateAuthenticator'
  | 'updateUserEmail';

/** Returns the methods with which users manage their accounts and passkeys. */
export function accountMethods(store: MemoryStore): Required<Pick<Adapter, AccountMethod>> {
  return {
    listAccountsByUserId: (userId) => [...store.accounts.values()].filter((account) => account.userId === userId),
    unlinkAccountIfNotLast: ({ userId, account: { provider, providerAccountId }, providers, otherWays }) => {
      const key = keyOf(provider, providerAccountId);
      const account = store.accounts.get(key);
      if (account?.userId !== userId) return 'missing';
      const others = [...store.accounts.values()].filter((other) => other.userId === userId && other !== account);
      if (others.filter((other) => providers.includes(other.provider)).length + otherWays === 0) return 'last';
      store.accounts.delete(key);
      if (account.type === 'webauthn') deletePasskey(store, userId, providerAccountId);
      return 'unlinked';
    },
    deleteAuthenticator: (credentialID) => {
      store.authenticators.delete(credentialID);
    },
    updateAuthenticator: (credentialID, changes) => {
      const authenticator = store.authenticators.get(credentialID);
      if (!authenticator) return null;
      const updated = { ...authenticator, ...defined(changes) };
      store.authenticators.set(credentialID, updated);
      return updated;
    },
    updateUserEmail: ({ userId, from, to, emailVerified }) => {
      const user = store.users.get(userId);
      if (!user || (user.email ?? null) !== from) return 'stale';
      const isTaken = [...store.users.values()].some((other) => other.email === to && other.id !== userId);
      if (isTaken) return 'taken';
      store.users.set(userId, { ...user, email: to, emailVerified });
      return 'changed';
    },
  };
}

function deletePasskey(store: MemoryStore, userId: string, providerAccountId: string): void {
  for (const [credentialID, passkey] of store.authenticators)
    if (passkey.userId === userId && passkey.providerAccountId === providerAccountId)
      store.authenticators.delete(credentialID);
}
