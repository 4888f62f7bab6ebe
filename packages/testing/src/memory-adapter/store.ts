import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  fields,
  VerificationToken,
} from '@latchkey/core/adapters';

/** The row types of the tables that core lists. */
interface Rows extends Record<keyof typeof fields, object> {
  users: AdapterUser;
  accounts: AdapterAccount;
  sessions: AdapterSession;
  verificationTokens: VerificationToken;
  authenticators: AdapterAuthenticator;
}

/**
 * The rows of a memory adapter. The maps are live: a test may change them.
 *
 * `users` are by id, `accounts` by {@link keyOf}`(provider, providerAccountId)`, `sessions` by token,
 * `verificationTokens` by {@link keyOf}`(identifier, token)`, `authenticators` by credential id.
 */
export interface MemoryStore extends Tables {
  /** Spent keys, and the instants at which they expire. */
  readonly spent: Map<string, Date>;
}

type Tables = { readonly [Table in keyof Rows]: Map<string, Rows[Table]> };

/** A copy of a {@link MemoryStore}, as lists. */
export interface MemoryDump extends Lists {
  /** The keys of tokens and codes that were used, each of which works once. */
  spent: string[];
}

type Lists = { [Table in keyof Rows]: Rows[Table][] };

/** Returns an empty store. */
export function emptyStore(): MemoryStore {
  return {
    users: new Map(),
    accounts: new Map(),
    sessions: new Map(),
    verificationTokens: new Map(),
    authenticators: new Map(),
    spent: new Map(),
  };
}

/** Returns a copy of all rows. */
export function dumpOf(store: MemoryStore): MemoryDump {
  return structuredClone({
    users: [...store.users.values()],
    accounts: [...store.accounts.values()],
    sessions: [...store.sessions.values()],
    verificationTokens: [...store.verificationTokens.values()],
    authenticators: [...store.authenticators.values()],
    spent: [...store.spent.keys()],
  });
}

/** Joins two parts to one key; different pairs never have the same key. */
export function keyOf(first: string, second: string): string {
  return JSON.stringify([first, second]);
}

/** A row with the same key exists. Nothing was written. */
export class UniqueViolation extends Error {
  override readonly name: string = 'UniqueViolation';
}

/** Stores a row. @throws {UniqueViolation} if the key is taken. */
export function insert<Row>(rows: Map<string, Row>, key: string, row: Row): Row {
  if (rows.has(key)) throw new UniqueViolation('a row with the same key exists already');
  rows.set(key, row);
  return row;
}

/** Deletes a row and returns it; `null` if it does not exist. */
export function take<Row>(rows: Map<string, Row>, key: string): Row | null {
  const row = rows.get(key) ?? null;
  rows.delete(key);
  return row;
}

/** Deletes the rows that match. Returns their number. */
export function removeWhere<Row>(rows: Map<string, Row>, matches: (row: Row) => boolean): number {
  let removed = 0;
  for (const [key, row] of rows) if (matches(row) && rows.delete(key)) removed += 1;
  return removed;
}

/** Leaves out members that are undefined. */
export function defined<Changes extends object>(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Changes;
}
