import { type RawBuilder, sql } from 'kysely';
import type { Encoded } from './codec.ts';
import type { Step } from './dialect.ts';
import type { UserColumn } from './schema/user-fields.ts';
import { type SlotOf, type Statement, statement, type Writer } from './statement.ts';
import { type Store, withStamps } from './store.ts';
import type { Table } from './table.ts';

/**
 * Compiles the `insert` of a row with all fields of a table. It returns the row, or only the id, if `returning`
 * exists.
 */
export function insertInto(store: Store, table: Table): Statement<Encoded> {
  const { columns, parameters } = inserted(table, table.fields);
  const returned =
    table.further.length > 0 ? table.selectAll() : table.makesIds || !table.has('id') ? [] : table.select('id');
  return eachChoice(table.further, (further) =>
    statement((slot) => {
      const insert = store.write
        .insertInto(table.name)
        .columns([...columns, ...further.map(({ name }) => name)])
        .values({
          ...Object.fromEntries(columns.map((column, index) => [column, slot(parameters[index] ?? column)])),
          ...Object.fromEntries(further.map(({ name, alias }) => [name, slot(alias)])),
        });
      return store.dialect.returning && returned.length > 0 ? insert.returning(returned) : insert;
    }),
  );
}

/**
 * Compiles the `insert` of a row that belongs to the user `userId`. If the user does not exist, it inserts nothing. The
 * user cannot be deleted before the transaction ends.
 */
export function insertForUser(store: Store, table: Table): Statement<Encoded> {
  const users = store.table('users');
  const { columns, parameters } = inserted(
    table,
    table.fields.filter((field) => field !== 'userId'),
  );
  return eachChoice(table.added, (added) =>
    statement((slot) => {
      const names = [...parameters, ...added.map(({ alias }) => alias)];
      const user = lockShared(
        store,
        store.write
          .selectFrom(users.name)
          .select([...names.map((name) => sql`${slot(name)}`.as(name)), sql`${users.ref('id')}`.as('theUser')])
          .where(users.ref('id'), '=', slot('userId')),
      );
      return store.write
        .insertInto(table.name)
        .columns([...columns, ...added.map(({ name }) => name), table.column('userId')])
        .expression(user);
    }),
  );
}

/** Keeps the selected rows from being deleted until the transaction ends. */
function lockShared<Q extends ReturnType<Writer['selectFrom']>>(store: Store, query: Q): Q {
  if (!store.dialect.rowLocks) return query;
  const lock = store.dialect.name === 'mysql' ? sql`lock in share mode` : sql`for key share`;
  return query.modifyEnd(lock) as Q;
}

function inserted(table: Table, fields: readonly string[]): { columns: string[]; parameters: string[] } {
  const withId = table.makesIds ? ['id', ...fields] : fields;
  const present = [...new Set(withId)].filter((field) => table.has(field) && (field !== 'id' || table.makesIds));
  const stamps = table.stamps.inserted;
  const added = table.added.map(({ alias }) => alias);
  const written = present.filter((field) => !added.includes(field) && !stamps.includes(table.column(field)));
  return {
    columns: [...written.map((field) => table.column(field)), ...stamps],
    parameters: [...written, ...stamps.map(() => 'now')],
  };
}

/**
 * Returns copies of the dates of a row that was inserted. The codec does not read them from the parameters of the
 * `insert`.
 */
export function insertedDates(table: Table, members: object): Record<string, Date> {
  const dates = table.added.map(({ alias }) => [alias, Reflect.get(members, alias)] as const);
  return Object.fromEntries(dates.flatMap(([name, date]) => (date instanceof Date ? [[name, new Date(date)]] : [])));
}

/** The fields that an update may change, how it finds the row, and whether the caller needs the row. */
interface UpdateOptions {
  readonly fields: readonly string[];
  /** The fields that identify the row. Default: {@link isRow} does. */
  readonly key?: readonly string[];
  readonly isRow?: (slot: SlotOf<Encoded>) => RawBuilder<boolean>;
  readonly returnsRow?: boolean;
}

/**
 * Compiles the update of some fields of a row. One statement serves for all choices of fields: the parameter `has_…`
 * tells whether a field changes. If the caller needs the row, the last of the steps returns it.
 */
export function updateOf(
  store: Store,
  table: Table,
  { fields, key = [], returnsRow = false, isRow = isKey(table, key) }: UpdateOptions,
): (change: Encoded) => Step[] {
  const { write, dialect } = store;
  const present = fields.filter((field) => table.has(field));
  const update = eachChoice(table.further, (further) =>
    statement((slot) => {
      const values: Record<string, RawBuilder<never>> = Object.fromEntries([
        ...present.map((field) => [table.column(field), ifChanged(table, field, slot)]),
        ...further.map(({ name, alias }) => [name, sql`${slot(alias)}`]),
        ...table.stamps.updated.map((column) => [column, sql`${slot('now')}`]),
      ]);
      const query = write.updateTable(table.name).set(values).where(isRow(slot));
      return dialect.returning && returnsRow ? query.returning(table.selectAll()) : query;
    }),
  );
  if (dialect.returning || !returnsRow) return (change) => [update(change)];
  const select = statement<Encoded>((slot) =>
    write.selectFrom(table.name).select(table.selectAll()).where(isRow(slot)),
  );
  return (change) => [update(change), select(change)];
}

function isKey(table: Table, key: readonly string[]): NonNullable<UpdateOptions['isRow']> {
  return (slot) =>
    sql<boolean>`${sql.join(
      key.map((field) => table.is(field, slot(`key_${field}`))),
      sql` and `,
    )}`;
}

/**
 * Returns the parameters of {@link updateOf}. A member that is absent or `undefined` keeps its value.
 *
 * @throws {TypeError} if a value cannot be stored.
 */
export function changeOf(store: Store, table: Table, members: object, key: Encoded): Encoded {
  const change = table.encode(members);
  for (const field of table.fields) {
    change[field] ??= null;
    change[`has_${field}`] = Reflect.get(members, field) === undefined ? 0 : 1;
  }
  for (const [field, value] of Object.entries(key)) change[`key_${field}`] = value;
  return withStamps(store, table, change);
}

function ifChanged(table: Table, field: string, slot: SlotOf<Encoded>): RawBuilder<never> {
  return sql`case when ${slot(`has_${field}`)} = 1 then ${slot(field)} else ${sql.ref(table.column(field))} end`;
}

/** Number of compiled statements that are kept for the choices of columns. */
const MOST_CHOICES = 100;

/**
 * Compiles a statement for each choice of columns that have a parameter. A column without one does not occur in the
 * statement, so that it keeps its value or gets its default. An application usually makes few different choices.
 */
function eachChoice<Column extends Pick<UserColumn, 'alias'>>(
  columns: readonly Column[],
  compile: (chosen: readonly Column[]) => Statement<Encoded>,
): Statement<Encoded> {
  const statements = new Map<string, Statement<Encoded>>();
  return (input) => {
    const chosen = columns.filter(({ alias }) => input[alias] !== undefined);
    const choice = chosen.map(({ alias }) => alias).join();
    const statement = statements.get(choice) ?? compile(chosen);
    if (statements.size >= MOST_CHOICES) statements.clear();
    statements.set(choice, statement);
    return statement(input);
  };
}
