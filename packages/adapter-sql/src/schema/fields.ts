import { addedFields, type FieldKind, fields as stored } from '@latchkey/core/adapters';

/**
 * The kind of value in a column. Three kinds are added to those of core's fields. `float` is any finite number.
 * `digits` is a number that JavaScript cannot hold exactly; the adapter returns it as text. `json` is any value that
 * JSON can represent.
 */
export type ColumnKind = FieldKind | 'float' | 'digits' | 'json';

/** SQL type of ids in the database. The adapter returns all ids as text. */
export type IdType = 'text' | 'uuid' | 'integer' | 'bigint';

/** How dates are stored: in the dialect's own type, or as milliseconds since 1970. */
export type DateFormat = 'native' | 'milliseconds';

type SurrogateId = { readonly id: 'id' };

type StoredFields = typeof stored;

interface TableFields {
  readonly users: StoredFields['users'];
  readonly accounts: SurrogateId & StoredFields['accounts'];
  readonly sessions: SurrogateId & StoredFields['sessions'];
  readonly verificationTokens: SurrogateId & StoredFields['verificationTokens'];
  readonly authenticators: SurrogateId & StoredFields['authenticators'];
  readonly userAccounts: SurrogateId & { readonly accountId: 'link'; readonly userId: 'link' };
  readonly userSessions: SurrogateId & { readonly sessionId: 'link'; readonly userId: 'link' };
}

const surrogateId: SurrogateId = { id: 'id' };

/**
 * The fields of each table. Each table of core has its fields and a surrogate `id`. Two more tables are those of the
 * reference schema that link accounts and sessions to their users.
 */
export const fields: TableFields = {
  users: stored.users,
  accounts: { ...surrogateId, ...stored.accounts },
  sessions: { ...surrogateId, ...stored.sessions },
  verificationTokens: { ...surrogateId, ...stored.verificationTokens },
  authenticators: { ...surrogateId, ...stored.authenticators },
  userAccounts: { ...surrogateId, accountId: 'link', userId: 'link' },
  userSessions: { ...surrogateId, sessionId: 'link', userId: 'link' },
};

/** The fields of each table that the tables of other libraries may lack. */
export const added: Readonly<Partial<Record<TableId, readonly string[]>>> = addedFields;

/** A table of the adapter. Its name in the database may differ. */
export type TableId = keyof TableFields;

/** A field of a table. The name of its column may differ. */
export type FieldOf<T extends TableId> = T extends TableId ? keyof TableFields[T] & string : never;

/** The tables, in the order in which they are created. */
export const tableIds: readonly TableId[] = Object.keys(fields) as TableId[];

interface ValueOf {
  id: string;
  key: string;
  link: string;
  text: string;
  number: number;
  boolean: boolean;
  date: Date;
}

/** A row of a table as an object: each field with its value, or `null` if the database has no value. */
export type RowOf<T extends TableId> = {
  -readonly [F in keyof TableFields[T]]: TableFields[T][F] extends keyof ValueOf
    ? ValueOf[TableFields[T][F]] | null
    : never;
};

/** An index that the adapter needs. Nulls are distinct in a unique index, so several users may have no address. */
export interface WantedIndex {
  readonly table: TableId;
  readonly fields: readonly string[];
  readonly unique: boolean;
}

/** Unique indexes on the natural keys, and plain ones on each link and on the expiry that `cleanup` looks for. */
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
