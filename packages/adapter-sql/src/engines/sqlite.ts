import type { Engine, Query, Result, Row, SqlValue } from '../dialect.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { retryingAfter, sqliteFailures } from './failures.ts';
import { isSelect, runStepsAtOnce } from './steps.ts';

/**
 * The part of a SQLite database that the adapter uses: `DatabaseSync` of `node:sqlite`, `Database` of
 * `better-sqlite3`.
 */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  /** `node:sqlite`: tells whether a transaction is open. */
  readonly isTransaction?: boolean;
  /** `better-sqlite3`: tells whether a transaction is open. */
  readonly inTransaction?: boolean;
}

/** A parameter. SQLite has no booleans. */
type SqliteValue = Exclude<SqlValue, boolean>;

/** A prepared statement of a {@link SqliteDatabase}. */
interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[];
  run(...parameters: SqliteValue[]): { readonly changes: number | bigint };
  /**
   * `better-sqlite3`: tells whether the statement returns rows. Then only `all` may be called, otherwise only `run`.
   */
  readonly reader?: boolean;
  /** `node:sqlite`: returns the columns of the statement's rows. */
  columns?(): readonly unknown[];
  /** `node:sqlite`: chooses rows as arrays, which may be the default of the connection. */
  setReturnArrays?(enabled: boolean): void;
}

/**
 * Returns an engine for a SQLite database. A transaction begins and ends within one turn of the event loop. So it
 * cannot contain statements of the application on the same connection. If the application has an open transaction, the
 * adapter's transaction is a savepoint in it.
 *
 * While another connection writes, the engine tries again for five seconds, without blocking the event loop.
 */
export function sqliteEngine(db: SqliteDatabase): Engine {
  const execute = preparing(db);
  const run = ({ sql, parameters }: Query): Result => execute(sql, parameters);

  function transaction<Result>(work: () => Result): Result {
    const nested = db.isTransaction ?? db.inTransaction ?? false;
    execute(nested ? 'savepoint latchkey' : 'begin immediate', []);
    try {
      const result = work();
      execute(nested ? 'release latchkey' : 'commit', []);
      return result;
    } catch (error) {
      undo(nested ? ['rollback to latchkey', 'release latchkey'] : ['rollback']);
      throw error;
    }
  }

  function undo(statements: readonly string[]): void {
    try {
      for (const sql of statements) execute(sql, []);
    } catch {
      // After some errors (disk full, I/O), SQLite has already rolled back. The caller gets the first error.
    }
  }

  return {
    dialect: sqlite,
    run: (query) => retryingLater(() => run(query)),
    batch: (steps, check) =>
      retryingLater(() =>
        transaction(() => {
          const results = runStepsAtOnce(steps, run);
          check?.(results);
          return results;
        }),
      ),
  };
}

/** Runs work synchronously at first, because a promise takes longer than the statement. */
function retryingLater<Result>(work: () => Result): Result | Promise<Result> {
  const begun = Date.now();
  try {
    return work();
  } catch (error) {
    return retryingAfter(error, sqliteFailures, work, begun);
  }
}

type Execute = (sql: string, parameters: readonly SqlValue[]) => Result;

type Prepared = (parameters: readonly SqliteValue[]) => Result;

/** Number of prepared statements that are kept. The adapter has about forty. */
const MOST_STATEMENTS = 100;

/** Returns a function that runs SQL and keeps prepared statements: preparing takes five times as long as running. */
function preparing(db: SqliteDatabase): Execute {
  const prepared = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const run = runner(db.prepare(sql), sql);
    const [oldest] = prepared.keys();
    if (prepared.size >= MOST_STATEMENTS && oldest !== undefined) prepared.delete(oldest);
    prepared.set(sql, run);
    return run;
  }

  return (sql, parameters) => (prepared.get(sql) ?? prepare(sql))(parameters as readonly SqliteValue[]);
}

/** @throws {TypeError} if the statement is asynchronous. */
function runner(statement: SqliteStatement, sql: string): Prepared {
  if (typeof statement?.all !== 'function')
    throw new TypeError('the database must prepare statements synchronously and return all rows of a statement');
  statement.setReturnArrays?.(false);
  if (!hasRows(statement, sql))
    return (parameters) => ({ rows: [], affected: Number(statement.run(...parameters).changes) });
  const select = isSelect(sql);
  return (parameters) => {
    const rows = statement.all(...parameters) as Row[];
    return { rows, affected: select ? 0 : rows.length };
  };
}

function hasRows(statement: SqliteStatement, sql: string): boolean {
  if (statement.reader !== undefined) return statement.reader;
  if (typeof statement.columns === 'function') return statement.columns().length > 0;
  return /^\s*(select|pragma)\b|\breturning\b/i.test(sql);
}
