import type { FieldOf, TableId } from './fields.ts';
import type { DateFormat, IdType } from './kinds.ts';
import type { PresetName } from './presets.ts';

/** How the ids of rows come about. */
export interface SqlIds {
  /** What they are in the database; the adapter hands them out as text. Default: `text`. */
  type?: IdType | undefined;
  /**
   * Who makes them. Default: `latchkey` for `text` and `uuid`, `database` for `integer` and `bigint`, which only the database
   * can make. A `uuid` that the database makes needs PostgreSQL.
   */
  madeBy?: 'latchkey' | 'database' | undefined;
  /** Makes an id of type `text` or `uuid`. Default: the id that core proposes, a random UUID. */
  make?: (() => string) | undefined;
}

/** Columns that the adapter sets to the present, in those tables that have them. */
export interface SqlStamps {
  /** Set when a row is inserted. Default: `createdAt` with the preset of Prisma, else none. */
  created?: string | null | undefined;
  /** Set when a row is inserted, and at each change. Default: `updatedAt` with the preset of Prisma, else none. */
  updated?: string | null | undefined;
}

/** A table's own names: its name in the database, and those columns that are called otherwise than in the schema it is based on. */
export interface SqlTable<Field extends string> {
  /** May have a schema before it: `auth.users`. */
  name?: string | undefined;
  /** Field → column. `null`: there is no such column; only for columns that the adapter can do without. */
  columns?: { readonly [F in Field]?: string | null } | undefined;
}

/** Where the adapter finds its tables. Plain data; what is not given is as in `preset`, else as in the reference schema. */
export interface SqlSchema {
  /** Tables that another library made. Default: the reference schema. */
  preset?: PresetName | undefined;
  ids?: SqlIds | undefined;
  /**
   * Default: `native`, the dialect's own; in SQLite text such as `2026-03-01T12:00:00.000Z`. With the preset of Prisma on
   * SQLite, dates are read in either format; this is the one to write.
   */
  dates?: DateFormat | undefined;
  /** For columns of the application that have no default. */
  stamps?: SqlStamps | undefined;
  /** A string is short for `{ name }`. `null` leaves a table out: the two link tables, or the one of authenticators. */
  tables?: { readonly [T in TableId]?: string | SqlTable<FieldOf<T>> | null } | undefined;
}
