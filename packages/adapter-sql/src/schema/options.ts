import type { DateFormat, FieldOf, IdType, TableId } from './fields.ts';
import type { PresetName } from './presets.ts';

/** How the ids of rows are made. */
export interface SqlIds {
  /** Their SQL type. The adapter returns ids as text. Default: `text`. */
  type?: IdType | undefined;
  /**
   * Who makes them. Default: `latchkey` for `text` and `uuid`, `database` for `integer` and `bigint`. Only the database
   * can make the last two, and only PostgreSQL can make a `uuid`.
   */
  madeBy?: 'latchkey' | 'database' | undefined;
  /** Makes an id of type `text` or `uuid`. Default: the id from core, a random UUID. */
  make?: (() => string) | undefined;
}

/** Columns that the adapter sets to the current time, in the tables that have them. `null`: no such column. */
export interface SqlStamps {
  /** Set when a row is inserted. Default: `createdAt` with the preset `prisma-adapter`, otherwise `null`. */
  created?: string | null | undefined;
  /**
   * Set when a row is inserted and when it is changed. Default: `updatedAt` with the preset `prisma-adapter`, otherwise
   * `null`.
   */
  updated?: string | null | undefined;
}

/** The names of a table and of its columns, where they differ from the preset or the reference schema. */
export interface SqlTable<Field extends string> {
  /** Name of the table, with or without its schema: `auth.users`. */
  name?: string | undefined;
  /**
   * Column by field. `null`: the table has no such column. Only columns that the adapter does not need can be `null`.
   */
  columns?: { readonly [F in Field]?: string | null } | undefined;
}

/**
 * The tables of the adapter. A member that is not given is taken from `preset`, or from the reference schema without
 * one.
 */
export interface SqlSchema {
  /** Use the tables of another library. Default: the reference schema. */
  preset?: PresetName | undefined;
  /** Type and origin of the users' ids. Default: text, a random UUID that core creates. */
  ids?: SqlIds | undefined;
  /**
   * How dates are stored. Default: `native`, the dialect's own type; in SQLite text such as `2026-03-01T12:00:00.000Z`.
   * With the preset `prisma-adapter` on SQLite, the adapter reads both formats, and writes this one.
   */
  dates?: DateFormat | undefined;
  /** For time stamps of the application that have no default. */
  stamps?: SqlStamps | undefined;
  /** A string is short for `{ name }`. `null` leaves out one of the link tables, or the table of passkeys. */
  tables?: { readonly [T in TableId]?: string | SqlTable<FieldOf<T>> | null } | undefined;
}
