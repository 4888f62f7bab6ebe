import { type AliasedRawBuilder, type RawBuilder, type ReferenceExpression, sql } from 'kysely';
import type { Codec, Encoded } from './codec.ts';
import type { Dialect, Row, SqlValue } from './dialect.ts';
import {
  added as allAdded,
  fields as allFields,
  type ColumnKind,
  type FieldOf,
  type RowOf,
  type TableId,
} from './schema/fields.ts';
import type { Column, Shape, TableStamps } from './schema/shape.ts';
import type { UserColumn } from './schema/user-fields.ts';
import type { AnyTables } from './statement.ts';

/** A table of this database: converts fields to its columns and values, and rows to objects. */
export interface Table<Id extends TableId = TableId> {
  readonly name: string;
  /** The fields whose values the adapter returns: all except the surrogate `id`. */
  readonly fields: readonly FieldOf<Id>[];
  readonly further: readonly UserColumn[];
  /** Columns of fields that other libraries do not know; `alias` is the field. An `insert` has those with a value. */
  readonly added: readonly Pick<UserColumn, 'name' | 'alias'>[];
  /** Columns that are set to the current time. */
  readonly stamps: TableStamps;
  /** Tells whether Latchkey makes the ids of the rows. */
  readonly makesIds: boolean;
  has(field: string): boolean;
  /** Returns the name of a field's column. */
  column(field: string): string;
  /** Returns a reference to a field's column, with its table. */
  ref(field: string): RawBuilder<unknown> & ReferenceExpression<AnyTables, string>;
  /** Returns the columns of the given fields for `select` or `returning`, each named by its field. */
  select(...fields: readonly FieldOf<Id>[]): AliasedRawBuilder<unknown, string>[];
  /** Returns all that {@link read} needs, for `select` or `returning`. */
  selectAll(): AliasedRawBuilder<unknown, string>[];
  /** Returns the object of a row. A member that the row does not have is `null`. */
  read(row: Row): RowOf<Id>;
  /** Returns the condition that a field has this value. Most keys are compared byte by byte. */
  is(field: string, value: SqlValue): RawBuilder<boolean>;
  /** Returns the condition that a field has one of these values. `null` equals nothing. */
  isOneOf(field: string, values: readonly SqlValue[]): RawBuilder<boolean>;
  /** Returns the condition that a date is equal to the one that was read before. */
  isAt(field: string, date: SqlValue): RawBuilder<boolean>;
  isBefore(field: string, date: SqlValue): RawBuilder<boolean>;
  /**
   * Returns the fields of an object as parameters, without `id`, and its further members by their aliases. A field that
   * is absent is `null`; a further member that is absent has no parameter, and neither has an added field.
   *
   * @throws {TypeError} if a value cannot be stored, or a `required` one is absent.
   */
  encode(members: object, required?: readonly FieldOf<Id>[]): Encoded;
  /** @throws {TypeError} if the value cannot be stored, or is absent. */
  required(field: FieldOf<Id>, name: string, value: unknown): SqlValue;
  lookup(field: FieldOf<Id>, value: unknown): SqlValue;
}

/**
 * Keys that SQLite and PostgreSQL compare as their column is declared. Core compares addresses itself, so a column that
 * ignores case may find them. Session tokens are random; this saves 2 of 8 µs of a session read on SQLite.
 */
const COMPARED_AS_DECLARED: ReadonlySet<string> = new Set(['email', 'sessionToken']);

/** Returns a table of the shape; `null` if the shape leaves it out. */
export function tableOf<Id extends TableId>(id: Id, shape: Shape, dialect: Dialect, codec: Codec): Table<Id> | null {
  const table = shape.tables[id];
  if (!table) return null;
  const { name, columns, further } = table;
  const fields = (Object.keys(allFields[id]) as FieldOf<Id>[]).filter((field) => field !== 'id' || id === 'users');
  const present = fields.filter((field) => columns[field] !== undefined);
  const kinds: Readonly<Record<string, ColumnKind>> = allFields[id];
  const kindOf = (field: string): ColumnKind => kinds[field] ?? 'text';
  const ref = (field: string) => sql.ref(`${name}.${columnOf(field).name}`);

  function columnOf(field: string): Column {
    const column = columns[field];
    if (!column) throw new TypeError(`the table ${name} has no column for ${field}`);
    return column;
  }

  /** Tells whether a field is compared byte by byte. Collations of MySQL ignore so much that all keys are. */
  function isExact(field: string): boolean {
    return kindOf(field) === 'key' && (dialect.name === 'mysql' || !COMPARED_AS_DECLARED.has(field));
  }

  /** A date that can be compared with any other date of the database. */
  function comparable(date: RawBuilder<unknown>): RawBuilder<unknown> {
    return shape.mixedDates && dialect.milliseconds ? dialect.milliseconds(date) : date;
  }

  function truncated(field: string): RawBuilder<unknown> {
    const date = comparable(ref(field));
    return shape.dates === 'native' && !shape.mixedDates ? dialect.toMillisecond(date) : date;
  }

  function readable(field: string): RawBuilder<unknown> {
    const kind = kindOf(field);
    if (kind === 'date' && shape.mixedDates) return comparable(ref(field));
    if (kind === 'date' && shape.dates === 'native') return sql`${dialect.dateOf(ref(field))}`;
    // Some drivers round large integers.
    if ((kind === 'id' || kind === 'link') && shape.ids.type === 'bigint')
      return sql`cast(${ref(field)} as ${sql.raw(dialect.name === 'mysql' ? 'char' : 'text')})`;
    return ref(field);
  }

  function readableFurther(column: UserColumn): RawBuilder<unknown> {
    const further = sql.ref(`${name}.${column.name}`);
    if (column.kind === 'date' && shape.dates === 'native' && dialect.name !== 'sqlite')
      return sql`${dialect.dateOf(further)}`;
    return sql`${dialect.readFurther(further, column.kind)}`;
  }

  const stamped = table.stamps.inserted;
  const added = (allAdded[id] ?? [])
    .flatMap((field) => (columns[field] ? [{ name: columns[field].name, alias: field }] : []))
    .filter(({ name }) => !stamped.includes(name));

  const select = (...chosen: readonly string[]) => chosen.map((field) => readable(field).as(field));
  const readers = [
    ...fields.map((field) => ({ field, alias: field, kind: kindOf(field) })),
    ...further.map(({ field, alias, kind }) => ({ field, alias, kind })),
  ] as const;

  function encode(members: object, required: readonly FieldOf<Id>[] = []): Encoded {
    const member = (field: string): unknown => Reflect.get(members, field);
    const encoded: Encoded = {};
    for (const field of fields) {
      const encodeField = required.includes(field) ? codec.required : codec.encode;
      const hasParameter = field !== 'id' && (!allAdded[id]?.includes(field) || member(field) != null);
      if (hasParameter) encoded[field] = encodeField(kindOf(field), `${id}.${field}`, member(field));
    }
    for (const { field, alias, kind, writable } of further)
      if (writable && Object.hasOwn(members, field) && member(field) !== undefined)
        encoded[alias] = codec.encode(kind, `${id}.${field}`, member(field));
    return encoded;
  }

  function is(field: string, value: SqlValue): RawBuilder<boolean> {
    // The application may have made the table, with any type and collation. Ids do not come from visitors.
    return isExact(field) ? dialect.sameBytes(ref(field), sql`${value}`) : sql<boolean>`${ref(field)} = ${value}`;
  }

  return {
    name,
    fields,
    further,
    added,
    stamps: table.stamps,
    makesIds: table.idsBy === 'latchkey',
    has: (field) => columns[field] !== undefined,
    column: (field) => columnOf(field).name,
    ref,
    select,
    selectAll: () => [...select(...present), ...further.map((column) => readableFurther(column).as(column.alias))],
    read: (row) => {
      const object: Record<string, unknown> = {};
      for (const { field, alias, kind } of readers) object[field] = codec.decode(kind, row[alias]);
      return object as RowOf<Id>;
    },
    is,
    isOneOf: (field, values) =>
      sql<boolean>`(${sql.join(
        values.map((value) => is(field, value)),
        sql` or `,
      )})`,
    isAt: (field, date) => sql<boolean>`${truncated(field)} = ${comparable(sql`${date}`)}`,
    isBefore: (field, date) => sql<boolean>`${comparable(ref(field))} < ${comparable(sql`${date}`)}`,
    encode,
    required: (field, what, value) => codec.required(kindOf(field), what, value),
    lookup: (field, value) => codec.lookup(kindOf(field), value),
  };
}
