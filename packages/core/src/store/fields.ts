import type { SessionEpoch, SessionRecord } from '../types/session-records.ts';

/**
 * The kind of value in a field. `id` is a primary key, `link` the id of a row in another table, and `key` a text by
 * which rows are found. A store without such types keeps all three as text.
 */
export type FieldKind = 'id' | 'key' | 'link' | 'text' | 'number' | 'boolean' | 'date';

/** The fields of each kind of row. The one list of columns: adapters derive theirs from it. */
export const fields = {
  users: { id: 'id', email: 'key', emailVerified: 'date', image: 'text', name: 'text' },
  accounts: {
    access_token: 'text',
    createdAt: 'date',
    expires_at: 'number',
    id_token: 'text',
    label: 'text',
    provider: 'key',
    providerAccountId: 'key',
    refresh_token: 'text',
    scope: 'text',
    session_state: 'text',
    token_type: 'text',
    type: 'text',
    userId: 'link',
  },
  sessions: { expires: 'date', sessionToken: 'key', userId: 'link' },
  verificationTokens: { expires: 'date', identifier: 'key', token: 'key' },
  authenticators: {
    counter: 'number',
    createdAt: 'date',
    credentialBackedUp: 'boolean',
    credentialDeviceType: 'text',
    credentialID: 'key',
    credentialPublicKey: 'text',
    name: 'text',
    providerAccountId: 'key',
    transports: 'text',
    usedAt: 'date',
    userId: 'link',
  },
} as const;

/**
 * The fields that the tables of Auth.js v5 do not have. A store may leave them out. Their values are null in rows that
 * another program has written.
 */
export const addedFields: Readonly<Partial<Record<keyof typeof fields, readonly string[]>>> = {
  accounts: ['createdAt', 'label'],
  authenticators: ['createdAt', 'name', 'usedAt'],
};

/** A field of a row of the record store. */
export interface RecordField {
  /** `date`: an instant, exact to the millisecond. `list`: a list of texts, which a database keeps as one text. */
  readonly kind: 'key' | 'text' | 'date' | 'list';
  /** The member may be absent. */
  readonly optional?: true;
}

/** The fields of a session's record. The one list of its columns: record stores derive theirs from it. */
export const recordFields: Readonly<Record<keyof SessionRecord, RecordField>> = {
  id: { kind: 'key' },
  userId: { kind: 'key' },
  startedAt: { kind: 'date' },
  seenAt: { kind: 'date' },
  expires: { kind: 'date' },
  provider: { kind: 'text', optional: true },
  authTime: { kind: 'date' },
  amr: { kind: 'list' },
  providerSession: { kind: 'key', optional: true },
  providerUser: { kind: 'key', optional: true },
  label: { kind: 'text', optional: true },
  network: { kind: 'text', optional: true },
  handle: { kind: 'text', optional: true },
  idToken: { kind: 'text', optional: true },
};

/** The fields of a user's epoch. */
export const epochFields: Readonly<Record<'userId' | keyof SessionEpoch, RecordField>> = {
  userId: { kind: 'key' },
  before: { kind: 'date' },
  except: { kind: 'key', optional: true },
  expires: { kind: 'date' },
};

/** The kind of value in an additional column of the users. `json` is any JSON value. */
export type UserFieldKind = 'text' | 'number' | 'boolean' | 'date' | 'json';

/**
 * Additional columns of the users, by the name of their member. `column` is the name of the column, if it differs.
 *
 * ```ts
 * const userFields = { role: 'text', plan: { type: 'number', column: 'plan_no' } } satisfies UserFieldDefinitions;
 * ```
 */
export type UserFieldDefinitions = Readonly<
  Record<string, UserFieldKind | { readonly type: UserFieldKind; readonly column?: string | undefined }>
>;

declare const userFieldsOf: unique symbol;

/** An adapter with additional user columns. Exists in types only. */
export interface WithUserFields<F extends UserFieldDefinitions> {
  /** The columns, as the adapter's option `userFields` declares them. Never set at run time. */
  readonly [userFieldsOf]?: F;
}

interface ValueOf {
  text: string;
  number: number;
  boolean: boolean;
  date: Date;
  json: unknown;
}

type KindOf<D> = D extends UserFieldKind ? D : D extends { readonly type: infer K extends UserFieldKind } ? K : never;

/**
 * The members that an adapter adds to a user.
 *
 * ```ts
 * declare module '@latchkey/core' {
 *   interface User extends UserFields<typeof adapter> {} // user.role?: string | null
 * }
 * ```
 */
export type UserFields<A> =
  A extends WithUserFields<infer F> ? { -readonly [K in keyof F]?: ValueOf[KindOf<F[K]>] | null } : unknown;
