import type { Dialect, SqlValue } from './dialect.ts';
import type { ColumnKind, IdType } from './schema/fields.ts';
import type { Shape } from './schema/shape.ts';

/** The parameters of a statement, by name. */
export type Encoded = Record<string, SqlValue>;

/** Converts the values of users, accounts and sessions to the values of a database, and back. */
export interface Codec {
  /**
   * Returns the parameter for a value; `null` for a value that is absent.
   *
   * @throws {TypeError} if the database cannot store the value exactly. The message has `name`, and never the value.
   */
  encode(kind: ColumnKind, name: string, value: unknown): SqlValue;
  /** Does the same, and throws the `TypeError` for an absent value as well. */
  required(kind: ColumnKind, name: string, value: unknown): SqlValue;
  /** Returns the parameter to look for a value; `null`, which equals nothing in SQL, if it cannot be stored. */
  lookup(kind: ColumnKind, value: unknown): SqlValue;
  /** Returns the value of a column; `null` if the column holds nothing of its kind. */
  decode(kind: ColumnKind, value: unknown): unknown;
}

/** The part of a shape that decides how values are stored. */
type CodecShape = Pick<Shape, 'dates' | 'mixedDates'> & { readonly ids: Pick<Shape['ids'], 'type'> };

/** Returns the codec of a database. */
export function codecOf(dialect: Dialect, { ids, dates, mixedDates }: CodecShape): Codec {
  function encodeDate(value: unknown): SqlValue {
    if (!(value instanceof Date)) return null;
    const text = dialect.dateIn(value);
    if (text !== null && dates === 'milliseconds') return value.getTime();
    // Prisma writes dates with this offset, and applications may compare them as text.
    return mixedDates ? (text?.replace('Z', '+00:00') ?? null) : text;
  }

  function encodePresent(kind: ColumnKind, value: unknown): SqlValue {
    switch (kind) {
      case 'number':
        return isSafeInteger(value) ? value : null;
      case 'float':
        return isFiniteNumber(value) ? value : null;
      case 'digits':
        return digitsOf(value);
      case 'boolean':
        return typeof value === 'boolean' ? dialect.booleanIn(value) : null;
      case 'date':
        return encodeDate(value);
      case 'json':
        return encodeJson(value, dialect);
      case 'id':
      case 'link':
        return encodeId(ids.type, value, dialect);
      case 'key':
      case 'text':
        return typeof value === 'string' && dialect.storable(value, kind) ? value : null;
    }
  }

  function encode(kind: ColumnKind, name: string, value: unknown): SqlValue {
    if (value === undefined || value === null) return null;
    const encoded = encodePresent(kind, value);
    if (encoded === null) throw new TypeError(`${name} must be ${WORDS[kind]}`);
    return encoded;
  }

  return {
    encode,
    required: (kind, name, value) => {
      const encoded = encode(kind, name, value);
      if (encoded === null) throw new TypeError(`${name} is missing`);
      return encoded;
    },
    lookup: (kind, value) => (value === undefined || value === null ? null : encodePresent(kind, value)),
    decode: (kind, value) => (kind === 'date' ? dialect.dateOut(value) : DECODERS[kind](value)),
  };
}

const WORDS: Readonly<Record<ColumnKind, string>> = {
  number: 'a whole number of at most 53 bits',
  float: 'a finite number',
  digits: 'a number, or a number as text',
  boolean: 'a boolean',
  date: 'a valid Date that the database can store',
  json: 'a value that JSON can carry and the database can store',
  id: 'an id of the type that the schema has',
  link: 'an id of the type that the schema has',
  key: 'text that the database can store unchanged',
  text: 'text that the database can store unchanged',
};

const DECODERS: Readonly<Record<Exclude<ColumnKind, 'date'>, (value: unknown) => unknown>> = {
  number: numberOf,
  float: numberOf,
  digits: idOf,
  boolean: booleanOf,
  json: jsonOf,
  id: idOf,
  link: idOf,
  key: textOf,
  text: textOf,
};

/** Returns a text; `null` for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns an id as text, which some engines return as a number; `null` for anything else. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : null;
}

/** Drivers return large integers as `bigint` or as text. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null;
}

/** Some engines store a boolean as a number. */
function booleanOf(value: unknown): boolean | null {
  if (value === null || value === undefined) return null;
  return value === true || value === 1 || value === 1n || value === '1';
}

/** Text that is not JSON is returned as it is, so that one bad value does not keep its user from signing in. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const WHOLE = /^(0|[1-9]\d*)$/;
const LARGEST: Readonly<Record<'integer' | 'bigint', bigint>> = { integer: 2n ** 31n - 1n, bigint: 2n ** 63n - 1n };

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function digitsOf(value: unknown): string | null {
  const text = isFiniteNumber(value) || typeof value === 'bigint' ? String(value) : textOf(value);
  return text !== null && DECIMAL.test(text) ? text : null;
}

function encodeJson(value: unknown, dialect: Dialect): string | null {
  const text: string | undefined = JSON.stringify(value);
  return text !== undefined && dialect.storable(text, 'text') ? text : null;
}

/** An id that the column cannot hold is not sent: an engine would fail, or convert it to another user's id. */
function encodeId(type: IdType, value: unknown, dialect: Dialect): SqlValue {
  if (typeof value !== 'string') return null;
  switch (type) {
    case 'text':
      return dialect.storable(value, 'key') ? value : null;
    case 'uuid':
      return UUID.test(value) ? value : null;
    case 'integer':
    case 'bigint':
      return WHOLE.test(value) && BigInt(value) <= LARGEST[type] ? value : null;
  }
}
