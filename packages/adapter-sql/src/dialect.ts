import type { Awaitable } from '@latchkey/core/types';
import type { Expression, Dialect as KyselyDialect, RawBuilder } from 'kysely';
import type { ColumnKind, IdType } from './schema/kinds.ts';

/** Names of the dialects of SQL that there are. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql';

/** What a statement's parameters may be. */
export type SqlValue = string | number | boolean | null;

/** A row as the engine returns it; `codec.ts` narrows its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A statement and the values of its parameters, in order. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** What a statement did. */
export interface Result {
  /** The rows that it selects or, with `returning`, writes. */
  readonly rows: readonly Row[];
  /** Number of rows inserted, changed (or found to be so already) or deleted. 0 for a `select`. */
  readonly affected: number;
  /** MySQL: the `auto_increment` value of the row inserted. */
  readonly insertId?: string | undefined;
}

/** A statement of a transaction. One that depends on what came before is a function; `null` leaves it out. */
export type Step = Query | ((results: readonly Result[]) => Query | null);

/** What differs between dialects of SQL, apart from the connection. */
export interface Dialect {
  readonly name: DialectName;
  /** Kysely's parts for writing this dialect; none of them opens a connection. */
  readonly writer: KyselyDialect;
  /** Do `insert`, `update` and `delete` take `returning`? */
  readonly returning: boolean;
  /** Does `select` take `for update` and `for share`? */
  readonly rowLocks: boolean;
  /** SQL type of each kind of column that we create. Keys must compare byte by byte. */
  readonly types: Readonly<Record<Exclude<ColumnKind, 'id' | 'link'>, string>>;
  /** SQL types of ids: that of a link, that of a primary key whose value we make, and one whose value the database makes. */
  readonly ids: Readonly<Record<IdType, { link: string; ours: string; theirs: string | null }>>;
  /** Appended to `create table`, e.g. its character set. */
  readonly tableSuffix: string;
  /** Can the database keep this text exactly as it is, and tell it from any other? */
  storable(text: string, kind: 'key' | 'text'): boolean;
  /** To the millisecond, and in an order that the engine's `<` understands; `null` when it cannot keep the instant. */
  dateIn(date: Date): string | null;
  /** Reads a date column so that the driver's settings (time zone, type parsers) make no difference. */
  dateOf(column: Expression<unknown>): Expression<unknown>;
  /** What `dateOf` reads, or a number of milliseconds. `null` for what is no instant. */
  dateOut(value: unknown): Date | null;
  /** A date column without what is finer than the millisecond, to compare it with a parameter. */
  toMillisecond(column: Expression<unknown>): RawBuilder<unknown>;
  /**
   * Compares keys byte by byte though the column may have any collation, and finds them by an index that it has. Left out
   * where nobody gives a column a collation that takes two texts for one.
   */
  sameBytes?(column: Expression<unknown>, value: Expression<unknown>): RawBuilder<boolean>;
  /** A date in either format as a number of milliseconds; left out where a column's type allows one format only. */
  milliseconds?(date: Expression<unknown>): RawBuilder<unknown>;
  /** A boolean as a parameter. */
  booleanIn(value: boolean): SqlValue;
  /** Lists the columns (`name`) of a table in the current schema; no rows when there is no such table. */
  columnsOf(table: string): Query;
  /** Lists the indexes of a table, primary key included: rows of `index`, `column`, `position` (from 0), `unique` (0 or 1). */
  indexesOf(table: string): Query;
  /** Statements around a migration, on its connection, that let only one process at a time migrate. */
  readonly migrationLock: { readonly take: readonly Query[]; readonly release: readonly Query[] };
}

/** A database as the adapter uses it. */
export interface Engine {
  readonly dialect: Dialect;
  /**
   * Runs one statement.
   *
   * @throws {UniqueViolation}
   */
  run(query: Query): Awaitable<Result>;
  /**
   * Runs the statements in one transaction: all of them or none, and nothing of other callers between them. That they are
   * known beforehand lets a synchronous engine keep the transaction within one turn of the event loop, and lets a transaction
   * that lost against another (deadlock, serialisation) be run again.
   *
   * @param check Sees what the statements did before the transaction ends; what it throws undoes everything.
   * @throws {UniqueViolation}
   */
  batch(steps: readonly Step[], check?: (results: readonly Result[]) => void): Awaitable<readonly Result[]>;
}
