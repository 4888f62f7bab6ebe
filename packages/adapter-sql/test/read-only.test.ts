import { DatabaseSync } from 'node:sqlite';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { available, mariadb, postgres } from '../../../test/services/index.ts';
import { engineOf } from '../src/database.ts';
import { type Database, migrate, SqlAdapter } from '../src/index.ts';
import { catalogOf } from './catalog.ts';
import { newFolder } from './engines/engines.ts';
import { ada, bob, later } from './samples.ts';

/** A database, and a connection to it that can only read. */
interface ReadOnly {
  readonly owner: Database;
  reader(): Promise<Database>;
  readonly refusal: RegExp;
}

const opens: Readonly<Record<string, () => Promise<ReadOnly>>> = {
  'a SQLite file': openSqlite,
  ...((await available('postgres')) ? { PostgreSQL: openPostgres } : {}),
  ...((await available('mariadb')) ? { MariaDB: openMariadb } : {}),
};

describe.each(Object.entries(opens))('a connection that can only read %s', (_, open) => {
  it('reads sessions if the schema is complete, and rejects writes', async () => {
    const { owner, reader, refusal } = await open();
    const adapter = SqlAdapter(owner);
    await adapter.createUser(ada);
    const session = { sessionToken: 's', userId: 'ada', expires: later };
    await adapter.createSession(session);
    const before = await catalogOf(engineOf(owner));
    const db = await reader();
    expect(await migrate(db)).toEqual({ added: [], duplicates: [] });
    const readOnly = SqlAdapter(db);
    expect(await readOnly.getSessionAndUser('s')).toEqual({ session, user: ada });
    await expect(async () => readOnly.createUser(bob)).rejects.toThrow(refusal);
    await expect(async () => readOnly.replaceSession('s', { ...session, sessionToken: 't' })).rejects.toThrow(refusal);
    expect(await readOnly.getSessionAndUser('s')).toEqual({ session, user: ada });
    expect(await catalogOf(engineOf(owner))).toEqual(before);
  });

  it('rejects if tables are missing, and works when they exist', async () => {
    const { owner, reader, refusal } = await open();
    await engineOf(owner).run({ sql: 'create table todo (id integer)', parameters: [] });
    const readOnly = SqlAdapter(await reader());
    for (const _ of [1, 2]) await expect(async () => readOnly.getUser('ada')).rejects.toThrow(refusal);
    expect(Object.keys((await catalogOf(engineOf(owner))).columns)).toEqual(['todo.id']);
    await SqlAdapter(owner).createUser(ada);
    expect(await SqlAdapter(await reader()).getUser('ada')).toEqual(ada);
  });
});

async function openSqlite(): Promise<ReadOnly> {
  const folder = newFolder();
  const path = folder.path('auth.db');
  const open = (readOnly: boolean) => {
    const db = new DatabaseSync(path, { readOnly });
    onTestFinished(() => db.close());
    return db;
  };
  onTestFinished(folder.remove);
  return { owner: open(false), reader: async () => open(true), refusal: /readonly/ };
}

async function openPostgres(): Promise<ReadOnly> {
  const fresh = await (await postgres()).fresh();
  onTestFinished(fresh.drop);
  const owner = new pg.Pool({ connectionString: fresh.url, max: 3 });
  onTestFinished(() => owner.end());
  // Roles belong to the server, not to the database.
  const role = `lk_reader_${crypto.randomUUID().slice(0, 8)}`;
  await owner.query(`create role ${role} login`);
  onTestFinished(async () => {
    await owner.query(`drop owned by ${role}; drop role ${role}`);
  });
  const url = new URL(fresh.url);
  url.username = role;
  const reader = async (): Promise<Database> => {
    await owner.query(`grant select on all tables in schema public to ${role}`);
    const pool = new pg.Pool({ connectionString: url.href, max: 3 });
    onTestFinished(() => pool.end());
    return pool;
  };
  return { owner, reader, refusal: /permission denied/ };
}

async function openMariadb(): Promise<ReadOnly> {
  const fresh = await (await mariadb()).fresh();
  onTestFinished(fresh.drop);
  const owner = mysql.createPool({ uri: fresh.url, connectionLimit: 3 });
  onTestFinished(() => owner.end());
  const user = `lk_${crypto.randomUUID().slice(0, 8)}`;
  await owner.query(`create user '${user}'@'%' identified by 'reader'`);
  onTestFinished(async () => {
    await owner.query(`drop user '${user}'@'%'`);
  });
  const url = new URL(fresh.url);
  await owner.query(`grant select on ${url.pathname.slice(1)}.* to '${user}'@'%'`);
  Object.assign(url, { username: user, password: 'reader' });
  const reader = async (): Promise<Database> => {
    const pool = mysql.createPool({ uri: url.href, connectionLimit: 3 });
    onTestFinished(() => pool.end());
    return pool;
  };
  return { owner, reader, refusal: /command denied/ };
}
