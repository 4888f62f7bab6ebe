import type { Dialect, Row, SqlValue } from './dialect.ts';
import { type ColumnKind, type StoredDate, type TableName, tables } from './schema.ts';

/** Values of a row's columns, by name. */
export type Encoded = Record<string, SqlValue>;

/**
 * The columns of a table out of an object; its other members have no place and are passed over.
 *
 * @throws {TypeError} when a member cannot be stored exactly as it is. The message names the member, never its value.
 */
export function encodeRow(dialect: Dialect, table: TableName, members: object): Encoded {
  const row: Encoded = {};
  for (const [column, kind] of Object.entries<ColumnKind>(tables[table])) {
    row[column] = encode(dialect, kind, `${table}.${column}`, members[column as keyof typeof members]);
  }
  return row;
}

/** @throws {TypeError} when the value cannot be stored exactly as it is. */
export function encode(dialect: Dialect, kind: ColumnKind, name: string, value: unknown): SqlValue {
  if (value === undefined || value === null) return null;
  switch (kind) {
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`${name} must be a finite number`);
      return value;
    case 'date':
      return dateIn(dialect, name, value);
    default:
      if (typeof value !== 'string' || !dialect.storable(value))
        throw new TypeError(`${name} must be text that the database can keep as it is`);
      return value;
  }
}

/** @throws {TypeError} when the value is missing, or no text that can be stored. */
export function required(dialect: Dialect, name: string, value: unknown): string {
  const encoded = encode(dialect, 'key', name, value);
  if (typeof encoded !== 'string') throw new TypeError(`${name} is missing`);
  return encoded;
}

/** @throws {TypeError} when the value is no instant that can be stored. */
export function dateIn(dialect: Dialect, name: string, value: unknown): StoredDate {
  const date = value instanceof Date ? dialect.dateIn(value) : null;
  if (date === null) throw new TypeError(`${name} must be a valid Date within the years 0 to 9999`);
  return date;
}

/** Something to look for. What could not have been stored becomes null, which equals nothing in SQL. */
export function lookup(dialect: Dialect, value: unknown): string | null {
  return typeof value === 'string' && dialect.storable(value) ? value : null;
}

/** Text of a column, `null` for anything else. */
export function textOf(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === 'string' ? value : null;
}

/** Number of a column, `null` for anything else. Connections may be set to return integers as `bigint`. */
export function numberOf(row: Row, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
}
