import { DatabaseSync } from 'node:sqlite';
import { tokensOf } from '@latchkey/core/tokens';
import { application, FakeProvider } from '@latchkey/testing';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder } from '../../packages/adapter-sql/test/engines/engines.ts';
import { available, mariadb, postgres, redis } from '../services/index.ts';
import { type OpenedStore, openStore } from './stores.ts';

/** A store, and each text in it. */
interface Dumped extends OpenedStore {
  dump(): Promise<string[]>;
}

type Query = (sql: string) => Promise<readonly object[]>;

/** Returns each value in the tables of a database. */
async function valuesIn(query: Query, tables: readonly object[]): Promise<string[]> {
  const names = tables.flatMap((table) => Object.values(table));
  const rows = await Promise.all(names.map((name) => query(`select * from ${name}`)));
  return rows.flat().flatMap((row) => Object.values(row).map(String));
}

async function sqlite(): Promise<Dumped> {
  const folder = newFolder();
  onTestFinished(() => folder.remove());
  const file = folder.path('auth.db');
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  const query: Query = async (sql) => database.prepare(sql).all();
  const dump = async () => valuesIn(query, await query(`select name from sqlite_master where type = 'table'`));
  return { ...(await openStore('SQLite', file, { DatabaseSync })), dump };
}

async function inPostgres(): Promise<Dumped> {
  const { url, drop } = await (await postgres()).fresh();
  onTestFinished(async () => void (await drop()));
  const pool = new pg.Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const query: Query = async (sql) => (await pool.query(sql)).rows;
  const tables = `select quote_ident(table_name) from information_schema.tables where table_schema = 'public'`;
  return {
    ...(await openStore('PostgreSQL', url, { DatabaseSync })),
    dump: async () => valuesIn(query, await query(tables)),
  };
}

async function inMariadb(): Promise<Dumped> {
  const { url, drop } = await (await mariadb()).fresh();
  onTestFinished(async () => void (await drop()));
  const pool = mysql.createPool(url);
  onTestFinished(() => pool.end());
  const query: Query = async (sql) => (await pool.query<mysql.RowDataPacket[]>(sql))[0];
  const dump = async () => valuesIn(query, await query('show tables'));
  return { ...(await openStore('MariaDB', url, { DatabaseSync })), dump };
}

async function inRedis(): Promise<Dumped> {
  const { url, prefix, drop } = await (await redis()).fresh();
  onTestFinished(async () => void (await drop()));
  const client = await createClient({ url }).connect();
  onTestFinished(() => client.close());
  const read = async (key: string): Promise<unknown> => {
    const type = await client.type(key);
    if (type === 'hash') return client.hGetAll(key);
    if (type === 'set') return client.sMembers(key);
    return type === 'zset' ? client.zRange(key, 0, -1) : client.get(key);
  };
  const dump = async (): Promise<string[]> => {
    const keys = await client.keys(`${prefix}*`);
    return [...keys, ...(await Promise.all(keys.map(async (key) => JSON.stringify(await read(key)))))];
  };
  return { ...(await openStore('Redis', `${url}#${prefix}`, { DatabaseSync })), dump };
}

const stores: [kind: string, isAvailable: boolean, open: () => Promise<Dumped>][] = [
  ['SQLite', true, sqlite],
  ['PostgreSQL', await available('postgres'), inPostgres],
  ['MariaDB', await available('mariadb'), inMariadb],
  ['Redis', await available('redis'), inRedis],
];

describe.each(stores.filter(([, isAvailable]) => isAvailable))('a dump of %s', (_, __, open) => {
  it('has no token that the provider has issued, with `accountColumns: clear`', async () => {
    const { adapter, vault, dump, close } = await open();
    onTestFinished(close);
    const issued: string[] = [];
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    provider.overrides.token = (answer) => {
      const { access_token, refresh_token, id_token } = answer;
      issued.push(...[access_token, refresh_token, id_token].map(String));
      return { ...answer, expires_in: 1 };
    };
    const app = application({ adapter, provider, config: { tokens: { store: vault, accountColumns: 'clear' } } });
    await app.signIn();
    const user = await adapter.getUserByEmail?.('ada@example.com');
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await tokensOf(app.config, {}).get('fake', { userId: String(user?.id) });
    expect(issued).toHaveLength(6);
    expect(issued.filter((token) => token.length < 10)).toEqual([]);
    const values = await dump();
    expect(values.join('\n')).toContain('ada@example.com');
    expect(values.filter((value) => /ey[\w-]+\.\.[\w-]+\./.test(value))).toHaveLength(1);
    expect(issued.filter((token) => values.some((value) => value.includes(token)))).toEqual([]);
  });
});
