import type { Engine, Query, Result } from '../dialect.ts';
import { sqlite } from '../dialects/sqlite.ts';
import { retryingAfter } from './failures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { sqliteFailures } from './sqlite-failures.ts';
import { preparer } from './sqlite-prepared.ts';
import { runStepsAtOnce } from './steps.ts';

/**
 * Runs statements on a SQLite database. A transaction begins and ends within one turn of the event loop, so that nothing
 * that the application does on the same connection gets into it. Where the application has one open, ours is a savepoint in
 * it and shares its end.
 *
 * A database that another connection is writing to is asked again for five seconds, without blocking the event loop.
 */
export function sqliteEngine(db: SqliteDatabase): Engine {
  const execute = preparer(db);
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
      // After some errors (disk full, I/O) SQLite has rolled back by itself. The error that led here counts.
    }
  }

  return {
    dialect: sqlite,
    run: (query) => patiently(() => run(query)),
    batch: (steps, check) =>
      patiently(() =>
        transaction(() => {
          const results = runStepsAtOnce(steps, run);
          check?.(results);
          return results;
        }),
      ),
  };
}

/** At once where nobody else is writing: a promise would cost more than the statement. */
function patiently<Result>(work: () => Result): Result | Promise<Result> {
  const begun = Date.now();
  try {
    return work();
  } catch (error) {
    return retryingAfter(error, sqliteFailures, work, begun);
  }
}
