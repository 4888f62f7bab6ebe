import type { Engine } from '../dialect.ts';
import { UniqueViolation } from '../errors.ts';
import { sqlite } from './sqlite.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { preparer } from './sqlite-prepared.ts';

/** How long a write waits for another connection's, unless the connection itself is set to wait longer. Milliseconds. */
const PATIENCE = 5000;

/**
 * Runs statements on a SQLite database. A transaction begins and ends within one turn of the event loop, so that nothing
 * that the application does on the same connection gets into it. Where the application has one open, ours is a savepoint in
 * it and shares its end.
 *
 * A database that another connection is writing to is asked again for five seconds, without blocking the event loop.
 */
export function sqliteEngine(db: SqliteDatabase): Engine {
  const execute = preparer(db);

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
    run: (query) => patiently(() => execute(query.sql, query.parameters)),
    batch: (queries, check) =>
      patiently(() =>
        transaction(() => {
          const results = queries.map((query) => execute(query.sql, query.parameters));
          check?.(results);
          return results;
        }),
      ),
  };
}

function patiently<Result>(work: () => Result): Result | Promise<Result> {
  try {
    return work();
  } catch (error) {
    if (isBusy(error)) return askAgain(work, error);
    throw translated(error);
  }
}

async function askAgain<Result>(work: () => Result, first: unknown): Promise<Result> {
  const giveUpAt = Date.now() + PATIENCE;
  let busy = first;
  for (let pause = 1; Date.now() < giveUpAt; pause = Math.min(pause * 2, 50)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw translated(error);
      busy = error;
    }
  }
  throw busy;
}

/** `node:sqlite` tells SQLite's extended result code as a number, `better-sqlite3` by name. */
function codeOf(error: unknown): string | number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return errcode;
  return typeof code === 'string' ? code : undefined;
}

/** SQLITE_BUSY, in any of its extended forms. */
function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'number' ? (code & 0xff) === 5 : code?.startsWith('SQLITE_BUSY') === true;
}

const UNIQUE: ReadonlySet<unknown> = new Set([2067, 'SQLITE_CONSTRAINT_UNIQUE', 1555, 'SQLITE_CONSTRAINT_PRIMARYKEY']);

function translated(error: unknown): unknown {
  if (!UNIQUE.has(codeOf(error))) return error;
  const { message } = error as Error;
  return new UniqueViolation(message.replace(/^UNIQUE constraint failed: /, ''), { cause: error });
}
