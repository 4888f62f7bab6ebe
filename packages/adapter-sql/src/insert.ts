import { sql } from 'kysely';
import type { Encoded } from './codec.ts';
import { type Statement, statement, type Writer } from './statement.ts';
import type { Store } from './store.ts';
import type { Table } from './table.ts';

/** Statements that several tables write alike. Fields of the input that a table has no column for are passed over. */

/** Inserts a row of `fields`; `id` is left to the database where it makes ids. */
export function insertInto(store: Store, table: Table, fields: readonly string[]): Statement<Encoded> {
  const { columns, values } = written(table, fields);
  return statement<Encoded>((slot) => {
    const insert = store.write
      .insertInto(table.name)
      .columns(columns)
      .values(asRow(columns, values, slot));
    return tellsId(store, table) ? insert.returning(table.read('id')) : insert;
  });
}

/** Inserts a row whose field `userId` is a user's; nothing when there is no such user, who is kept from going meanwhile. */
export function insertForUser(store: Store, table: Table, fields: readonly string[]): Statement<Encoded> {
  const users = store.table('users');
  const { columns, values } = written(table, fields);
  return statement<Encoded>((slot) => {
    const user = lockShared(
      store,
      store.write
        .selectFrom(users.name)
        .select([...values.map((name) => sql`${slot(name)}`.as(name)), users.ref('id').$castTo().as('theUser')])
        .where(users.ref('id'), '=', slot('userId')),
    );
    return store.write
      .insertInto(table.name)
      .columns([...columns, table.column('userId')])
      .expression(user);
  });
}

/** Keeps the selected rows from being deleted until the transaction ends. */
function lockShared<Q extends ReturnType<Writer['selectFrom']>>(store: Store, query: Q): Q {
  if (!store.dialect.rowLocks) return query;
  const lock = store.dialect.name === 'mysql' ? sql`lock in share mode` : sql`for key share`;
  return query.modifyEnd(lock) as Q;
}

/** The members of `row` that a statement with stamps needs beside its own. */
export function stamped(store: Store, table: Table, row: Encoded): Encoded {
  return table.stamps.inserted.length > 0 ? { ...row, now: store.codec.encode('date', 'now', store.now()) } : row;
}

function written(table: Table, fields: readonly string[]): { columns: string[]; values: string[] } {
  const present = fields.filter((field) => table.has(field) && (field !== 'id' || table.idsAreOurs));
  const stamps = table.stamps.inserted;
  return {
    columns: [...present.map((field) => table.column(field)), ...stamps],
    values: [...present, ...stamps.map(() => 'now')],
  };
}

function asRow(
  columns: readonly string[],
  values: readonly string[],
  slot: (name: string) => Encoded[string],
): Record<string, Encoded[string]> {
  return Object.fromEntries(columns.map((column, index) => [column, slot(values[index] as string)]));
}

function tellsId(store: Store, table: Table): boolean {
  return !table.idsAreOurs && store.dialect.returning && table.has('id');
}
