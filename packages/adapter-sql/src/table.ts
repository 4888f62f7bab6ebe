import { type AliasedRawBuilder, type RawBuilder, type ReferenceExpression, sql } from 'kysely';
import type { Codec, Encoded } from './codec.ts';
import type { Dialect, SqlValue } from './dialect.ts';
import type { TableId } from './schema/fields.ts';
import { kindsOf, type Shape, type TableShape, type TableStamps } from './schema/shape.ts';
import type { AnyTables } from './statement.ts';

/** A table for writing statements: fields in, the names and expressions of this database out. */
export interface Table {
  readonly name: string;
  /** Columns that are set to the present. */
  readonly stamps: TableStamps;
  /** Are the ids of its rows ours to make? Where the table has any. */
  readonly idsAreOurs: boolean;
  has(field: string): boolean;
  column(field: string): string;
  /** The column, with its table before it. */
  ref(field: string): RawBuilder<unknown> & ReferenceExpression<AnyTables, string>;
  /** The fields to select or to return, each under its field's name; those that this database lacks are null. */
  read(...fields: readonly string[]): AliasedRawBuilder<unknown, string>[];
  /** Is the field this one? Keys are compared byte by byte. */
  is(field: string, text: SqlValue): RawBuilder<boolean>;
  /** Is the field this instant, as it was read before? */
  isAt(field: string, instant: SqlValue): RawBuilder<boolean>;
  isBefore(field: string, instant: SqlValue): RawBuilder<boolean>;
  /**
   * The fields of `members` that this table has, encoded; `null` for those that are missing.
   *
   * @throws {TypeError}
   */
  encode(members: object, fields: readonly string[]): Encoded;
  /** @throws {TypeError} when the value is missing or cannot be stored. */
  required(field: string, what: string, value: unknown): Encoded[string];
  lookup(field: string, value: unknown): Encoded[string];
}

/** A table of the shape; `null` when the shape has none. */
export function tableOf(id: TableId, shape: Shape, dialect: Dialect, codec: Codec): Table | null {
  const given = shape.tables[id];
  if (!given) return null;
  // Alias of a variable, so that the closures below know that it is there.
  const table: TableShape = given;
  const kinds = kindsOf(id);
  const kind = (field: string) => kinds[field] ?? 'text';
  const ref = (field: string) => sql.ref(`${table.name}.${columnOf(table, field)}`);

  /** A date that can be compared with any other of the database. */
  function comparable(date: RawBuilder<unknown>): RawBuilder<unknown> {
    return shape.mixedDates && dialect.milliseconds ? dialect.milliseconds(date) : date;
  }

  function finest(field: string): RawBuilder<unknown> {
    const date = comparable(ref(field));
    return shape.dates === 'native' && !shape.mixedDates ? dialect.toMillisecond(date) : date;
  }

  function readable(field: string): RawBuilder<unknown> {
    if (table.columns[field] === undefined) return sql`null`;
    if (kind(field) === 'date' && shape.mixedDates) return comparable(ref(field));
    if (kind(field) === 'date' && shape.dates === 'native') return sql`${dialect.dateOf(ref(field))}`;
    // Large numbers lose digits on their way through some drivers.
    if ((kind(field) === 'id' || kind(field) === 'link') && shape.ids.type === 'bigint')
      return sql`cast(${ref(field)} as ${sql.raw(dialect.name === 'mysql' ? 'char' : 'text')})`;
    return ref(field);
  }

  return {
    name: table.name,
    stamps: table.stamps,
    idsAreOurs: table.idsBy === 'latchkey',
    has: (field) => table.columns[field] !== undefined,
    column: (field) => columnOf(table, field),
    ref,
    read: (...fields) => fields.map((field) => readable(field).as(field)),
    is: (field, text) => {
      const value = sql`${text}`;
      // Columns of our own compare bytes by themselves; ids come from the database, not from visitors.
      if (shape.foreign && kind(field) === 'key' && dialect.sameBytes) return dialect.sameBytes(ref(field), value);
      return sql<boolean>`${ref(field)} = ${value}`;
    },
    isAt: (field, instant) => sql<boolean>`${finest(field)} = ${comparable(sql`${instant}`)}`,
    isBefore: (field, instant) => sql<boolean>`${comparable(ref(field))} < ${comparable(sql`${instant}`)}`,
    encode: (members, fields) => {
      const encoded: Encoded = {};
      for (const field of fields)
        encoded[field] = codec.encode(kind(field), `${id}.${field}`, members[field as keyof typeof members]);
      return encoded;
    },
    required: (field, what, value) => codec.required(kind(field), what, value),
    lookup: (field, value) => codec.lookup(kind(field), value),
  };
}

function columnOf(table: TableShape, field: string): string {
  const column = table.columns[field];
  if (column === undefined) throw new TypeError(`the table ${table.name} has no column for ${field}`);
  return column;
}
