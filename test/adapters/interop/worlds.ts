import type { Database } from '@latchkey/adapter-sql';
import type { Adapter } from '@latchkey/core/adapters';
import { documented } from '../../../packages/adapter-sql/test/presets/documented.ts';
import { loadPeer } from '../../peers/load.ts';
import { available } from '../../services/index.ts';
import { openMariadb, openPostgres, openSqlite } from '../databases.ts';
import { type WorldKind, world } from './world.ts';

/** Sessions of PostgreSQL and MariaDB are in zones that are not UTC, with half an hour in them. */
export const postgresZone = '-c TimeZone=America/St_Johns';
const MARIADB_ZONE = `set time_zone = '+05:30'`;

const hasPostgres = await available('postgres');
const hasMariadb = await available('mariadb');

const { default: PostgresAdapter } = await loadPeer<{ default: (pool: object) => Adapter }>('pg', '@auth/pg-adapter');
const { KyselyAdapter } = await loadPeer<{ KyselyAdapter: (db: object) => Adapter }>('kysely', '@auth/kysely-adapter');
const { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } = await loadPeer<
  Record<string, new (options: object) => object>
>('kysely', 'kysely');
const { DrizzleAdapter } = await loadPeer<{ DrizzleAdapter: (db: object) => Adapter }>(
  'drizzle',
  '@auth/drizzle-adapter',
);
const drizzles = {
  sqlite: await loadPeer<Drizzle>('drizzle', 'drizzle-orm/better-sqlite3'),
  postgres: await loadPeer<Drizzle>('drizzle', 'drizzle-orm/node-postgres'),
  mysql: await loadPeer<Drizzle>('drizzle', 'drizzle-orm/mysql2'),
};

interface Drizzle {
  drizzle(options: { client: object }): object;
}

/** The adapter by pg: one pool for both. */
export const pg: WorldKind = world(documented.pg, hasPostgres, async () => {
  const { pool, query, close } = await onPostgres('pg');
  return { theirs: PostgresAdapter(pool), db: pool as unknown as Database, query, close };
});

/** The adapter by Kysely: one `Kysely` for both. */
export const kysely: readonly WorldKind[] = [
  world(documented.kyselySqlite, true, async () => {
    const { database, query, close } = await onSqlite('kysely');
    return { ...byKysely(new (SqliteDialect as Dialect)({ database })), query, close };
  }),
  world(documented.kyselyPostgres, hasPostgres, async () => {
    const { pool, query, close } = await onPostgres('kysely');
    return { ...byKysely(new (PostgresDialect as Dialect)({ pool })), query, close };
  }),
  world(documented.kyselyMysql, hasMariadb, async () => {
    const { pool, query, close } = await onMariadb('kysely');
    return { ...byKysely(new (MysqlDialect as Dialect)({ pool: pool.pool })), query, close };
  }),
];

/** The adapter by Drizzle: one connection or pool for both. */
export const drizzle: readonly WorldKind[] = [
  world(documented.drizzleSqlite, true, async () => {
    const { database, query, close } = await onSqlite('drizzle');
    return { ...byDrizzle(drizzles.sqlite, database), query, close };
  }),
  world(documented.drizzlePostgres, hasPostgres, async () => {
    const { pool, query, close } = await onPostgres('drizzle');
    return { ...byDrizzle(drizzles.postgres, pool), query, close };
  }),
  world(documented.drizzleMysql, hasMariadb, async () => {
    const { pool, query, close } = await onMariadb('drizzle');
    return { ...byDrizzle(drizzles.mysql, pool), query, close };
  }),
];

type Dialect = new (options: object) => object;

function byKysely(dialect: object): { theirs: Adapter; db: Database } {
  const db = new (Kysely as Dialect)({ dialect });
  return { theirs: KyselyAdapter(db), db: db as Database };
}

function byDrizzle({ drizzle }: Drizzle, client: object): { theirs: Adapter; db: Database } {
  return { theirs: DrizzleAdapter(drizzle({ client })), db: client as Database };
}

async function onSqlite(peer: string) {
  const database = await openSqlite(peer);
  const query = (sql: string): object[] => {
    if (/^\s*select/i.test(sql)) return database.prepare(sql).all();
    database.exec(sql);
    return [];
  };
  return { database, query, close: () => database.close() };
}

async function onPostgres(peer: string) {
  const { pool, close } = await openPostgres(peer, { options: postgresZone });
  return { pool, query: async (sql: string) => (await pool.query(sql)).rows, close };
}

async function onMariadb(peer: string) {
  const { pool, close } = await openMariadb(peer);
  const events = pool.pool as { on(event: 'connection', listener: (connection: Connection) => void): void };
  events.on('connection', (connection) => void connection.query(MARIADB_ZONE));
  const query = async (sql: string): Promise<object[]> => {
    const [rows] = await pool.query(sql);
    return Array.isArray(rows) ? rows : [];
  };
  return { pool, query, close };
}

interface Connection {
  query(sql: string): unknown;
}
