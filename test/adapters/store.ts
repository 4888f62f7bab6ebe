import type { Adapter } from '@latchkey/core/adapters';
import type { Awaitable } from '@latchkey/core/types';

/** Rows of a store. */
export interface Counts {
  readonly users: number;
  readonly accounts: number;
  readonly sessions: number;
  /** Verification tokens. */
  readonly tokens: number;
}

/** Another project's adapter, on its own store. */
export interface OpenStore {
  readonly adapter: Adapter;
  /** Counts the rows past the adapter. */
  counts(): Awaitable<Counts>;
  /** Ends connections and drops what was made for the test. */
  close(): Awaitable<void>;
}

/** Opens a store with empty tables. Rows of earlier cases stay in it: no case uses another's keys. */
export type OpenStoreFunction = () => Awaitable<OpenStore>;

/** A key that no other case uses. */
export function fresh(prefix: string): string {
  return `${prefix}-${crypto.randomUUID()}`;
}

/** How many rows more (or less) there are after some work. */
export async function grownBy(store: OpenStore, work: () => Promise<unknown>): Promise<Counts> {
  const before = await store.counts();
  await work();
  const after = await store.counts();
  return {
    users: after.users - before.users,
    accounts: after.accounts - before.accounts,
    sessions: after.sessions - before.sessions,
    tokens: after.tokens - before.tokens,
  };
}

/** The names of the tables, quoted for the database. */
export type TableNames = Readonly<Record<keyof Counts, string>>;

/** Counts the rows of tables; `query` runs one statement and gives its rows. */
export async function countRows(
  query: (sql: string) => Awaitable<readonly object[]>,
  tables: TableNames,
): Promise<Counts> {
  const columns = Object.entries(tables).map(([member, table]) => `(select count(*) from ${table}) as ${member}`);
  const [row] = await query(`select ${columns.join(', ')}`);
  const numberOf = (member: keyof Counts): number => Number(Reflect.get(row ?? {}, member));
  return {
    users: numberOf('users'),
    accounts: numberOf('accounts'),
    sessions: numberOf('sessions'),
    tokens: numberOf('tokens'),
  };
}
