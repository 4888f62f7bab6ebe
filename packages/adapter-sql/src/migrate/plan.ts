import type { MigrationStep } from '@latchkey/core/adapters';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Dialect, Query } from '../dialect.ts';
import { type ColumnKind, tableIds, type WantedIndex, wantedIndexes } from '../schema/fields.ts';
import { indexName } from '../schema/names.ts';
import type { Column, Shape, TableShape } from '../schema/shape.ts';
import type { Writer } from '../statement.ts';
import { type Present, serves } from './present.ts';

/** The additions that a database needs. */
export interface Plan {
  /** Missing tables and columns. */
  readonly tables: readonly Change[];
  readonly indexes: readonly IndexChange[];
}

/** A statement, and its addition in words. */
export interface Change {
  readonly kind: MigrationStep['kind'];
  readonly table: TableShape;
  readonly adds: string;
  readonly query: Query;
}

/** A missing index. A unique one can be added only if `duplicates` counts no key. */
export interface IndexChange extends Change {
  readonly columns: readonly string[];
  /** Counts the keys that several rows have (`groups`); `null` if the index is not unique, or has new columns. */
  readonly duplicates: Query | null;
}

/** Returns the tables, columns and indexes of a shape that the database lacks. */
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
    const found = present(table);
    const there = found && found.columns.size > 0 ? found : null;
    if (!there) tables.push(createTable(write, dialect, shape, table));
    else tables.push(...absentColumns(write, dialect, shape, table, there));
    for (const index of wantedIndexes) {
      const columns = index.table === id ? index.fields.map((field) => table.columns[field]?.name ?? '') : [];
      if (columns.length === 0 || columns.includes('')) continue;
      if (!there?.indexes.some((one) => serves(one, columns, index.unique)))
        indexes.push(createIndex(write, dialect, table, index, columns, there));
    }
  }
  return { tables, indexes };
}

function absentColumns(write: Writer, dialect: Dialect, shape: Shape, table: TableShape, present: Present): Change[] {
  const fields = Object.entries(table.columns).filter(
    ([field, { kind }]) => kind !== 'id' && !table.mayLack.includes(field),
  );
  // An existing table of a preset belongs to another library, which has to know its further columns, too.
  const wanted: Column[] = [...fields.map(([, column]) => column), ...(shape.foreign ? [] : table.further)];
  return wanted
    .filter(({ name }) => !present.columns.has(name))
    .map(({ name, kind }) =>
      change(
        'column',
        table,
        `column ${table.name}.${name}`,
        write.schema.alterTable(table.name).addColumn(name, sql.raw(typeOf(dialect, shape, kind))),
      ),
    );
}

function createTable(write: Writer, dialect: Dialect, shape: Shape, table: TableShape): Change {
  const primary = primaryKeyOf(dialect, shape, table);
  const start = write.schema.createTable(table.name).ifNotExists();
  const { id, ...named } = table.columns;
  const others = Object.entries(named).filter(([field]) => !table.neverCreated.includes(field));
  // Without `autoincrement`, SQLite gives the id of a deleted user to the next one.
  const counts = dialect.name === 'sqlite' && primary === dialect.ids.integer.generated;
  const withKey = id
    ? start.addColumn(id.name, sql.raw(primary), (column) =>
        counts ? column.notNull().primaryKey().autoIncrement() : column.notNull().primaryKey(),
      )
    : start;
  const built = [...others.map(([, column]) => column), ...table.further].reduce(
    (builder, { name, kind }) => builder.addColumn(name, sql.raw(typeOf(dialect, shape, kind))),
    withKey,
  );
  return change(
    'table',
    table,
    `table ${table.name}`,
    dialect.tableSuffix === '' ? built : built.modifyEnd(sql.raw(dialect.tableSuffix)),
  );
}

/**
 * Returns the type of a table's primary key. If the database makes the ids but cannot make ids of the schema's type, it
 * numbers the rows: no link refers to such a table.
 */
function primaryKeyOf(dialect: Dialect, { ids }: Shape, { idsBy }: TableShape): string {
  const { given, generated } = dialect.ids[ids.type];
  if (idsBy === 'latchkey') return given;
  return generated ?? (ids.madeBy === 'latchkey' ? dialect.ids.integer.generated : null) ?? given;
}

function createIndex(
  write: Writer,
  dialect: Dialect,
  table: TableShape,
  { unique }: WantedIndex,
  columns: readonly string[],
  there: Present | null,
): IndexChange {
  const kind = unique ? 'unique index' : 'index';
  // MySQL has no `if not exists` here. A process that adds an existing index fails, and reads the catalog again.
  const unlessThere = sql.raw(dialect.name === 'mysql' ? '' : 'if not exists ');
  const { name, on } = indexPlace(dialect, table.name, freeName(table, columns, there));
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const create = sql`create ${sql.raw(kind)} ${unlessThere}${name} on ${on} (${list})`;
  return {
    ...change(kind, table, `${kind} on ${table.name} (${columns.join(', ')})`, {
      compile: () => create.compile(write),
    }),
    columns,
    // A new column is null in all rows, and nulls are distinct.
    duplicates:
      unique && columns.every((column) => there?.columns.has(column)) ? duplicatesOf(write, table, columns) : null,
  };
}

/** An index belongs to the schema of its table. SQLite needs the schema at the index, other dialects at the table. */
export function indexPlace(
  { name: dialect }: Dialect,
  table: string,
  index: string,
): Record<'name' | 'on', RawBuilder<unknown>> {
  const [name = '', schema] = table.split('.').reverse();
  if (dialect !== 'sqlite' || schema === undefined) return { name: sql.id(index), on: sql.table(table) };
  return { name: sql.id(schema, index), on: sql.id(name) };
}

/** Returns a name that no other index of the table has. */
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

function typeOf(dialect: Dialect, shape: Shape, kind: ColumnKind): string {
  switch (kind) {
    case 'id':
    case 'link':
      return dialect.ids[shape.ids.type].link;
    case 'date':
      return shape.dates === 'milliseconds' ? dialect.types.number : dialect.types.date;
    default:
      return dialect.types[kind];
  }
}

function change(kind: Change['kind'], table: TableShape, adds: string, statement: Compilable): Change {
  return { kind, table, adds, query: { sql: statement.compile().sql, parameters: [] } };
}
