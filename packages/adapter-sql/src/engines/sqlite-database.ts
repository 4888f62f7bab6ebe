import type { SqlValue } from '../dialect.ts';

/** What we need of a SQLite database; `DatabaseSync` of `node:sqlite` and the `Database` of `better-sqlite3` fit. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  /** `node:sqlite`: a transaction is open. */
  readonly isTransaction?: boolean;
  /** `better-sqlite3`: a transaction is open. */
  readonly inTransaction?: boolean;
}

/** A parameter: SQLite has no booleans. */
export type SqliteValue = Exclude<SqlValue, boolean>;

/** A prepared statement of a {@link SqliteDatabase}. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[];
  run(...parameters: SqliteValue[]): { readonly changes: number | bigint };
  /** `better-sqlite3`: the statement has rows, so that `all` may be called, and `run` may not. */
  readonly reader?: boolean;
  /** `node:sqlite`: the columns of its rows. */
  columns?(): readonly unknown[];
  /** `node:sqlite`: rows as arrays, which a connection may have as its default. */
  setReturnArrays?(enabled: boolean): void;
}
