import type { Adapter, AdapterUser } from '@latchkey/core/adapters';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Dialect, Query, Row } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import type { Tables } from '../schema.ts';
import { type Statement, statement } from '../statement.ts';
import type { Store } from '../store.ts';
import { type Encoded, encodeRow, lookup, required, textOf } from '../values.ts';

/** Methods about users. */
export type UserMethods = Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'deleteUser'>
>;

/** The columns of a user. `email` is null for those whose provider tells none. */
export const userColumns = [
  'auth_users.id',
  'auth_users.name',
  'auth_users.email',
  'auth_users.emailVerified',
  'auth_users.image',
] as const;

/** The users of a database. */
export function usersOf(store: Store): UserMethods {
  const { dialect, run } = store;
  const statements = statementsOf(store.write);
  const first = async (query: Query): Promise<AdapterUser | null> => {
    const [row] = await run(query);
    return row ? readUser(dialect, row) : null;
  };

  return {
    createUser: async (user) => {
      const row = userRow(dialect, user);
      await run(statements.insert(row));
      return readUser(dialect, row);
    },
    getUser: (id) => first(statements.byId({ id: lookup(dialect, id) })),
    getUserByEmail: (email) => first(statements.byEmail({ email: lookup(dialect, email) })),
    getUserByAccount: ({ provider, providerAccountId }) =>
      first(
        statements.byAccount({
          provider: lookup(dialect, provider),
          providerAccountId: lookup(dialect, providerAccountId),
        }),
      ),
    updateUser: async (user) => {
      const updated = await first(statements.update(userChanges(dialect, user)));
      if (!updated) throw new RowNotFound('there is no user of this id');
      return updated;
    },
    deleteUser: async (id) => {
      const of = { user: lookup(dialect, id) };
      const deletions = statements.deletions.map((deletion) => deletion(of));
      const [row] = (await store.batch(deletions)).at(-1) ?? [];
      return row ? readUser(dialect, row) : null;
    },
  };
}

/** A user's row, ready to be inserted. The id is the one given, else made here. */
export function userRow(dialect: Dialect, user: Partial<AdapterUser>): UserRow {
  const row = encodeRow(dialect, 'auth_users', user);
  // An address that is none must not be shared by all who have none.
  return { ...row, email: row['email'] || null, id: required(dialect, 'user.id', user.id ?? crypto.randomUUID()) };
}

/** A user's row. */
export type UserRow = Encoded & { id: string };

/** A user out of a row that has {@link userColumns}. */
export function readUser(dialect: Dialect, row: Row): AdapterUser {
  return {
    id: textOf(row, 'id') ?? '',
    name: textOf(row, 'name'),
    // The type says `string`, but a provider may tell no address; null is what other adapters return, too.
    email: textOf(row, 'email') as string,
    emailVerified: dialect.dateOut(row['emailVerified']),
    image: textOf(row, 'image'),
  };
}

/** Inserts a {@link userRow}. */
export function insertUser(write: Kysely<Tables>): Statement<UserRow> {
  return statement<UserColumns>((slot) =>
    write.insertInto('auth_users').values({
      id: slot('id'),
      name: slot('name'),
      email: slot('email'),
      emailVerified: slot('emailVerified'),
      image: slot('image'),
    }),
  ) as Statement<UserRow>;
}

type UserColumns = Tables['auth_users'];
type Change = { [C in keyof UserColumns]: UserColumns[C] } & { [C in keyof UserColumns as `has_${C}`]: number };
type Link = { user: string | null };

function userChanges(dialect: Dialect, user: Partial<AdapterUser>): Change {
  const { id: _, ...row } = userRow(dialect, { ...user, id: '-' });
  const changes: Encoded = { ...row, id: lookup(dialect, user.id) };
  for (const column of Object.keys(row))
    changes[`has_${column}`] = user[column as keyof AdapterUser] === undefined ? 0 : 1;
  return changes as unknown as Change;
}

/** The column's new value, or its old one when there is none. One statement serves for every choice of members. */
export function changed<T>(column: string, has: number, value: T): RawBuilder<T> {
  return sql<T>`case when ${has} = 1 then ${value} else ${sql.ref(column)} end`;
}

function statementsOf(write: Kysely<Tables>) {
  const users = write.selectFrom('auth_users').select(userColumns);

  return {
    insert: insertUser(write),
    byId: statement<{ id: string | null }>((slot) => users.where('auth_users.id', '=', slot('id'))),
    byEmail: statement<{ email: string | null }>((slot) => users.where('auth_users.email', '=', slot('email'))),
    byAccount: statement<{ provider: string | null; providerAccountId: string | null }>((slot) =>
      write
        .selectFrom('auth_accounts')
        .innerJoin('auth_users', 'auth_users.id', 'auth_accounts.user')
        .select(userColumns)
        .where('auth_accounts.provider', '=', slot('provider'))
        .where('auth_accounts.providerAccountId', '=', slot('providerAccountId')),
    ),
    update: statement<Change>((slot) =>
      write
        .updateTable('auth_users')
        .set({
          name: changed('name', slot('has_name'), slot('name')),
          email: changed('email', slot('has_email'), slot('email')),
          emailVerified: changed('emailVerified', slot('has_emailVerified'), slot('emailVerified')),
          image: changed('image', slot('has_image'), slot('image')),
        })
        .where('id', '=', slot('id'))
        .returning(userColumns),
    ),
    deletions: [
      statement<Link>((slot) => write.deleteFrom('auth_users_accounts').where('user', '=', slot('user'))),
      statement<Link>((slot) => write.deleteFrom('auth_users_sessions').where('user', '=', slot('user'))),
      statement<Link>((slot) => write.deleteFrom('auth_accounts').where('user', '=', slot('user'))),
      statement<Link>((slot) => write.deleteFrom('auth_sessions').where('user', '=', slot('user'))),
      statement<Link>((slot) =>
        write
          .deleteFrom('auth_users')
          .where('id', '=', slot('user') as string)
          .returning(userColumns),
      ),
    ],
  };
}
