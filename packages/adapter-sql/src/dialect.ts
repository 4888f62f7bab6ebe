import type { Awaitable } from '@latchkey/core/types';
import type { Expression, Dialect as KyselyDialect, RawBuilder } from 'kysely';
import type { ColumnKind, IdType } from './schema/fields.ts';

/** Names of the supported dialects of SQL. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql';

/** A parameter of a statement. */
export type SqlValue = string | number | boolean | null;

/** A row as the engine returns it. The codec checks the types of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A statement and its parameters, in order. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** The result of a statement. */
export interface Result {
  /** The rows that the statement selects or, with `returning`, writes. */
  readonly rows: readonly Row[];
  /** Number of rows inserted, deleted, or matched by an `update`. 0 for a `select`. */
  readonly affected: number;
  /** MySQL: the `auto_increment` value of the inserted row. */
  readonly insertId?: string | undefined;
}

/** A statement of a transaction, or a function that makes it from the previous results; `null` skips it. */
export type Step = Query | ((results: readonly Result[]) => Query | null);

/** The differences between dialects of SQL, apart from the connection. */
export interface Dialect {
  readonly name: DialectName;
  /** Kysely's query compiler for this dialect. It opens no connection. */
  readonly writer: KyselyDialect;
  /** Tells whether `insert`, `update` and `delete` support `returning`. */
  readonly returning: boolean;
  /** Tells whether `select` supports `for update` and `for share`. */
  readonly rowLocks: boolean;
  /** Tells which names are equal if they differ only in case. */
  readonly ignoresCase: { readonly tables: boolean; readonly columns: boolean };
  /** SQL type of each kind of column that a migration creates. Keys must compare byte by byte. */
  readonly types: Readonly<Record<Exclude<ColumnKind, 'id' | 'link'>, string>>;
  /**
   * SQL types of ids: of a link, of a primary key that Latchkey makes (`given`), and of one that the database makes
   * (`generated`).
   */
  readonly ids: Readonly<Record<IdType, { link: string; given: string; generated: string | null }>>;
  /** Appended to `create table`, for example its character set. */
  readonly tableSuffix: string;
  /** Tells whether the database can store a text unchanged and distinguish it from every other text. */
  storable(text: string, kind: 'key' | 'text'): boolean;
  /**
   * Returns a date as a parameter with milliseconds, so that the engine's `<` orders it; `null` if the engine cannot
   * store the date.
   */
  dateIn(date: Date): string | null;
  /** Returns an expression that reads a date column independently of the driver's time zone and type parsers. */
  dateOf(column: Expression<unknown>): Expression<unknown>;
  /** Returns the date that `dateOf` reads, or that is a number of milliseconds; `null` for anything else. */
  dateOut(value: unknown): Date | null;
  /** Returns a date column truncated to milliseconds, to compare it with a parameter. */
  toMillisecond(column: Expression<unknown>): RawBuilder<unknown>;
  /**
   * Returns a comparison of keys byte by byte that uses an index of the column, also if the column's type or collation
   * compares differently.
   */
  sameBytes(column: Expression<unknown>, value: Expression<unknown>): RawBuilder<boolean>;
  /** Returns a date of either format in milliseconds. Absent if a column can hold one format only. */
  milliseconds?(date: Expression<unknown>): RawBuilder<unknown>;
  /** Returns a boolean as a parameter. */
  booleanIn(value: boolean): SqlValue;
  /** Returns an expression that reads a further column of the users, so that drivers agree about its value. */
  readFurther(column: Expression<unknown>, kind: ColumnKind): Expression<unknown>;
  /** Returns the kind of a column by its type in the catalog; `null` for arrays and binary data. */
  kindOf(type: string): ColumnKind | null;
  /**
   * Returns a query for the columns of a table: rows of `name`, `type`, `generated` and `readable` (0 or 1). A
   * column is readable if the connection may select it. If the table does not exist, there are no rows.
   */
  columnsOf(table: string): Query;
  /**
   * Returns a query for the indexes of a table, with its primary key: rows of `index`, `column`, `position` (from 0)
   * and `unique` (0 or 1).
   */
  indexesOf(table: string): Query;
  /**
   * Returns a query for whether a table that numbers its rows gives the id of a deleted row to a new one. The result is
   * a row of `repeats`, 0 or 1. Absent if the database never does so.
   */
  repeatsIds?(table: string): Query;
  /** An expression for the time of the database, in milliseconds since 1970, in every time zone of the session. */
  readonly clock: string;
  /** The name of the database system, for messages. */
  readonly title: string;
  /** A query for one row about the connection: `name`, `host` and `time` in milliseconds. Each may be null. */
  readonly identity: Query;
  /** Statements before and after a migration that let only one process at a time migrate. */
  readonly migrationLock: { readonly take: readonly Query[]; readonly release: readonly Query[] };
}

/** A connection to a database, as the adapter uses it. */
export interface Engine {
  readonly dialect: Dialect;
  /**
   * Runs one statement.
   *
   * @throws {UniqueViolation}
   */
  run(query: Query): Awaitable<Result>;
  /**
   * Runs statements in one transaction. The caller gives all steps in advance. So a synchronous engine can run the
   * transaction within one turn of the event loop. An engine can also repeat a transaction that failed because of
   * another one (deadlock, serialization).
   *
   * @param check Receives the results before the transaction ends. If it throws, the transaction is rolled back.
   * @throws {UniqueViolation}
   */
  batch(steps: readonly Step[], check?: (results: readonly Result[]) => void): Awaitable<readonly Result[]>;
}
