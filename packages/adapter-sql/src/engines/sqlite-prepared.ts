import type { Result, Row, SqlValue } from '../dialect.ts';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-database.ts';
import { isSelect } from './steps.ts';

/** Runs SQL. */
export type Execute = (sql: string, parameters: readonly SqlValue[]) => Result;

/** A prepared statement that knows how it is run. */
type Prepared = (parameters: readonly SqliteValue[]) => Result;

/** The adapter has some forty statements; the bound is for what is to come. */
const MOST_STATEMENTS = 100;

/** Keeps prepared statements by their text: preparing takes five times as long as running. */
export function preparer(db: SqliteDatabase): Execute {
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

/** @throws {TypeError} when the statement is not one that runs at once. */
function runner(statement: SqliteStatement, sql: string): Prepared {
  if (typeof statement?.all !== 'function')
    throw new TypeError('the database prepares statements later, or has none that return all their rows at once');
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
