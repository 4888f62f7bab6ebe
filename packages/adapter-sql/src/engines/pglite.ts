import type { Dialect, Engine, Query, Result, Row } from '../dialect.ts';
import { postgres } from '../dialects/postgres.ts';
import { retrying } from './failures.ts';
import { postgresFailures } from './postgres-failures.ts';
import { textParsers } from './postgres-values.ts';
import { isSelect, runSteps } from './steps.ts';

/** What we need of a `PGlite` of `@electric-sql/pglite`. It has one connection, which everything waits for. */
export interface PgliteDatabase extends PgliteTransaction {
  transaction<Result>(work: (transaction: PgliteTransaction) => Promise<Result>): Promise<Result>;
}

/** A transaction of a {@link PgliteDatabase}. */
export interface PgliteTransaction {
  query(sql: string, parameters: unknown[], options: PgliteOptions): Promise<PgliteResult>;
}

/** How a {@link PgliteDatabase} reads and writes values. */
export interface PgliteOptions {
  rowMode: 'object';
  parsers: Record<number, (text: string) => unknown>;
  serializers: Record<number, (value: unknown) => string>;
}

/** What a {@link PgliteDatabase} answers. */
export interface PgliteResult {
  readonly rows: readonly unknown[];
  readonly affectedRows?: number;
}

/** Types that statements of ours have as parameters: those that are read, and dates. */
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

/** Whatever the application has set when it made the database. */
const options: PgliteOptions = {
  rowMode: 'object',
  parsers: textParsers,
  serializers: Object.fromEntries(
    [...Object.keys(textParsers), TIMESTAMP, TIMESTAMPTZ].map((type) => [type, (value: unknown) => String(value)]),
  ),
};

/** PGlite loses a byte order mark at the start of what it reads. */
const dialect: Dialect = {
  ...postgres,
  storable: (text, kind) => postgres.storable(text, kind) && !text.startsWith('\ufeff'),
};

/** Runs statements on PGlite. */
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
