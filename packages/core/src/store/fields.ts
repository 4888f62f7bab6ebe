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
  sessions: { expires: 'date', sessionToken: 'key', userId: 'link' },
  verificationTokens: { expires: 'date', identifier: 'key', token: 'key' },
  authenticators: {
    counter: 'number',
    credentialBackedUp: 'boolean',
    credentialDeviceType: 'text',
    credentialID: 'key',
    credentialPublicKey: 'text',
    providerAccountId: 'key',
    transports: 'text',
    userId: 'link',
  },
} as const;

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
