import type { Adapter, AdapterUser } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import { type Encoded, idOf, textOf } from '../codec.ts';
import type { Query, Result, Row } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import { insertInto, stamped } from '../insert.ts';
import { type Statement, statement } from '../statement.ts';
import { newId, runAll, type Store, taking } from '../store.ts';
import { changeOf, changes } from '../update.ts';

/** Methods about users. */
export type UserMethods = Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'deleteUser'>
>;

const MEMBERS = ['name', 'email', 'emailVerified', 'image'] as const;

/** The fields of a user. */
export const userFields = ['id', 'name', 'email', 'emailVerified', 'image'] as const;

/** The users of a database. */
export function usersOf(store: Store): UserMethods {
  const { run } = store;
  const [users, accounts] = [store.table('users'), store.table('accounts')];
  const statements = statementsOf(store);
  const first = async (query: Query): Promise<AdapterUser | null> => {
    const [row] = (await run(query)).rows;
    return row ? readUser(store, row) : null;
  };

  return {
    createUser: async (user) => {
      const row = userRow(store, user);
      return insertedUser(user, row, await run(statements.insert(row)));
    },
    getUser: (id) => first(statements.byId({ id: users.lookup('id', id) })),
    getUserByEmail: (email) => first(statements.byEmail({ email: users.lookup('email', email) })),
    getUserByAccount: ({ provider, providerAccountId }) =>
      first(
        statements.byAccount({
          provider: accounts.lookup('provider', provider),
          providerAccountId: accounts.lookup('providerAccountId', providerAccountId),
        }),
      ),
    updateUser: async (user) => {
      const key = { id: users.lookup('id', user.id) };
      const change = changeOf(store, users, { ...user, email: user.email === '' ? null : user.email }, MEMBERS, key);
      const [updated, read = updated] = await runAll(store, statements.update(change));
      const [row] = read?.rows ?? [];
      if (!row) throw new RowNotFound('there is no user of this id');
      return readUser(store, row);
    },
    deleteUser: async (id) => {
      const of = { user: users.lookup('id', id) };
      const taken = taking(store.dialect, statements.deletion, of);
      const row = taken.row(await store.batch([...statements.deletions.map((one) => one(of)), ...taken.steps]));
      return row ? readUser(store, row) : null;
    },
  };
}

/** A user's row, ready to be inserted. */
export function userRow(store: Store, user: Partial<AdapterUser>): Encoded {
  const users = store.table('users');
  const row = users.encode(user, MEMBERS);
  // An address that is none must not be shared by all who have none.
  const email = row['email'] || null;
  return stamped(store, users, { ...row, email, id: newId({ ids: store.shape.ids, codec: store.codec }, user.id) });
}

/** Inserts a {@link userRow}. */
export function insertUser(store: Store): Statement<Encoded> {
  return insertInto(store, store.table('users'), userFields);
}

/** The id of a row that was inserted, whoever made it. */
export function insertedId(row: Encoded, { rows, insertId }: Result): string | null {
  return row['id'] === null ? ((rows[0] && idOf(rows[0], 'id')) ?? insertId ?? null) : String(row['id']);
}

/** The user that a {@link userRow} has become. */
export function insertedUser(user: Partial<AdapterUser>, row: Encoded, result: Result): AdapterUser {
  return {
    id: insertedId(row, result) ?? '',
    name: textOf(row, 'name'),
    email: textOf(row, 'email') as string,
    emailVerified: user.emailVerified ? new Date(user.emailVerified) : null,
    image: textOf(row, 'image'),
  };
}

/** A user out of a row that has {@link userFields}. */
export function readUser(store: Store, row: Row): AdapterUser {
  return {
    id: idOf(row, 'id') ?? '',
    name: textOf(row, 'name'),
    // The type says `string`, but a provider may tell no address; null is what other adapters return, too.
    email: textOf(row, 'email') as string,
    emailVerified: store.codec.dateOf(row, 'emailVerified'),
    image: textOf(row, 'image'),
  };
}

function statementsOf(store: Store) {
  const { write } = store;
  const [users, accounts] = [store.table('users'), store.table('accounts')];
  const all = write.selectFrom(users.name).select(users.read(...userFields));

  return {
    insert: insertUser(store),
    byId: statement<{ id: Encoded[string] }>((slot) => all.where(users.ref('id'), '=', slot('id'))),
    byEmail: statement<{ email: Encoded[string] }>((slot) => all.where(users.is('email', slot('email')))),
    byAccount: statement<{ provider: Encoded[string]; providerAccountId: Encoded[string] }>((slot) =>
      write
        .selectFrom(accounts.name)
        .innerJoin(users.name, (join) => join.on(users.ref('id'), '=', accounts.ref('userId')))
        .select(users.read(...userFields))
        .where(accounts.is('provider', slot('provider')))
        .where(accounts.is('providerAccountId', slot('providerAccountId'))),
    ),
    update: changes(store, users, {
      fields: MEMBERS,
      key: ['id'],
      returned: userFields,
    }),
    deletions: childrenOf(store),
    deletion: {
      select: statement<Of>((slot) => all.where(users.ref('id'), '=', slot('user'))),
      delete: statement<Of>((slot) => write.deleteFrom(users.name).where(users.ref('id'), '=', slot('user'))),
      returning: statement<Of>((slot) =>
        write
          .deleteFrom(users.name)
          .where(users.ref('id'), '=', slot('user'))
          .returning(users.read(...userFields)),
      ),
    },
  };
}

type Of = { user: Encoded[string] };

/** Deletes what is a user's, after the user was locked: who is signing in at the moment must not leave a row behind. */
function childrenOf(store: Store): Statement<Of>[] {
  const { write, dialect } = store;
  const users = store.table('users');
  const lock = statement<Of>((slot) =>
    write.selectFrom(users.name).select(sql`1`.as('locked')).where(users.ref('id'), '=', slot('user')).forUpdate(),
  );
  const children = ['userAccounts', 'userSessions', 'accounts', 'sessions', 'authenticators'] as const;
  const deletions = children.flatMap((id) => {
    const table = store.maybe(id);
    return table
      ? [statement<Of>((slot) => write.deleteFrom(table.name).where(table.ref('userId'), '=', slot('user')))]
      : [];
  });
  return dialect.rowLocks ? [...(dialect.name === 'postgres' ? [readCommitted] : []), lock, ...deletions] : deletions;
}

/**
 * A connection may be set to see, during a transaction, only what there was at its beginning: then rows that were written
 * while the lock was waited for would be missed.
 */
const readCommitted: Statement<Of> = () => ({
  sql: 'set transaction isolation level read committed',
  parameters: [],
});
