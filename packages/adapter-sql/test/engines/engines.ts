import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@libsql/client';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import mysqlWithCallbacks from 'mysql2';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { available, type Fresh, mariadb, postgres } from '../../../../test/services/index.ts';
import { type Database, engineOf } from '../../src/database.ts';
import type { DialectName, Engine } from '../../src/dialect.ts';
import type { SqliteDatabase } from '../../src/engines/sqlite.ts';
import { openPglite } from './pglites.ts';

/** An engine with a new, empty database. */
export interface Opened {
  /** The database as an application passes it to the adapter. */
  readonly db: Database;
  readonly engine: Engine;
  /** Closes the connections, and drops the database. */
  close(): Promise<void>;
}

/** A kind of database that the adapter supports. */
export interface EngineKind {
  readonly name: string;
  readonly dialect: DialectName;
  /** `false` if its server is not available and not required. */
  readonly isAvailable: boolean;
  open(): Promise<Opened>;
}

/** Connections of each pool. */
export const poolSize = 4;

const hasPostgres = await available('postgres');
const hasMariadb = await available('mariadb');

/** All engines. */
export const engines: readonly EngineKind[] = [
  kind('node:sqlite', 'sqlite', true, async () => {
    const db = new DatabaseSync(':memory:');
    return opened(db, () => db.close());
  }),
  kind('better-sqlite3', 'sqlite', true, async () => {
    const db = betterSqlite3(':memory:');
    return opened(db, () => db.close());
  }),
  kind('libSQL', 'sqlite', true, async () => {
    const folder = newFolder();
    const client = createClient({ url: `file:${folder.path('auth.db')}` });
    return opened(client, () => {
      client.close();
      folder.remove();
    });
  }),
  kind('pg', 'postgres', hasPostgres, async () => {
    const fresh = await (await postgres()).fresh();
    return onPg(fresh, {});
  }),
  kind('PGlite', 'postgres', true, async () => {
    const pglite = await openPglite();
    return opened(pglite.db, pglite.close);
  }),
  kind('mysql2', 'mysql', hasMariadb, async () => {
    const fresh = await (await mariadb()).fresh();
    return onMysql(fresh, {});
  }),
  kind('Kysely on node:sqlite', 'sqlite', true, async () => {
    const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: forKysely(':memory:') }) });
    return opened(kysely, () => kysely.destroy());
  }),
  kind('Kysely on pg', 'postgres', hasPostgres, async () => {
    const fresh = await (await postgres()).fresh();
    const pool = new pg.Pool({ connectionString: fresh.url, max: poolSize });
    const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    return opened(kysely, async () => {
      await kysely.destroy();
      await fresh.drop();
    });
  }),
  kind('Kysely on mysql2', 'mysql', hasMariadb, async () => {
    const fresh = await (await mariadb()).fresh();
    const pool = mysqlWithCallbacks.createPool({ uri: fresh.url, connectionLimit: poolSize });
    const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
    return opened(kysely, async () => {
      await kysely.destroy();
      await fresh.drop();
    });
  }),
];

/** Opens an engine with a pool of `pg` and its settings. */
export function onPg(fresh: Fresh, settings: pg.PoolConfig): Opened & { db: pg.Pool } {
  const db = new pg.Pool({ connectionString: fresh.url, max: poolSize, ...settings });
  return opened(db, async () => {
    await db.end();
    await fresh.drop();
  });
}

/** Opens an engine with a pool of `mysql2` and its settings. */
export function onMysql(fresh: Fresh, settings: mysql.PoolOptions): Opened & { db: mysql.Pool } {
  const db = mysql.createPool({ uri: fresh.url, connectionLimit: poolSize, ...settings });
  return opened(db, async () => {
    await db.end();
    await fresh.drop();
  });
}

/** Opens a database of `better-sqlite3`, which has no types. */
export function betterSqlite3(path: string, options?: { timeout: number }): BetterSqlite3 {
  const Better: new (path: string, options?: object) => BetterSqlite3 = createRequire(import.meta.url)(
    'better-sqlite3',
  );
  return new Better(path, options);
}

interface BetterSqlite3 extends SqliteDatabase {
  exec(sql: string): unknown;
  defaultSafeIntegers(on: boolean): unknown;
  close(): void;
}

/** Creates a folder for database files. */
export function newFolder(): { path(name: string): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-engines-'));
  return {
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Opens a `node:sqlite` with the methods of `better-sqlite3` that Kysely's SQLite dialect needs. */
export function forKysely(path: string): ConstructorParameters<typeof SqliteDialect>[0]['database'] & object {
  const db = new DatabaseSync(path);
  return {
    close: () => db.close(),
    prepare(sql: string) {
      const statement = db.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...(parameters as string[])),
        run: (parameters: readonly unknown[]) => statement.run(...(parameters as string[])),
        iterate: (parameters: readonly unknown[]) =>
          statement.iterate(...(parameters as string[])) as IterableIterator<unknown>,
      };
    },
  };
}

function kind(name: string, dialect: DialectName, isAvailable: boolean, open: () => Promise<Opened>): EngineKind {
  return { name, dialect, isAvailable, open };
}

function opened<Db extends Database>(db: Db, close: () => unknown): Opened & { db: Db } {
  return {
    db,
    engine: engineOf(db),
    close: async () => {
      await close();
    },
  };
}
