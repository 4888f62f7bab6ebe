/** The fields of each table, by the names that the adapter's contract gives them, with what they hold. */
export const fields = {
  users: { id: 'id', email: 'key', emailVerified: 'date', image: 'text', name: 'text' },
  accounts: {
    id: 'id',
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
    userId: 'link',
  },
  sessions: { id: 'id', expires: 'date', sessionToken: 'key', userId: 'link' },
  verificationTokens: { id: 'id', expires: 'date', identifier: 'key', token: 'key' },
  authenticators: {
    id: 'id',
    counter: 'number',
    credentialBackedUp: 'boolean',
    credentialDeviceType: 'text',
    credentialID: 'key',
    credentialPublicKey: 'text',
    providerAccountId: 'key',
    transports: 'text',
    userId: 'link',
  },
  userAccounts: { id: 'id', accountId: 'link', userId: 'link' },
  userSessions: { id: 'id', sessionId: 'link', userId: 'link' },
} as const;

/** A table of the adapter, whatever its name in the database. */
export type TableId = keyof typeof fields;

/** A field of a table, whatever its column's name. */
export type FieldOf<T extends TableId> = keyof (typeof fields)[T] & string;

/** The tables, in the order in which they are created. */
export const tableIds: readonly TableId[] = Object.keys(fields) as TableId[];

/** An index that the adapter wants. Two nulls never collide, so that any number of users may have no address. */
export interface WantedIndex {
  readonly table: TableId;
  readonly fields: readonly string[];
  readonly unique: boolean;
}

/** Unique: what a row is known by. Others: each link, and the expiry of what `cleanup` deletes. */
export const wantedIndexes: readonly WantedIndex[] = [
  unique('users', 'email'),
  unique('accounts', 'provider', 'providerAccountId'),
  unique('sessions', 'sessionToken'),
  unique('verificationTokens', 'identifier', 'token'),
  unique('authenticators', 'credentialID'),
  index('accounts', 'userId'),
  index('sessions', 'userId'),
  index('authenticators', 'userId'),
  index('userAccounts', 'accountId'),
  index('userAccounts', 'userId'),
  index('userSessions', 'sessionId'),
  index('userSessions', 'userId'),
  index('sessions', 'expires'),
  index('verificationTokens', 'expires'),
];

function unique<T extends TableId>(table: T, ...names: FieldOf<T>[]): WantedIndex {
  return { table, fields: names, unique: true };
}

function index<T extends TableId>(table: T, name: FieldOf<T>): WantedIndex {
  return { table, fields: [name], unique: false };
}
