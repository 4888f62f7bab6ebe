import type { Dialect, DialectName, Engine } from './dialect.ts';
import { sqlite } from './dialects/sqlite.ts';
import type { SqliteDatabase } from './dialects/sqlite-database.ts';
import { sqliteEngine } from './dialects/sqlite-engine.ts';

/** A database, or what leads to one, that the adapter can work with. */
export type Database = SqliteDatabase;

/** The dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { sqlite };

/**
 * The engine for a database, told from its methods.
 *
 * @throws {TypeError} when it is none that we know.
 */
export function engineOf(db: Database): Engine {
  if (typeof db?.prepare === 'function') return sqliteEngine(db);
  throw new TypeError(
    'not a database that the adapter knows. Hand it a `DatabaseSync` of node:sqlite or a `Database` of better-sqlite3',
  );
}
