import type { Adapter, AdapterUser } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import { type Encoded, idOf, textOf } from '../codec.ts';
import type { Query, Result, Row, SqlValue, Step } from '../dialect.ts';
import { RowNotFound } from '../errors.ts';
import { type Statement, statement } from '../statement.ts';
import { type ChildTable, deleteReturning, newId, runAll, type Store, withStamps } from '../store.ts';
import { changeOf, insertInto, updateOf } from '../writes.ts';
import { updateEmail } from './update-email.ts';

/** The adapter's methods about users. */
export type UserMethods = Required<
  Pick<
    Adapter,
    'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'updateUserEmail' | 'deleteUser'
  >
>;

/** Returns the methods about users. */
export function usersOf(store: Store): UserMethods {
  const [users, accounts] = [store.table('users'), store.table('accounts')];
  const statements = statementsOf(store);
  const createUser = userCreation(store);
  const find = async (query: Query): Promise<AdapterUser | null> => {
    const [row] = (await store.run(query)).rows;
    return row ? readUser(store, row) : null;
  };

  return {
    createUser: async (user) => {
      const { insert, clear, select, created } = createUser(user);
      return created(await runAll(store, [insert, ...clear, ...select]));
    },
    getUser: (id) => find(statements.byId({ id: users.lookup('id', id) })),
    getUserByEmail: (email) => find(statements.byEmail({ email: users.lookup('email', email) })),
    getUserByAccount: ({ provider, providerAccountId }) =>
      find(
        statements.byAccount({
          provider: accounts.lookup('provider', provider),
          providerAccountId: accounts.lookup('providerAccountId', providerAccountId),
        }),
      ),
    updateUser: async (user) => {
      store.warnOfDropped(user);
      const key = { id: users.lookup('id', user.id) };
      const change = changeOf(store, users, { ...user, email: user.email === '' ? null : user.email }, key);
      const results = await runAll(store, statements.update(change));
      const [row] = results.at(-1)?.rows ?? [];
      if (!row) throw new RowNotFound('no user has this id');
      return readUser(store, row);
    },
    updateUserEmail: updateEmail(store),
    deleteUser: async (id) => {
      const key = { id: users.lookup('id', id) };
      const deleted = deleteReturning(store.dialect, statements.deletion, key);
      const children = statements.children.map((remove) => remove(key));
      const row = deleted.row(await store.batch([...children, ...deleted.steps]));
      return row ? readUser(store, row) : null;
    },
  };
}

/** The steps that create a user. */
interface UserCreation {
  /** The id of the user; `null` if the database makes it. */
  readonly id: SqlValue;
  /** Must be the first step of its transaction. */
  readonly insert: Step;
  /** Deletes the rows that another program has left when it deleted an earlier user with the same id. */
  readonly clear: readonly Step[];
  /** Reads the user if the database may have added values, and `insert` does not return them. */
  readonly select: readonly Step[];
  /** Returns the user that was created. If there is a `select`, its result must be the last. */
  created(results: readonly Result[]): AdapterUser;
}

/** Compiles the statements that create a user. */
export function userCreation(store: Store): (user: Partial<AdapterUser>) => UserCreation {
  const users = store.table('users');
  const insert = insertInto(store, users);
  const byId = selectById(store);
  const children = deletionsOfChildren(store, store.keptByRepeatedIds);
  const hasDefaults = users.further.length > 0;

  return (user) => {
    store.warnOfDropped(user);
    const row = userRow(store, user);
    const key = (results: readonly Result[]): Key => ({ id: insertedId(row, results[0]) });
    const select = (results: readonly Result[]): Query => byId(key(results));
    return {
      id: row['id'] ?? null,
      insert: insert(row),
      clear: children.map((remove) => (results: readonly Result[]) => remove(key(results))),
      select: hasDefaults && !store.dialect.returning ? [select] : [],
      created: (results) => {
        const stored = hasDefaults ? (store.dialect.returning ? results[0] : results.at(-1))?.rows[0] : undefined;
        return stored ? readUser(store, stored) : insertedUser(user, row, results[0]);
      },
    };
  };
}

function userRow(store: Store, user: Partial<AdapterUser>): Encoded {
  const users = store.table('users');
  const row = users.encode(user);
  // Addresses are unique, so an empty one would be shared by all users without an address.
  return withStamps(store, users, { ...row, email: row['email'] || null, id: newId(store, user.id) });
}

/** Returns the id of an inserted row, whether Latchkey or the database made it. */
export function insertedId(row: Encoded, inserted: Result | undefined): string | null {
  if (row['id'] !== null) return String(row['id']);
  return idOf(inserted?.rows[0]?.['id']) ?? inserted?.insertId ?? null;
}

function insertedUser(user: Partial<AdapterUser>, row: Encoded, inserted: Result | undefined): AdapterUser {
  return {
    id: insertedId(row, inserted) ?? '',
    name: textOf(row['name']),
    email: textOf(row['email']) as string,
    emailVerified: user.emailVerified ? new Date(user.emailVerified) : null,
    image: textOf(row['image']),
  };
}

/** Returns the user of a row. */
export function readUser(store: Store, row: Row): AdapterUser {
  const user = store.table('users').read(row);
  // The type of `email` is `string`. If the provider sends no address, other adapters return null as well.
  return { ...user, id: user.id ?? '', email: user.email as string };
}

type Key = { id: SqlValue };

function statementsOf(store: Store) {
  const { write } = store;
  const [users, accounts] = [store.table('users'), store.table('accounts')];
  const remove = (slot: (name: 'id') => SqlValue) =>
    write.deleteFrom(users.name).where(users.ref('id'), '=', slot('id'));

  return {
    byId: selectById(store),
    byEmail: statement<{ email: SqlValue }>((slot) =>
      write
        .selectFrom(users.name)
        .select(users.selectAll())
        .where(users.is('email', slot('email'))),
    ),
    byAccount: statement<{ provider: SqlValue; providerAccountId: SqlValue }>((slot) =>
      write
        .selectFrom(accounts.name)
        .innerJoin(users.name, (join) => join.on(users.ref('id'), '=', accounts.ref('userId')))
        .select(users.selectAll())
        .where(accounts.is('provider', slot('provider')))
        .where(accounts.is('providerAccountId', slot('providerAccountId'))),
    ),
    update: updateOf(store, users, {
      fields: users.fields.filter((field) => field !== 'id'),
      key: ['id'],
      returnsRow: true,
    }),
    children: [...lockOfUser(store), ...deletionsOfChildren(store, CHILDREN)],
    deletion: {
      select: selectById(store),
      delete: statement<Key>(remove),
      returning: statement<Key>((slot) => remove(slot).returning(users.selectAll())),
    },
  };
}

function selectById(store: Store): Statement<Key> {
  const users = store.table('users');
  return statement((slot) =>
    store.write.selectFrom(users.name).select(users.selectAll()).where(users.ref('id'), '=', slot('id')),
  );
}

/** The tables with rows of a user. */
export const CHILDREN: readonly ChildTable[] = [
  'userAccounts',
  'userSessions',
  'accounts',
  'sessions',
  'authenticators',
];

/** Locks the user first, so that simultaneous calls cannot add or delete rows of the user meanwhile. */
export function lockOfUser({ write, dialect, table }: Store): Statement<Key>[] {
  if (!dialect.rowLocks) return [];
  const users = table('users');
  const lock = statement<Key>((slot) =>
    write.selectFrom(users.name).select(sql`1`.as('locked')).where(users.ref('id'), '=', slot('id')).forUpdate(),
  );
  return dialect.name === 'postgres' ? [readCommitted, lock] : [lock];
}

/** Deletes the rows of a user in these tables. */
function deletionsOfChildren({ write, optionalTable }: Store, ids: readonly ChildTable[]): Statement<Key>[] {
  return ids.flatMap((id) => {
    const table = optionalTable(id);
    if (!table) return [];
    return [statement<Key>((slot) => write.deleteFrom(table.name).where(table.ref('userId'), '=', slot('id')))];
  });
}

/** At a stricter level, the transaction would not see the rows that were written while it waited for the lock. */
const readCommitted: Statement<Key> = () => ({
  sql: 'set transaction isolation level read committed',
  parameters: [],
});
