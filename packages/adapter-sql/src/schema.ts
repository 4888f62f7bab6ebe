/** What a column holds. `key` is text that rows are found by, `link` the `id` of a row elsewhere. */
export type ColumnKind = 'key' | 'text' | 'number' | 'date' | 'link';

/**
 * The reference schema: table → column → kind. Beside these, each table has a text primary key `id`; every column here may be
 * null. Columns that the application adds are neither read nor written.
 */
export const tables = {
  auth_users: { email: 'key', emailVerified: 'date', image: 'text', name: 'text' },
  auth_accounts: {
    access_token: 'text',
    expires_at: 'number',
    id_token: 'text',
    provider: 'key',
    providerAccountId: 'key',
    refresh_token: 'text',
    scope: 'text',
    session_state: 'text',
    token_type: 'text',
    type: 'text',
    user: 'link',
  },
  auth_sessions: { expires: 'date', sessionToken: 'key', user: 'link' },
  auth_verificationTokens: { expires: 'date', identifier: 'key', token: 'key' },
  auth_users_accounts: { account: 'link', user: 'link' },
  auth_users_sessions: { session: 'link', user: 'link' },
} as const;

/** Name of one of the six tables. */
export type TableName = keyof typeof tables;

/** An index of the schema. Two nulls never collide, so that any number of users may have no address. */
export interface Index {
  readonly name: string;
  readonly table: TableName;
  readonly columns: readonly string[];
  readonly unique: boolean;
}

/** Unique: what a row is known by. Others: each link, and the expiry of what `cleanup` deletes. */
export const indexes: readonly Index[] = [
  unique('auth_users', 'email'),
  unique('auth_accounts', 'provider', 'providerAccountId'),
  unique('auth_sessions', 'sessionToken'),
  unique('auth_verificationTokens', 'identifier', 'token'),
  index('auth_accounts', 'user'),
  index('auth_sessions', 'user'),
  index('auth_users_accounts', 'account'),
  index('auth_users_accounts', 'user'),
  index('auth_users_sessions', 'session'),
  index('auth_users_sessions', 'user'),
  index('auth_sessions', 'expires'),
  index('auth_verificationTokens', 'expires'),
];

/** A date as the engine keeps it; the dialect's `dateIn` and `dateOut` translate. */
export type StoredDate = string;

interface Stored {
  key: string;
  text: string;
  number: number;
  date: StoredDate;
  link: string;
}

/** The tables as Kysely sees them. */
export type Tables = {
  [T in TableName]: { id: string } & {
    [C in keyof (typeof tables)[T]]: Stored[(typeof tables)[T][C] & ColumnKind] | null;
  };
};

function unique(table: TableName, ...columns: readonly string[]): Index {
  return { name: [table, ...columns].join('_'), table, columns, unique: true };
}

function index(table: TableName, column: string): Index {
  return { name: `${table}_${column}`, table, columns: [column], unique: false };
}
