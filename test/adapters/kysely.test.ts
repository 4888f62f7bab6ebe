import type { Adapter } from '@latchkey/core/adapters';
import { describe } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { available } from '../services/index.ts';
import { openMariadb, openPostgres, openSqlite } from './databases.ts';
import { adapterFlows } from './flows.ts';
import { knownHalfSurrogates, knownTokensTwice } from './known.ts';
import { countRows, type OpenStore } from './store.ts';
import { type Known, peerSuite } from './suite.ts';

interface Kysely {
  destroy(): Promise<void>;
}

const { KyselyAdapter } = await loadPeer<{ KyselyAdapter: (db: Kysely) => Adapter }>('kysely', '@auth/kysely-adapter');
const { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } = await loadPeer<{
  Kysely: new (options: { dialect: object }) => Kysely;
  MysqlDialect: new (options: { pool: object }) => object;
  PostgresDialect: new (options: { pool: object }) => object;
  SqliteDialect: new (options: { database: object }) => object;
}>('kysely', 'kysely');

/** The tables, with the database's own types and its quotes. */
function schema(types: { id: string; key: string; text: string; instant: string; table?: string }): string[] {
  const { id, key, text, instant, table = '' } = types;
  return [
    `create table "User" (
      id ${id} primary key, name ${text}, email ${key} unique, "emailVerified" ${instant}, image ${text}
    ) ${table}`,
    `create table "Account" (
      "userId" ${id} not null references "User" (id) on delete cascade, type ${key} not null, provider ${key} not null,
      "providerAccountId" ${key} not null, access_token ${text}, expires_at bigint, id_token ${text},
      refresh_token ${text}, scope ${text}, session_state ${text}, token_type ${text},
      primary key (provider, "providerAccountId")
    ) ${table}`,
    `create table "Session" (
      "sessionToken" ${key} primary key, "userId" ${id} not null references "User" (id) on delete cascade,
      expires ${instant} not null
    ) ${table}`,
    `create table "VerificationToken" (
      identifier ${key} not null, token ${key} not null, expires ${instant} not null, primary key (identifier, token)
    ) ${table}`,
  ];
}

const tables = { users: '"User"', accounts: '"Account"', sessions: '"Session"', tokens: '"VerificationToken"' };

async function onSqlite(): Promise<OpenStore> {
  const database = await openSqlite('kysely');
  for (const sql of schema({ id: 'text', key: 'text', text: 'text', instant: 'text' })) database.exec(sql);
  const db = new Kysely({ dialect: new SqliteDialect({ database }) });
  return {
    adapter: KyselyAdapter(db),
    counts: () => countRows((sql) => database.prepare(sql).all(), tables),
    close: () => db.destroy(),
  };
}

async function onPostgres(): Promise<OpenStore> {
  const { pool, close } = await openPostgres('kysely');
  for (const sql of schema({ id: 'uuid', key: 'text', text: 'text', instant: 'timestamptz' })) await pool.query(sql);
  return {
    adapter: KyselyAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) })),
    counts: () => countRows(async (sql) => (await pool.query(sql)).rows, tables),
    close,
  };
}

/** Compares keys byte by byte. Other collations treat account ids and addresses that look alike as one. */
const BYTES = 'character set utf8mb4 collate utf8mb4_nopad_bin';

async function onMariadb(table: string): Promise<OpenStore> {
  const { pool, close } = await openMariadb('kysely');
  const types = { id: 'char(36)', key: 'varchar(255)', text: 'text', instant: 'datetime(3)' };
  const inBackticks = (sql: string): string => sql.replaceAll('"', '`');
  for (const sql of schema({ ...types, table })) await pool.query(inBackticks(sql));
  return {
    adapter: KyselyAdapter(new Kysely({ dialect: new MysqlDialect({ pool: pool.pool }) })),
    counts: () => countRows(async (sql) => (await pool.query(inBackticks(sql)))[0], tables),
    close,
  };
}

const halfSurrogates = knownHalfSurrogates('user', 'verification token');

const knownDates: Known = {
  because: 'where the store has no date type, a text that looks like a date is read as one',
  cases: ['keeps a date in a user'],
  error: /by id: expected .*, got .*image: Date\(/,
};

describe('@auth/kysely-adapter on SQLite', () => {
  adapterFlows(onSqlite, { extent: 'sample' });
  peerSuite(onSqlite, [halfSurrogates, knownDates], { extent: 'sample' });
});

describe.skipIf(!(await available('postgres')))('@auth/kysely-adapter on PostgreSQL', () => {
  adapterFlows(onPostgres);
  peerSuite(onPostgres, [halfSurrogates]);
});

describe.skipIf(!(await available('mariadb')))('@auth/kysely-adapter on MariaDB', () => {
  adapterFlows(() => onMariadb(BYTES), { tokensOnce: false, extent: 'sample' });
  peerSuite(() => onMariadb(BYTES), [halfSurrogates, knownTokensTwice], { extent: 'sample' });

  describe('with its own collation', () => {
    adapterFlows(() => onMariadb(''), { tokensOnce: false, extent: 'sample' });
  });
});
