import type { TokenVault } from '@latchkey/core/types';
import { type Database, SqlTokenVault } from '../../packages/adapter-sql/src/index.ts';
import { loadPeer } from '../peers/load.ts';
import { mariadb, postgres } from '../services/index.ts';

/** The members of pg's `Pool` that the tests use. */
export interface PgPool {
  query(sql: string): Promise<{ rows: object[] }>;
  end(): Promise<void>;
  on(event: 'connect', listener: (client: { once(event: 'end', listener: () => void): void }) => void): void;
}

/** The members of mysql2's promise pool that the tests use. */
export interface MysqlPool {
  query(sql: string): Promise<[rows: object[], fields: unknown]>;
  end(): Promise<void>;
  /** The same pool with callbacks. */
  readonly pool: object;
}

/** The members of a better-sqlite3 database that the tests use. */
export interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): { all(): object[] };
  close(): void;
}

/** A pool on an empty database. `close` ends both. */
export interface Opened<Pool> {
  readonly pool: Pool;
  close(): Promise<void>;
}

/** An empty PostgreSQL database through the `pg` of a peer's folder; `settings` are those of its pool. */
export async function openPostgres(peer: string, settings: object = {}): Promise<Opened<PgPool>> {
  const { Pool } = await loadPeer<{ Pool: new (options: object) => PgPool }>(peer, 'pg');
  const database = await (await postgres()).fresh();
  const pool = new Pool({ connectionString: database.url, ...settings });
  const ends: Promise<void>[] = [];
  pool.on('connect', (client) => ends.push(new Promise((resolve) => client.once('end', resolve))));
  return {
    pool,
    async close() {
      await pool.end();
      // The pool has ended before its connections have, and dropping a database ends connections with an error.
      await Promise.all(ends);
      await database.drop();
    },
  };
}

/** An empty MariaDB database through the `mysql2` of a peer's folder. */
export async function openMariadb(peer: string): Promise<Opened<MysqlPool>> {
  const { createPool } = await loadPeer<{ createPool: (options: object) => MysqlPool }>(peer, 'mysql2/promise');
  const database = await (await mariadb()).fresh();
  // Dates are kept in UTC in every time zone of the server and of this process.
  const pool = createPool({ uri: database.url, timezone: 'Z' });
  return {
    pool,
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

/** An empty SQLite database in memory through the `better-sqlite3` of a peer's folder. */
export async function openSqlite(peer: string): Promise<Sqlite> {
  const { default: Database } = await loadPeer<{ default: new (path: string) => Sqlite }>(peer, 'better-sqlite3');
  return new Database(':memory:');
}

/** Makes a token vault in a database. The drivers of the peers' folders are those that `SqlTokenVault` accepts. */
export function vaultIn(database: object): TokenVault {
  return SqlTokenVault(database as Database);
}
