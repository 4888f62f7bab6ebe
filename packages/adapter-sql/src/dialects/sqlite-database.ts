import type { SqlValue } from '../dialect.ts';

/** What we need of a SQLite database; `DatabaseSync` of `node:sqlite` and the `Database` of `better-sqlite3` fit. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  /** `node:sqlite`: a transaction is open. */
  readonly isTransaction?: boolean;
  /** `better-sqlite3`: a transaction is open. */
  readonly inTransaction?: boolean;
}

/** A prepared statement of a {@link SqliteDatabase}. */
export interface SqliteStatement {
  all(...parameters: SqlValue[]): unknown[];
  run(...parameters: SqlValue[]): unknown;
  /** `better-sqlite3`: `all` may be called. */
  readonly reader?: boolean;
  /** `node:sqlite`: rows as arrays, which a connection may have as its default. */
  setReturnArrays?(enabled: boolean): void;
}
