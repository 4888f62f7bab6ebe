import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '@latchkey/core/adapters';

/** Everything that a memory adapter holds. The maps are live: a test may change what is in them. */
export interface MemoryStore {
  /** By id. */
  readonly users: Map<string, AdapterUser>;
  /** By {@link keyOf}`(provider, providerAccountId)`. */
  readonly accounts: Map<string, AdapterAccount>;
  /** By token. */
  readonly sessions: Map<string, AdapterSession>;
  /** By {@link keyOf}`(identifier, token)`. */
  readonly verificationTokens: Map<string, VerificationToken>;
  /** By credential id. */
  readonly authenticators: Map<string, AdapterAuthenticator>;
  /** Spent keys and the instants at which they are forgotten. */
  readonly spent: Map<string, Date>;
}

/** What a {@link MemoryStore} held at one instant, as lists. */
export interface MemoryDump {
  users: AdapterUser[];
  accounts: AdapterAccount[];
  sessions: AdapterSession[];
  verificationTokens: VerificationToken[];
  authenticators: AdapterAuthenticator[];
  spent: string[];
}

/** A store with nothing in it. */
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

/** A copy of all there is. */
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

/** One key out of two parts, whatever is in them. */
export function keyOf(first: string, second: string): string {
  return JSON.stringify([first, second]);
}

/** A row of the same key exists already. Nothing was written. */
export class UniqueViolation extends Error {
  override readonly name: string = 'UniqueViolation';
}

/** Puts a row in its place. @throws {UniqueViolation} when the place is taken. */
export function insert<Row>(rows: Map<string, Row>, key: string, row: Row): Row {
  if (rows.has(key)) throw new UniqueViolation('a row of the same key exists already');
  rows.set(key, row);
  return row;
}

/** Takes a row out of its place; `null` when there is none. */
export function take<Row>(rows: Map<string, Row>, key: string): Row | null {
  const row = rows.get(key) ?? null;
  rows.delete(key);
  return row;
}
