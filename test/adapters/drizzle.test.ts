import type { Adapter } from '@latchkey/core/adapters';
import { describe } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { available } from '../services/index.ts';
import { openMariadb, openPostgres, openSqlite, vaultIn } from './databases.ts';
import type { OpenStoreWithVault } from './flows/tokens.ts';
import { adapterFlows, adapterTokenFlows } from './flows.ts';
import { knownHalfSurrogates, knownTokensTwice } from './known.ts';
import { countRows } from './store.ts';
import { peerSuite } from './suite.ts';

interface Drizzle {
  drizzle(options: { client: object }): object;
}

const { DrizzleAdapter } = await loadPeer<{ DrizzleAdapter: (db: object) => Adapter }>(
  'drizzle',
  '@auth/drizzle-adapter',
);
const sqlite = await loadPeer<Drizzle>('drizzle', 'drizzle-orm/better-sqlite3');
const postgres = await loadPeer<Drizzle>('drizzle', 'drizzle-orm/node-postgres');
const mysql = await loadPeer<Drizzle>('drizzle', 'drizzle-orm/mysql2');

/** The adapter's own tables, with the database's types and its quotes. */
function schema(types: Record<'key' | 'text' | 'integer' | 'boolean' | 'instant', string>, table = ''): string[] {
  const { key, text, integer, boolean, instant } = types;
  const owner = `"userId" ${key} not null references "user" (id) on delete cascade`;
  return [
    `create table "user" (
      id ${key} primary key, name ${text}, email ${key} unique, "emailVerified" ${instant}, image ${text}
    ) ${table}`,
    `create table "account" (
      ${owner}, type ${key} not null, provider ${key} not null, "providerAccountId" ${key} not null,
      refresh_token ${text}, access_token ${text}, expires_at ${integer}, token_type ${text}, scope ${text},
      id_token ${text}, session_state ${text}, primary key (provider, "providerAccountId")
    ) ${table}`,
    `create table "session" ("sessionToken" ${key} primary key, ${owner}, expires ${instant} not null) ${table}`,
    `create table "verificationToken" (
      identifier ${key} not null, token ${key} not null, expires ${instant} not null, primary key (identifier, token)
    ) ${table}`,
    `create table "authenticator" (
      "credentialID" ${key} not null unique, ${owner}, "providerAccountId" ${text} not null,
      "credentialPublicKey" ${text} not null, counter ${integer} not null, "credentialDeviceType" ${text} not null,
      "credentialBackedUp" ${boolean} not null, transports ${text}, primary key ("userId", "credentialID")
    ) ${table}`,
  ];
}

const tables = { users: '"user"', accounts: '"account"', sessions: '"session"', tokens: '"verificationToken"' };

async function onSqlite(): Promise<OpenStoreWithVault> {
  const client = await openSqlite('drizzle');
  const types = { key: 'text', text: 'text', integer: 'integer', boolean: 'integer', instant: 'integer' };
  for (const sql of schema(types)) client.exec(sql);
  return {
    adapter: DrizzleAdapter(sqlite.drizzle({ client })),
    counts: () => countRows((sql) => client.prepare(sql).all(), tables),
    vault: () => vaultIn(client),
    close: () => client.close(),
  };
}

async function onPostgres(): Promise<OpenStoreWithVault> {
  const { pool, close } = await openPostgres('drizzle');
  const types = { key: 'text', text: 'text', integer: 'integer', boolean: 'boolean', instant: 'timestamp' };
  for (const sql of schema(types)) await pool.query(sql);
  return {
    adapter: DrizzleAdapter(postgres.drizzle({ client: pool })),
    counts: () => countRows(async (sql) => (await pool.query(sql)).rows, tables),
    vault: () => vaultIn(pool),
    close,
  };
}

async function onMariadb(): Promise<OpenStoreWithVault> {
  const { pool, close } = await openMariadb('drizzle');
  const inBackticks = (sql: string): string => sql.replaceAll('"', '`');
  // `text`, because the varchar(255) of the adapter's own table is too short for tokens. Other collations treat similar
  // addresses as equal.
  const types = { key: 'varchar(255)', text: 'text', integer: 'int', boolean: 'boolean', instant: 'timestamp(3) null' };
  for (const sql of schema(types, 'character set utf8mb4 collate utf8mb4_nopad_bin'))
    await pool.query(inBackticks(sql));
  return {
    adapter: DrizzleAdapter(mysql.drizzle({ client: pool })),
    counts: () => countRows(async (sql) => (await pool.query(inBackticks(sql)))[0], tables),
    vault: () => vaultIn(pool),
    close,
  };
}

const halfSurrogates = knownHalfSurrogates('user', 'verification token', 'session token');

describe('@auth/drizzle-adapter on SQLite', () => {
  adapterFlows(onSqlite, { extent: 'sample' });
  adapterTokenFlows(onSqlite);
  peerSuite(onSqlite, [halfSurrogates], { authenticators: true, extent: 'sample' });
});

describe.skipIf(!(await available('postgres')))('@auth/drizzle-adapter on PostgreSQL', () => {
  adapterFlows(onPostgres);
  adapterTokenFlows(onPostgres);
  peerSuite(onPostgres, [halfSurrogates], { authenticators: true });
});

describe.skipIf(!(await available('mariadb')))('@auth/drizzle-adapter on MariaDB', () => {
  adapterFlows(onMariadb, { tokensOnce: false, extent: 'sample' });
  adapterTokenFlows(onMariadb);
  peerSuite(onMariadb, [halfSurrogates, knownTokensTwice], { authenticators: true, extent: 'sample' });
});
