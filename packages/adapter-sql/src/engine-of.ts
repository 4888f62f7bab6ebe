import type { DialectName, Engine } from './dialect.ts';
import { dialects } from './dialects/index.ts';
import { type KyselyDatabase, kyselyEngine } from './engines/kysely.ts';
import { type LibsqlClient, libsqlEngine } from './engines/libsql.ts';
import { type MysqlCallbackPool, type MysqlPool, mysqlEngine } from './engines/mysql2.ts';
import { type PgPool, pgEngine } from './engines/pg.ts';
import { type PgliteDatabase, pgliteEngine } from './engines/pglite.ts';
import { sqliteEngine } from './engines/sqlite.ts';
import type { SqliteDatabase } from './engines/sqlite-database.ts';

/** A database, or what leads to one, that the adapter can work with. */
export type Database =
  | SqliteDatabase
  | LibsqlClient
  | PgPool
  | PgliteDatabase
  | MysqlPool
  | MysqlCallbackPool
  | KyselyDatabase;

/** How to use a {@link Database}. */
export interface EngineOptions {
  /** A Kysely whose dialect is not one of Kysely's own: which one its database is like. Default: told by what it writes. */
  dialect?: DialectName | undefined;
  /**
   * A pool of `pg`: have the server keep the statements. `false` for a pooler that cannot, such as PgBouncer before 1.21 in
   * transaction mode. Default: `true`.
   */
  prepare?: boolean | undefined;
}

/**
 * The engine for a database, told from its methods.
 *
 * @throws {TypeError} when it is none that we know.
 */
export function engineOf(db: Database, { dialect, prepare = true }: EngineOptions = {}): Engine {
  if (dialect !== undefined && !dialects[dialect])
    throw new TypeError(`no dialect \`${dialect}\`. There are: ${Object.keys(dialects).join(', ')}`);
  if (isKysely(db)) return kyselyEngine(db, dialect);
  const engine = ownEngine(db, prepare);
  if (!engine) throw new TypeError(`not a database that the adapter knows. ${remedyFor(db)}`);
  if (dialect !== undefined && dialect !== engine.dialect.name)
    throw new TypeError(`the option \`dialect\` says ${dialect}, but the database is of ${engine.dialect.name}`);
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

/** A single connection connects and queries, too, but the transactions of several requests would mix on it. */
function isPgPool(db: Database): db is PgPool {
  return has(db, 'query', 'connect') && 'totalCount' in db && typeof db.totalCount === 'number';
}

/** The pools of `mysql` lack `execute`, those of `mariadb` answer otherwise, and know `importFile`. */
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
 * Others prepare statements, too: D1, which cannot run several in a transaction, the package `sqlite3`, which answers later,
 * and single connections of MySQL.
 */
function isSqlite(db: Database): db is SqliteDatabase {
  return has(db, 'prepare') && !has(db, 'batch') && !has(db, 'parallelize') && !has(db, 'beginTransaction');
}

/** Pools may be functions with members. */
function has(db: unknown, ...methods: readonly string[]): boolean {
  if ((typeof db !== 'object' && typeof db !== 'function') || db === null) return false;
  return methods.every((method) => typeof (db as Record<string, unknown>)[method] === 'function');
}

const KNOWN =
  'Hand it a `DatabaseSync` of node:sqlite, a `Database` of better-sqlite3, a client of @libsql/client, a `Pool` of pg, ' +
  'a `PGlite`, a pool of mysql2, or a `Kysely`';

/** What to do instead, for mistakes that are easily made. */
function remedyFor(db: unknown): string {
  if (typeof db === 'string' || db instanceof URL) return `An address is not enough: connect to it first. ${KNOWN}`;
  if (has(db, 'then')) return `It is a promise: await it first. ${KNOWN}`;
  if (has(db, '$transaction', '$queryRaw') || has(db, '$connect', '$disconnect'))
    return `It is a client of Prisma: hand the adapter a pool of its own to the same database. ${KNOWN}`;
  if (has(db, 'select', 'insert') && '$client' in (db as object))
    return `It is a database of Drizzle: hand the adapter what it is made of, its \`$client\`. ${KNOWN}`;
  if (has(db, 'query', 'connect') || has(db, 'query', 'beginTransaction'))
    return `It is a single connection, on which the transactions of several requests would mix: make a pool. ${KNOWN}`;
  return KNOWN;
}
