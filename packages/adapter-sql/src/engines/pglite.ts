import type { Dialect, Engine, Query, Result, Row } from '../dialect.ts';
import { postgres } from '../dialects/postgres.ts';
import { postgresFailures, retrying } from './failures.ts';
import { textParsers } from './postgres-values.ts';
import { isSelect, runSteps } from './steps.ts';

/** The part of a `PGlite` of `@electric-sql/pglite` that the adapter uses. It has one connection. */
export interface PgliteDatabase extends PgliteTransaction {
  transaction<Result>(work: (transaction: PgliteTransaction) => Promise<Result>): Promise<Result>;
}

/** A transaction of a {@link PgliteDatabase}. */
interface PgliteTransaction {
  query(sql: string, parameters: unknown[], options: PgliteOptions): Promise<PgliteResult>;
}

/** The format of values of a {@link PgliteDatabase}. */
interface PgliteOptions {
  rowMode: 'object';
  parsers: Record<number, (text: string) => unknown>;
  serializers: Record<number, (value: unknown) => string>;
}

/** The result of a statement of a {@link PgliteDatabase}. */
interface PgliteResult {
  readonly rows: readonly unknown[];
  readonly affectedRows?: number;
}

/** Types of parameters, beside those that are read. */
const JSON_TEXT = 114;
const JSON_BINARY = 3802;
const DAY = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

/** Replaces the options that the application has set for the database. */
const options: PgliteOptions = {
  rowMode: 'object',
  parsers: textParsers,
  serializers: Object.fromEntries(
    [...Object.keys(textParsers), JSON_TEXT, JSON_BINARY, DAY, TIMESTAMP, TIMESTAMPTZ].map((type) => [
      type,
      (value: unknown) => String(value),
    ]),
  ),
};

/** PGlite removes a byte order mark at the start of a text. */
const dialect: Dialect = {
  ...postgres,
  storable: (text, kind) => postgres.storable(text, kind) && !text.startsWith('\ufeff'),
};

/** Returns an engine for PGlite. */
export function pgliteEngine(db: PgliteDatabase): Engine {
  async function execute(on: PgliteTransaction, { sql, parameters }: Query): Promise<Result> {
    const { rows, affectedRows } = await on.query(sql, [...parameters], options);
    return { rows: rows as readonly Row[], affected: isSelect(sql) ? 0 : (affectedRows ?? 0) };
  }

  return {
    dialect,
    run: (query) => retrying(postgresFailures, () => execute(db, query)),
    batch: (steps, check) =>
      retrying(postgresFailures, () =>
        db.transaction(async (transaction) => {
          const results = await runSteps(steps, (query) => execute(transaction, query));
          check?.(results);
          return results;
        }),
      ),
  };
}
