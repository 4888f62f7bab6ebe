import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, SqlSchema } from '@latchkey/adapter-sql';
import type { Adapter } from '@latchkey/core/adapters';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { type Documented, documented } from '../../../packages/adapter-sql/test/presets/documented.ts';
import { loadPeer } from '../../peers/load.ts';
import { generateClient } from '../../peers/prisma/generate.mjs';
import { available, mariadb, postgres } from '../../services/index.ts';
import { modelsOf } from './prisma-models.ts';
import { type WorldKind, world } from './world.ts';
import { postgresZone } from './worlds.ts';

/** The members of Prisma's client that the tests use. */
export interface Client {
  readonly user: Model;
  readonly account: Model;
  readonly session: Model;
  $executeRawUnsafe(sql: string): Promise<number>;
  $queryRawUnsafe(sql: string): Promise<object[]>;
  $disconnect(): Promise<void>;
}

interface Model {
  findFirstOrThrow(query: object): Promise<{ createdAt: Date; updatedAt: Date }>;
}

type Driver = new (settings: object, options?: object) => object;
type ClientClass = Awaited<ReturnType<typeof generateClient<Client>>>['PrismaClient'];

const { PrismaAdapter } = await loadPeer<{ PrismaAdapter: (client: Client) => Adapter }>(
  'prisma',
  '@auth/prisma-adapter',
);
const { PrismaBetterSqlite3 } = await loadPeer<{ PrismaBetterSqlite3: Driver }>(
  'prisma',
  '@prisma/adapter-better-sqlite3',
);
const { PrismaMariaDb } = await loadPeer<{ PrismaMariaDb: Driver }>('prisma', '@prisma/adapter-mariadb');
const { PrismaPg } = await loadPeer<{ PrismaPg: Driver }>('prisma', '@prisma/adapter-pg');

/** A world of Prisma, and its client once it is open. */
export interface PrismaWorldKind extends WorldKind {
  client(): Client;
}

/** Generates the clients the first time, which may take seconds. */
export async function prismaWorlds(): Promise<readonly PrismaWorldKind[]> {
  const clients = {
    sqlite: await generateClient<Client>('sqlite', modelsOf('older')),
    postgres: await generateClient<Client>('postgresql', modelsOf('newer')),
    mysql: await generateClient<Client>('mysql', modelsOf('older', true)),
  };
  const numbers: Settings = {
    note: ', dates as numbers',
    driver: { timestampFormat: 'unixepoch-ms' },
    schema: { preset: 'prisma-adapter', dates: 'milliseconds' },
  };
  return [
    onSqlite(documented.prismaSqliteOlder, clients.sqlite.PrismaClient),
    onSqlite(documented.prismaSqliteOlder, clients.sqlite.PrismaClient, numbers),
    await onPostgres(documented.prismaPostgres, clients.postgres.PrismaClient),
    await onMariadb(documented.prismaMysql, clients.mysql.PrismaClient),
  ];
}

interface Settings {
  readonly note?: string;
  readonly driver?: object;
  readonly schema?: SqlSchema;
}

/** One file, two connections. */
function onSqlite(made: Documented, PrismaClient: ClientClass, settings: Settings = {}): PrismaWorldKind {
  const { note, driver = {}, schema } = settings;
  const held: { client?: Client } = {};
  const kind = world(
    made,
    true,
    async () => {
      const { DatabaseSync } = await import('node:sqlite');
      const folder = await mkdtemp(join(tmpdir(), 'latchkey-prisma-'));
      const url = join(folder, 'auth.db');
      const client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url }, driver) });
      held.client = client;
      const db = new DatabaseSync(url);
      return {
        theirs: PrismaAdapter(client),
        db,
        ...(schema && { schema }),
        query: (sql) => db.prepare(sql).all(),
        async close() {
          await client.$disconnect();
          db.close();
          await rm(folder, { recursive: true });
        },
      };
    },
    note,
  );
  return { ...kind, client: () => held.client as Client };
}

async function onPostgres(made: Documented, PrismaClient: ClientClass): Promise<PrismaWorldKind> {
  const held: { client?: Client } = {};
  const kind = world(made, await available('postgres'), async () => {
    const database = await (await postgres()).fresh();
    const settings = { connectionString: database.url, options: postgresZone };
    const client = new PrismaClient({ adapter: new PrismaPg(settings) });
    held.client = client;
    const pool = new pg.Pool(settings);
    return {
      theirs: PrismaAdapter(client),
      db: pool as unknown as Database,
      query: async (sql) => (await pool.query(sql)).rows,
      async close() {
        await client.$disconnect();
        await pool.end();
        await database.drop();
      },
    };
  });
  return { ...kind, client: () => held.client as Client };
}

async function onMariadb(made: Documented, PrismaClient: ClientClass): Promise<PrismaWorldKind> {
  const held: { client?: Client } = {};
  const kind = world(made, await available('mariadb'), async () => {
    const database = await (await mariadb()).fresh();
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const settings = { host: hostname, port: Number(port), user: username, password, database: pathname.slice(1) };
    const client = new PrismaClient({ adapter: new PrismaMariaDb(settings) });
    held.client = client;
    const pool = createPool({ uri: database.url });
    return {
      theirs: PrismaAdapter(client),
      db: pool,
      query: async (sql) => {
        const [rows] = await pool.query(sql);
        return Array.isArray(rows) ? rows : [];
      },
      async close() {
        await client.$disconnect();
        await pool.end();
        await database.drop();
      },
    };
  });
  return { ...kind, client: () => held.client as Client };
}
