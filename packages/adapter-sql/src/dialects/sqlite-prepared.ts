import type { Row, SqlValue } from '../dialect.ts';
import type { SqliteDatabase, SqliteStatement } from './sqlite-database.ts';

/** Runs SQL and returns its rows, none where the statement has none. */
export type Execute = (sql: string, parameters: readonly SqlValue[]) => readonly Row[];

/** The adapter has some thirty statements; the bound is for what is to come. */
const MOST_STATEMENTS = 100;

/** Keeps prepared statements by their text: preparing takes five times as long as running. */
export function preparer(db: SqliteDatabase): Execute {
  const prepared = new Map<string, SqliteStatement>();

  function prepare(sql: string): SqliteStatement {
    const statement = db.prepare(sql);
    statement.setReturnArrays?.(false);
    const [oldest] = prepared.keys();
    if (prepared.size >= MOST_STATEMENTS && oldest !== undefined) prepared.delete(oldest);
    prepared.set(sql, statement);
    return statement;
  }

  return (sql, parameters) => {
    const statement = prepared.get(sql) ?? prepare(sql);
    if (statement.reader !== false) return statement.all(...parameters) as Row[];
    statement.run(...parameters);
    return [];
  };
}
