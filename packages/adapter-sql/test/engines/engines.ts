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
import type { DialectName, Engine } from '../../src/dialect.ts';
import { type Database, engineOf } from '../../src/engine-of.ts';
import type { SqliteDatabase } from '../../src/engines/sqlite-database.ts';
import { openPglite } from './pglites.ts';

/** An engine on a new, empty database. */
export interface Opened {
  /** What an application hands to the adapter. */
  readonly db: Database;
  readonly engine: Engine;
  /** Ends the connections, and the database with them. */
  close(): Promise<void>;
}

/** A kind of database that the adapter works with. */
export interface EngineKind {
  readonly name: string;
  readonly dialect: DialectName;
  /** `false` where its server cannot be had, and nobody insists. */
  readonly isAvailable: boolean;
  open(): Promise<Opened>;
}

/** Connections of each pool. */
export const poolSize = 4;

const hasPostgres = await available('postgres');
const hasMariadb = await available('mariadb');

/** Every engine, and so every test that runs on all of them. */
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

/** An engine on a pool of `pg` with settings of its own. */
export function onPg(fresh: Fresh, settings: pg.PoolConfig): Opened & { db: pg.Pool } {
  const db = new pg.Pool({ connectionString: fresh.url, max: poolSize, ...settings });
  return opened(db, async () => {
    await db.end();
    await fresh.drop();
  });
}

/** An engine on a pool of `mysql2` with settings of its own. */
export function onMysql(fresh: Fresh, settings: mysql.PoolOptions): Opened & { db: mysql.Pool } {
  const db = mysql.createPool({ uri: fresh.url, connectionLimit: poolSize, ...settings });
  return opened(db, async () => {
    await db.end();
    await fresh.drop();
  });
}

/** A database of the real `better-sqlite3`, which brings no types. */
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

/** A folder of its own for database files. */
export function newFolder(): { path(name: string): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-engines-'));
  return {
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `node:sqlite` as Kysely's SQLite dialect wants it: with the manners of `better-sqlite3`. */
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
