import type { Dialect, Row, SqlValue } from './dialect.ts';
import type { ColumnKind, IdType } from './schema/kinds.ts';
import type { Shape } from './schema/shape.ts';

/** Values of a statement, by field. */
export type Encoded = Record<string, SqlValue>;

/** Turns values of the adapter's contract into those of a database, and back. */
export interface Codec {
  /** @throws {TypeError} when the value cannot be stored exactly as it is. The message names it, never tells it. */
  encode(kind: ColumnKind, name: string, value: unknown): SqlValue;
  /** @throws {TypeError} when the value is missing, too. */
  required(kind: ColumnKind, name: string, value: unknown): SqlValue;
  /** Something to look for. What could not have been stored becomes null, which equals nothing in SQL. */
  lookup(kind: ColumnKind, value: unknown): SqlValue;
  /** An instant as it is in a row, `null` for anything else. */
  dateOf(row: Row, field: string): Date | null;
}

/** The codec of a database. */
export function codecOf(dialect: Dialect, { ids, dates, mixedDates }: Shape): Codec {
  const dateIn = (value: unknown): SqlValue => {
    if (!(value instanceof Date)) return null;
    const text = dialect.dateIn(value);
    if (text !== null && dates === 'milliseconds') return value.getTime();
    // Prisma's way to write it: the application compares dates as text, too.
    return mixedDates ? (text?.replace('Z', '+00:00') ?? null) : text;
  };

  function encode(kind: ColumnKind, name: string, value: unknown): SqlValue {
    if (value === undefined || value === null) return null;
    const encoded = known(kind, value);
    if (encoded === null) throw new TypeError(`${name} must be ${WORDS[kind]}`);
    return encoded;
  }

  function known(kind: ColumnKind, value: unknown): SqlValue {
    switch (kind) {
      case 'number':
        return Number.isSafeInteger(value) ? (value as number) : null;
      case 'boolean':
        return typeof value === 'boolean' ? dialect.booleanIn(value) : null;
      case 'date':
        return dateIn(value);
      case 'id':
      case 'link':
        return idIn(ids.type, value, dialect);
      default:
        return typeof value === 'string' && dialect.storable(value, kind) ? value : null;
    }
  }

  return {
    encode,
    required: (kind, name, value) => {
      const encoded = encode(kind, name, value);
      if (encoded === null) throw new TypeError(`${name} is missing`);
      return encoded;
    },
    lookup: (kind, value) => (value === undefined || value === null ? null : known(kind, value)),
    dateOf: (row, field) => dialect.dateOut(row[field]),
  };
}

const WORDS: Readonly<Record<ColumnKind, string>> = {
  number: 'a whole number of at most 53 bits',
  boolean: 'a boolean',
  date: 'a valid Date that the database can keep',
  id: 'an id of the kind that the schema has',
  link: 'an id of the kind that the schema has',
  key: 'text that the database can keep as it is',
  text: 'text that the database can keep as it is',
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const WHOLE = /^(0|[1-9]\d*)$/;
const LARGEST: Readonly<Record<'integer' | 'bigint', bigint>> = { integer: 2n ** 31n - 1n, bigint: 2n ** 63n - 1n };

/** An engine that is asked for an id that its column cannot hold fails, or finds another's: neither may happen. */
function idIn(type: IdType, value: unknown, dialect: Dialect): SqlValue {
  if (typeof value !== 'string') return null;
  switch (type) {
    case 'text':
      return dialect.storable(value, 'key') ? value : null;
    case 'uuid':
      return UUID.test(value) ? value : null;
    default:
      return WHOLE.test(value) && BigInt(value) <= LARGEST[type] ? value : null;
  }
}

/** Text of a column, `null` for anything else. */
export function textOf(row: Row, field: string): string | null {
  const value = row[field];
  return typeof value === 'string' ? value : null;
}

/** An id as text, whatever it is in the database; `null` for anything else. */
export function idOf(row: Row, field: string): string | null {
  const value = row[field];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : null;
}

/** Number of a column, `null` for anything else. Drivers return large integers as `bigint` or as text. */
export function numberOf(row: Row, field: string): number | null {
  const value = row[field];
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null;
}

/** Boolean of a column, which some engines keep as a number. */
export function booleanOf(row: Row, field: string): boolean {
  const value = row[field];
  return value === true || value === 1 || value === 1n || value === '1';
}
