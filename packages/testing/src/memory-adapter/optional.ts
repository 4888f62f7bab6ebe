import type { Adapter, AdapterAccount } from '@latchkey/core/adapters';
import { createSession, createUser, defined, linkAccount, type OptionalMethod, removeWhere } from './contract.ts';
import { keyOf, type MemoryStore } from './store.ts';

/** The methods that Latchkey adds to the contract. Each is all or nothing. */
export function optionalMethods(store: MemoryStore, now: () => Date): Required<Pick<Adapter, OptionalMethod>> {
  return {
    updateAccount: (changes) => {
      const key = keyOf(changes.provider, changes.providerAccountId);
      const account = store.accounts.get(key);
      if (account?.userId !== changes.userId) return null;
      const updated = { ...account, ...defined(changes) };
      store.accounts.set(key, updated);
      return updated;
    },
    createUserWithAccount: (user, account) => {
      const created = createUser(store, user);
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
