import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Dialect, Query } from '../dialect.ts';
import { type TableId, tableIds, type WantedIndex, wantedIndexes } from '../schema/fields.ts';
import type { ColumnKind } from '../schema/kinds.ts';
import { indexName } from '../schema/names.ts';
import { kindsOf, type Shape, type TableShape } from '../schema/shape.ts';
import type { Writer } from '../statement.ts';
import { type Present, serves } from './present.ts';

/** What is missing from a database. */
export interface Plan {
  /** Tables and columns. */
  readonly tables: readonly Change[];
  readonly indexes: readonly IndexChange[];
}

/** A statement, and what it adds, in words. */
export interface Change {
  readonly adds: string;
  readonly query: Query;
}

/** A missing index. A unique one cannot be added while `duplicates` finds rows. */
export interface IndexChange extends Change {
  readonly table: string;
  readonly columns: readonly string[];
  /** Counts (`groups`) the keys that several rows share; `null` for an index that is not unique, or has new columns. */
  readonly duplicates: Query | null;
}

/** Everything that a shape needs and the database lacks. */
export function planOf(
  write: Writer,
  dialect: Dialect,
  shape: Shape,
  present: (table: TableShape) => Present | undefined,
): Plan {
  const tables: Change[] = [];
  const indexes: IndexChange[] = [];
  for (const id of tableIds) {
    const table = shape.tables[id];
    if (!table) continue;
    const looked = present(table);
    const there = looked && looked.columns.size > 0 ? looked : null;
    if (!there) tables.push(createTable(write, dialect, shape, id, table));
    else tables.push(...absentColumns(write, dialect, shape, id, table, there.columns));
    for (const index of wantedIndexes) {
      const columns = index.table === id ? index.fields.map((field) => table.columns[field] ?? '') : [];
      if (columns.length === 0 || columns.includes('')) continue;
      if (!there?.indexes.some((one) => serves(one, columns, index.unique)))
        indexes.push(createIndex(write, dialect, table, index, columns, there));
    }
  }
  return { tables, indexes };
}

function absentColumns(
  write: Writer,
  dialect: Dialect,
  shape: Shape,
  id: TableId,
  table: TableShape,
  known: ReadonlySet<string>,
): Change[] {
  return Object.entries(table.columns)
    .filter(([field, column]) => !known.has(column) && kindsOf(id)[field] !== 'id' && !table.mayLack.includes(field))
    .map(([field, column]) =>
      change(
        `column ${table.name}.${column}`,
        write.schema.alterTable(table.name).addColumn(column, sql.raw(typeOf(dialect, shape, kindsOf(id)[field]))),
      ),
    );
}

function createTable(write: Writer, dialect: Dialect, shape: Shape, id: TableId, table: TableShape): Change {
  const primary = primaryKeyOf(dialect, shape, table);
  const start = write.schema.createTable(table.name).ifNotExists();
  const { id: key, ...others } = table.columns;
  // Else SQLite gives the id of the last user to the next one when that user is gone, and with it what still names the id.
  const counts = dialect.name === 'sqlite' && primary === dialect.ids.integer.theirs;
  const withKey =
    key === undefined
      ? start
      : start.addColumn(key, sql.raw(primary), (column) =>
          counts ? column.notNull().primaryKey().autoIncrement() : column.notNull().primaryKey(),
        );
  const built = Object.entries(others).reduce(
    (builder, [field, column]) => builder.addColumn(column, sql.raw(typeOf(dialect, shape, kindsOf(id)[field]))),
    withKey,
  );
  return change(
    `table ${table.name}`,
    dialect.tableSuffix === '' ? built : built.modifyEnd(sql.raw(dialect.tableSuffix)),
  );
}

/** Nothing refers to the rows of a table whose ids are its own, so that a number does where the database makes no others. */
function primaryKeyOf(dialect: Dialect, { ids }: Shape, { idsBy }: TableShape): string {
  const { ours, theirs } = dialect.ids[ids.type];
  if (idsBy === 'latchkey') return ours;
  return theirs ?? (ids.madeBy === 'latchkey' ? dialect.ids.integer.theirs : null) ?? ours;
}

function createIndex(
  write: Writer,
  dialect: Dialect,
  table: TableShape,
  { unique }: WantedIndex,
  columns: readonly string[],
  there: Present | null,
): IndexChange {
  const kind = sql.raw(unique ? 'unique index' : 'index');
  // MySQL has no `if not exists` here. A second instance that adds the same index fails, and looks again.
  const unlessThere = sql.raw(dialect.name === 'mysql' ? '' : 'if not exists ');
  const { name, on } = placeOf(dialect, table, freeName(table, columns, there));
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const create = sql`create ${kind} ${unlessThere}${name} on ${on} (${list})`;
  return {
    ...change(`${unique ? 'unique index' : 'index'} on ${table.name} (${columns.join(', ')})`, {
      compile: () => create.compile(write),
    }),
    table: table.name,
    columns,
    // A column that is yet to be added is null in all rows, and nulls never collide.
    duplicates:
      unique && columns.every((column) => there?.columns.has(column)) ? duplicatesOf(write, table, columns) : null,
  };
}

/** An index belongs to the schema of its table. SQLite wants that said at the index, others at the table. */
function placeOf(
  { name: dialect }: Dialect,
  table: TableShape,
  index: string,
): Record<'name' | 'on', RawBuilder<unknown>> {
  const [name = '', schema] = table.name.split('.').reverse();
  if (dialect !== 'sqlite' || schema === undefined) return { name: sql.id(index), on: sql.table(table.name) };
  return { name: sql.id(schema, index), on: sql.id(name) };
}

/** The application may have an index of the usual name that does something else. */
function freeName(table: TableShape, columns: readonly string[], there: Present | null): string {
  const name = indexName(table.name, columns);
  const isTaken = there?.indexes.some((index) => index.name === name);
  return isTaken ? indexName(table.name, [...columns, 'unique']) : name;
}

function duplicatesOf(write: Writer, table: TableShape, columns: readonly string[]): Query {
  const refs = columns.map((column) => sql.ref(column));
  const complete = sql<boolean>`${sql.join(
    refs.map((ref) => sql`${ref} is not null`),
    sql` and `,
  )}`;
  const { sql: text, parameters } =
    sql`select count(*) as ${sql.ref('groups')} from (select 1 as ${sql.ref('one')} from ${sql.table(table.name)} where ${complete} group by ${sql.join(refs)} having count(*) > 1) as ${sql.ref('duplicated')}`.compile(
      write,
    );
  return { sql: text, parameters: parameters as [] };
}

function typeOf(dialect: Dialect, shape: Shape, kind: ColumnKind | undefined): string {
  switch (kind) {
    case 'id':
    case 'link':
      return dialect.ids[shape.ids.type].link;
    case 'date':
      return shape.dates === 'milliseconds' ? dialect.types.number : dialect.types.date;
    default:
      return dialect.types[kind ?? 'text'];
  }
}

function change(adds: string, statement: Compilable): Change {
  return { adds, query: { sql: statement.compile().sql, parameters: [] } };
}
