import type { Adapter, AdapterAccount, AdapterSession, AdapterUser } from '../../src/adapters.ts';

type Method = keyof Adapter;

/** A store in memory that writes down its calls and fails on demand. Addresses and accounts are unique. */
export interface MemoryStore {
  readonly adapter: Adapter;
  readonly users: Map<string, AdapterUser>;
  readonly accounts: Map<string, AdapterAccount>;
  readonly sessions: Map<string, AdapterSession>;
  readonly calls: [method: Method, ...args: unknown[]][];
  /** Which method fails, and whether before or after it has written; once. */
  readonly faults: Partial<Record<Method, 'before' | 'after'>>;
  names(): Method[];
}

export function memoryStore(without: readonly Method[] = []): MemoryStore {
  const users = new Map<string, AdapterUser>();
  const accounts = new Map<string, AdapterAccount>();
  const sessions = new Map<string, AdapterSession>();
  const calls: MemoryStore['calls'] = [];
  const faults: MemoryStore['faults'] = {};
  const keyOf = (account: { provider: string; providerAccountId: string }): string =>
    `${account.provider}:${account.providerAccountId}`;
  const userOf = (id: string | undefined): AdapterUser | null => structuredClone(users.get(id ?? '') ?? null);
  const methods: Required<Pick<Adapter, Implemented>> = {
    createUser(user) {
      if ([...users.values()].some((one) => one.email === user.email && user.email))
        throw new Error('UNIQUE users.email');
      users.set(user.id, structuredClone(user));
      return structuredClone(user);
    },
    getUser: userOf,
    getUserByEmail: (email) => userOf([...users.values()].find((one) => one.email === email)?.id),
    getUserByAccount: (account) => userOf(accounts.get(keyOf(account))?.userId),
    updateUser(user) {
      const merged = { ...(users.get(user.id) as AdapterUser), ...user };
      users.set(user.id, merged);
      return structuredClone(merged);
    },
    deleteUser(id) {
      users.delete(id);
      return null;
    },
    linkAccount(account) {
      if (accounts.has(keyOf(account))) throw new Error('UNIQUE accounts');
      accounts.set(keyOf(account), structuredClone(account));
      return account;
    },
    updateAccount(account) {
      accounts.set(keyOf(account), { ...accounts.get(keyOf(account)), ...structuredClone(account) });
    },
    createSession(session) {
      sessions.set(session.sessionToken, structuredClone(session));
      return structuredClone(session);
    },
    getSessionAndUser(token) {
      const session = structuredClone(sessions.get(token));
      const user = userOf(session?.userId);
      return session && user ? { session, user } : null;
    },
    updateSession(session) {
      const known = sessions.get(session.sessionToken);
      if (!known) return null;
      sessions.set(session.sessionToken, { ...known, ...session });
      return { ...known, ...session };
    },
    deleteSession(token) {
      const known = sessions.get(token) ?? null;
      sessions.delete(token);
      return known;
    },
  };
  const adapter: Record<string, unknown> = {};
  for (const [name, work] of Object.entries(methods) as [Method, (...args: unknown[]) => unknown][]) {
    if (without.includes(name)) continue;
    adapter[name] = async (...args: unknown[]) => {
      calls.push([name, ...structuredClone(args)]);
      // Other visitors get their turn, as with a real store.
      await new Promise((resolve) => setImmediate(resolve));
      const fault = faults[name];
      delete faults[name];
      if (fault === 'before') throw new Error(`${name} failed`);
      const result = work(...args);
      if (fault === 'after') throw new Error(`${name} failed after writing`);
      return result;
    };
  }
  return {
    adapter: adapter as Adapter,
    users,
    accounts,
    sessions,
    calls,
    faults,
    names: () => calls.map(([name]) => name),
  };
}

type Implemented =
  | 'createUser'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'updateUser'
  | 'deleteUser'
  | 'linkAccount'
  | 'updateAccount'
  | 'createSession'
  | 'getSessionAndUser'
  | 'updateSession'
  | 'deleteSession';
