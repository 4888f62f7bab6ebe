import type { DialectName, Engine } from './dialect.ts';
import { dialectNamed } from './dialects/index.ts';
import { type KyselyDatabase, kyselyEngine } from './engines/kysely.ts';
import { type LibsqlClient, libsqlEngine } from './engines/libsql.ts';
import { type MysqlCallbackPool, type MysqlPool, mysqlEngine } from './engines/mysql2.ts';
import { type PgPool, pgEngine } from './engines/pg.ts';
import { type PgliteDatabase, pgliteEngine } from './engines/pglite.ts';
import { type SqliteDatabase, sqliteEngine } from './engines/sqlite.ts';

/** A database connection, a pool or a client that the adapter supports. */
export type Database =
  | SqliteDatabase
  | LibsqlClient
  | PgPool
  | PgliteDatabase
  | MysqlPool
  | MysqlCallbackPool
  | KyselyDatabase;

/** Options for a {@link Database}. */
export interface EngineOptions {
  /** The dialect of a `Kysely` with a dialect of another package. Default: recognized by the SQL that it writes. */
  dialect?: DialectName | undefined;
  /**
   * For a pool of `pg`: use prepared statements. Set `false` for a pooler that does not support them, such as PgBouncer
   * before 1.21 in transaction mode. Default: `true`.
   */
  prepare?: boolean | undefined;
}

/**
 * Returns the engine for a database, which it recognizes by the database's methods.
 *
 * @throws {TypeError} if the adapter does not support the database.
 */
export function engineOf(db: Database, { dialect, prepare = true }: EngineOptions = {}): Engine {
  if (dialect !== undefined) dialectNamed(dialect);
  if (isKysely(db)) return kyselyEngine(db, dialect);
  const engine = ownEngine(db, prepare);
  if (!engine) throw new TypeError(`the adapter does not support this database. ${remedyFor(db)}`);
  if (dialect !== undefined && dialect !== engine.dialect.name)
    throw new TypeError(`the option \`dialect\` is ${dialect}, but the database is ${engine.dialect.name}`);
  return engine;
}

function ownEngine(db: Database, prepare: boolean): Engine | null {
  if (isPgPool(db)) return pgEngine(db, prepare);
  if (isMysqlPool(db)) return mysqlEngine(db);
  if (isLibsql(db)) return libsqlEngine(db);
  if (isPglite(db)) return pgliteEngine(db);
  return isSqlite(db) ? sqliteEngine(db) : null;
}

function isKysely(db: Database): db is KyselyDatabase {
  return has(db, 'executeQuery', 'withoutPlugins', 'transaction');
}

/** A single connection has the same methods, but the transactions of several requests would mix on it. */
function isPgPool(db: Database): db is PgPool {
  return has(db, 'query', 'connect') && 'totalCount' in db && typeof db.totalCount === 'number';
}

/** Pools of `mysql` have no `execute`. Pools of `mariadb` return other results, and have `importFile`. */
function isMysqlPool(db: Database): db is MysqlPool | MysqlCallbackPool {
  return has(db, 'execute', 'query', 'getConnection') && !has(db, 'importFile');
}

function isLibsql(db: Database): db is LibsqlClient {
  return has(db, 'execute', 'batch', 'transaction') && 'protocol' in db;
}

function isPglite(db: Database): db is PgliteDatabase {
  return has(db, 'query', 'transaction', 'exec') && 'waitReady' in db;
}

/**
 * Other databases have `prepare` as well: D1, which has no transactions, the package `sqlite3`, whose statements are
 * asynchronous, and single connections of MySQL.
 */
function isSqlite(db: Database): db is SqliteDatabase {
  return has(db, 'prepare') && !has(db, 'batch') && !has(db, 'parallelize') && !has(db, 'beginTransaction');
}

/** A pool may be a function with members. */
function has(db: unknown, ...methods: readonly string[]): boolean {
  if ((typeof db !== 'object' && typeof db !== 'function') || db === null) return false;
  return methods.every((method) => typeof (db as Record<string, unknown>)[method] === 'function');
}

const KNOWN =
  'Pass a `DatabaseSync` of node:sqlite, a `Database` of better-sqlite3, a client of @libsql/client, a `Pool` of pg, ' +
  'a `PGlite`, a pool of mysql2, or a `Kysely`';

/** Returns what to pass instead. */
function remedyFor(db: unknown): string {
  if (typeof db === 'string' || db instanceof URL) return `A URL is not a database. ${KNOWN}`;
  if (has(db, 'then')) return `Await the promise first. ${KNOWN}`;
  if (has(db, '$transaction', '$queryRaw') || has(db, '$connect', '$disconnect'))
    return `A Prisma client cannot run the adapter's SQL. Create a pool for the same database. ${KNOWN}`;
  if (has(db, 'select', 'insert') && '$client' in (db as object))
    return `Pass the \`$client\` of the Drizzle database. ${KNOWN}`;
  if (has(db, 'query', 'connect') || has(db, 'query', 'beginTransaction'))
    return `Transactions of several requests would mix on a single connection. Create a pool. ${KNOWN}`;
  return KNOWN;
}
