type Row = Record<string, unknown>;

/** Tables of {@link memoryAdapter}; tests look into them. */
export interface Tables {
  readonly users: Map<string, Row>;
  readonly accounts: Row[];
  readonly sessions: Map<string, Row>;
}

/** Hears of every call of a method. */
export type Witness = (method: string, args: readonly unknown[]) => void;

/** A data layer in memory with the ten methods that every application has, usable by either library. */
export function memoryAdapter(witness: Witness = () => undefined): {
  adapter: Record<string, unknown>;
  tables: Tables;
} {
  const tables: Tables = { users: new Map(), accounts: [], sessions: new Map() };
  const { users, accounts, sessions } = tables;
  const copy = (row: Row | undefined): Row | null => (row ? { ...row } : null);
  const methods: Record<string, (...args: never[]) => unknown> = {
    createUser: (user: Row) => {
      users.set(String(user['id']), { ...user });
      return { ...user };
    },
    getUser: (id: string) => copy(users.get(id)),
    getUserByEmail: (email: string) => copy([...users.values()].find((user) => user['email'] === email)),
    getUserByAccount: (key: Row) => {
      const found = accounts.find(
        (account) =>
          account['provider'] === key['provider'] && account['providerAccountId'] === key['providerAccountId'],
      );
      return copy(users.get(String(found?.['userId'])));
    },
    updateUser: (user: Row) => {
      const updated = { ...users.get(String(user['id'])), ...user };
      users.set(String(user['id']), updated);
      return { ...updated };
    },
    deleteUser: (id: string) => void users.delete(id),
    linkAccount: (account: Row) => {
      accounts.push({ ...account });
      return { ...account };
    },
    createSession: (session: Row) => {
      sessions.set(String(session['sessionToken']), { ...session });
      return { ...session };
    },
    getSessionAndUser: (token: string) => {
      const session = copy(sessions.get(token));
      const user = copy(users.get(String(session?.['userId'])));
      return session && user ? { session, user } : null;
    },
    updateSession: (session: Row) => {
      const updated = { ...sessions.get(String(session['sessionToken'])), ...session };
      sessions.set(String(session['sessionToken']), updated);
      return { ...updated };
    },
    deleteSession: (token: string) => {
      const gone = copy(sessions.get(token));
      sessions.delete(token);
      return gone;
    },
  };
  const adapter: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(methods)) {
    adapter[name] = async (...args: never[]): Promise<unknown> => {
      witness(name, args);
      return method(...args);
    };
  }
  return { adapter, tables };
}
