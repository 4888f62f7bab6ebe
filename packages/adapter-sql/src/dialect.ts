import type { Awaitable } from '@latchkey/core/types';
import type { Dialect as KyselyDialect } from 'kysely';
import type { ColumnKind, StoredDate, TableName } from './schema.ts';

/** Names of the engines that there is a dialect for. */
export type DialectName = 'sqlite';

/** What a statement's parameters may be. */
export type SqlValue = string | number | null;

/** A row as the engine returns it; `decode.ts` narrows its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A statement and the values of its parameters, in order. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** What differs from engine to engine, apart from the connection. */
export interface Dialect {
  readonly name: DialectName;
  /** Kysely's parts for writing this engine's SQL; none of them opens a connection. */
  readonly writer: KyselyDialect;
  /** SQL type of each kind of column. Keys must compare byte by byte. */
  readonly types: Readonly<Record<ColumnKind | 'id', string>>;
  /** Can the engine keep this text exactly as it is? */
  storable(text: string): boolean;
  /** To the millisecond, and in an order that the engine's `<` understands; `null` when it cannot keep the instant. */
  dateIn(date: Date): StoredDate | null;
  /** `null` for what is no instant. */
  dateOut(value: unknown): Date | null;
  /** Lists the columns (`name`) of a table; no rows when there is no such table. */
  columnsOf(table: TableName): Query;
  /** Lists the indexes (`name`) of a table. */
  indexesOf(table: TableName): Query;
}

/** A database as the adapter uses it. */
export interface Engine {
  readonly dialect: Dialect;
  /**
   * Runs one statement and returns the rows it selects or, with `returning`, writes.
   *
   * @throws {UniqueViolation}
   */
  run(query: Query): Awaitable<readonly Row[]>;
  /**
   * Runs the statements in one transaction: all of them or none, and nothing of other callers between them. That they are
   * all known beforehand lets a synchronous engine keep the transaction within one turn of the event loop.
   *
   * @param check Sees the rows of each statement before the transaction ends; what it throws undoes everything.
   * @throws {UniqueViolation}
   */
  batch(
    queries: readonly Query[],
    check?: (results: readonly (readonly Row[])[]) => void,
  ): Awaitable<readonly (readonly Row[])[]>;
}
