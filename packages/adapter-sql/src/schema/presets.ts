import type { DialectName } from '../dialect.ts';
import type { DateFormat, IdType, TableId } from './fields.ts';

/** The tables of another library, as the documentation of the adapter `@auth/<name>` describes them. */
export type PresetName = 'pg-adapter' | 'kysely-adapter' | 'drizzle-adapter' | 'prisma-adapter';

/** A schema as data. */
export interface Layout {
  readonly ids: { readonly type: IdType; readonly madeBy: 'latchkey' | 'database' };
  readonly dates: DateFormat;
  /** Rows may hold dates in the other format as well. The adapter reads and compares both. */
  readonly mixedDates?: boolean;
  readonly tables: { readonly [T in TableId]: TableLayout | null };
  readonly stamps: Stamps;
}

/** Columns that are set to the current time, in the tables that have them. */
export interface Stamps {
  /** Set when a row is inserted. */
  readonly created: string | null;
  /** Set when a row is inserted and when it is changed. */
  readonly updated: string | null;
}

/** A table as data. A column that is not named here has the name of its field. */
export interface TableLayout {
  readonly name: string;
  readonly columns?: Readonly<Record<string, string | null>>;
  /** Fields whose column only some databases have. The adapter looks them up at first use. */
  readonly mayLack?: readonly string[];
  /** The database makes the ids of its rows, even if Latchkey makes those of users. */
  readonly ownIds?: boolean;
  /** The table itself may be missing. */
  readonly optional?: boolean;
}

const NO_STAMPS: Stamps = { created: null, updated: null };

/** The reference schema, which the adapter creates by default. */
export const reference: Layout = {
  ids: { type: 'text', madeBy: 'latchkey' },
  dates: 'native',
  stamps: NO_STAMPS,
  tables: {
    users: { name: 'auth_users' },
    accounts: { name: 'auth_accounts', columns: { userId: 'user' } },
    sessions: { name: 'auth_sessions', columns: { userId: 'user' } },
    verificationTokens: { name: 'auth_verificationTokens' },
    authenticators: { name: 'auth_authenticators', columns: { userId: 'user' } },
    userAccounts: { name: 'auth_users_accounts', columns: { accountId: 'account', userId: 'user' } },
    userSessions: { name: 'auth_users_sessions', columns: { sessionId: 'session', userId: 'user' } },
  },
};

const NO_ID = { id: null } as const;
const NO_LINKS = { userAccounts: null, userSessions: null } as const;

/** Tells whether there is a preset of this name. */
export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(presets, name);
}

/** The presets: the tables that the documentation of each adapter describes. */
export const presets: Readonly<Record<PresetName, (dialect: DialectName) => Layout>> = {
  // https://authjs.dev/getting-started/adapters/pg. That adapter lets the database make all ids.
  'pg-adapter': () => ({
    ids: { type: 'integer', madeBy: 'database' },
    dates: 'native',
    stamps: NO_STAMPS,
    tables: {
      ...NO_LINKS,
      users: { name: 'users' },
      accounts: { name: 'accounts', ownIds: true },
      sessions: { name: 'sessions', ownIds: true },
      verificationTokens: { name: 'verification_token', columns: NO_ID },
      authenticators: { name: 'authenticators', ownIds: true, optional: true },
    },
  }),
  // https://authjs.dev/getting-started/adapters/kysely. That adapter makes the ids of users only. If other tables have
  // an id, the database makes it.
  'kysely-adapter': (dialect) => ({
    ids: { type: dialect === 'postgres' ? 'uuid' : 'text', madeBy: 'latchkey' },
    dates: 'native',
    stamps: NO_STAMPS,
    tables: {
      ...NO_LINKS,
      users: { name: 'User' },
      accounts: { name: 'Account', columns: NO_ID },
      sessions: { name: 'Session', columns: NO_ID },
      verificationTokens: { name: 'VerificationToken', columns: NO_ID },
      authenticators: { name: 'Authenticator', columns: NO_ID, optional: true },
    },
  }),
  // https://authjs.dev/getting-started/adapters/drizzle
  'drizzle-adapter': (dialect) => ({
    ids: { type: 'text', madeBy: 'latchkey' },
    dates: dialect === 'sqlite' ? 'milliseconds' : 'native',
    stamps: NO_STAMPS,
    tables: {
      ...NO_LINKS,
      users: { name: 'user' },
      accounts: { name: 'account', columns: NO_ID },
      sessions: { name: 'session', columns: NO_ID },
      verificationTokens: { name: 'verificationToken', columns: NO_ID },
      authenticators: { name: 'authenticator', columns: NO_ID, optional: true },
    },
  }),
  // https://authjs.dev/getting-started/adapters/prisma. Prisma's client sets the two stamps: `updatedAt` has no default
  // in the database, and the default of `createdAt` depends on the connection's time zone. In SQLite, Prisma before
  // version 7 stored dates as milliseconds, and later versions have an option for it.
  'prisma-adapter': (dialect) => ({
    ids: { type: 'text', madeBy: 'latchkey' },
    dates: 'native',
    mixedDates: dialect === 'sqlite',
    stamps: { created: 'createdAt', updated: 'updatedAt' },
    tables: {
      ...NO_LINKS,
      users: { name: 'User' },
      accounts: { name: 'Account', mayLack: ['id'] },
      sessions: { name: 'Session', mayLack: ['id'] },
      verificationTokens: { name: 'VerificationToken', mayLack: ['id'] },
      authenticators: { name: 'Authenticator', mayLack: ['id'], optional: true },
    },
  }),
};
