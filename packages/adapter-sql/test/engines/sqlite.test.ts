import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@libsql/client';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, engineOf } from '../../src/database.ts';
import type { Engine } from '../../src/dialect.ts';
import type { SqliteDatabase } from '../../src/engines/sqlite.ts';
import { betterSqlite3, forKysely, newFolder } from './engines.ts';
import { batch, ids, insert, makeThings, query, rowsOf, run } from './things.ts';

/** Connections that do not wait for a lock themselves, because that would block the other connection. */
const connections: [string, (path: string) => Database & { close?(): void; destroy?(): Promise<void> }][] = [
  ['node:sqlite', (path) => new DatabaseSync(path)],
  ['better-sqlite3', (path) => betterSqlite3(path, { timeout: 0 })],
  ['libSQL', (path) => createClient({ url: `file:${path}` })],
  ['Kysely', (path) => new Kysely<unknown>({ dialect: new SqliteDialect({ database: forKysely(path) }) })],
];

describe.each(connections)('%s, while another connection writes', (_, connect) => {
  let folder: ReturnType<typeof newFolder>;
  let db: ReturnType<typeof connect>;
  let engine: Engine;
  let other: DatabaseSync;

  beforeEach(async () => {
    folder = newFolder();
    const path = folder.path('auth.db');
    db = connect(path);
    engine = engineOf(db);
    await makeThings(engine);
    other = new DatabaseSync(path);
    other.exec('begin immediate');
  });

  afterEach(async () => {
    other.close();
    db.close?.();
    await db.destroy?.();
    folder.remove();
  });

  it.each(['run', 'batch'] as const)('tries again without blocking the event loop: %s', async (method) => {
    const again = query(engine, sql`update things set number = number + ${1}`);
    const [results] = await Promise.all([
      method === 'run' ? engine.run(insert(engine, 1, 'a', 1)) : batch(engine, [insert(engine, 1, 'a', 0), again]),
      new Promise((resolve) => setTimeout(resolve, 50)).then(() => other.exec('commit')),
    ]);
    expect(results).toBeDefined();
    expect(await rowsOf(engine, sql`select id, number from things`)).toEqual([{ id: 1, number: 1 }]);
  });
});

describe.each([
  ['node:sqlite', () => new DatabaseSync(':memory:')],
  ['better-sqlite3', () => betterSqlite3(':memory:')],
] as const)('%s', (name, connect) => {
  it('shares a transaction of the application, and rolls back only its own part', async () => {
    const db = connect();
    const engine = engineOf(db);
    await makeThings(engine);
    db.exec(`begin; insert into things (id, name) values (1, 'theirs')`);
    const failing = [insert(engine, 2, 'ours'), query(engine, sql`insert into nowhere (id) values (1)`)];
    await expect(batch(engine, failing)).rejects.toThrow('nowhere');
    await batch(engine, [insert(engine, 3, 'ours')]);
    expect(await ids(engine)).toEqual([1, 3]);
    db.exec('rollback');
    expect(await ids(engine)).toEqual([]);
  });

  it('answers synchronously, and runs a batch within one turn of the event loop', async () => {
    const db = connect();
    const engine = engineOf(db);
    await makeThings(engine);
    const results = engine.batch([insert(engine, 1, 'a'), () => insert(engine, 2, 'b')]);
    expect(results).toMatchObject([{ affected: 1 }, { affected: 1 }]);
    expect(engine.run(query(engine, sql`select id from things`))).toMatchObject({ rows: [{ id: 1 }, { id: 2 }] });
  });

  it('is read correctly if integers are bigints', async () => {
    const db = connect();
    if (db instanceof DatabaseSync) db.close();
    else db.defaultSafeIntegers(true);
    const bigints =
      name === 'node:sqlite' ? new DatabaseSync(':memory:', { readBigInts: true, returnArrays: true }) : db;
    const engine = engineOf(bigints as SqliteDatabase);
    await makeThings(engine);
    expect((await engine.run(insert(engine, 1, 'a'))).affected).toBe(1);
    expect(await rowsOf(engine, sql`select id, name from things where id = ${1}`)).toEqual([{ id: 1n, name: 'a' }]);
    expect((await run(engine, sql`update things set name = ${'b'}`)).affected).toBe(1);
    expect((await run(engine, sql`delete from things returning id`)).affected).toBe(1);
  });
});

describe('statements', () => {
  /** Returns a database that records the prepared statements. */
  function counting(db: DatabaseSync): { db: SqliteDatabase; prepared: string[] } {
    const prepared: string[] = [];
    const prepare = (text: string) => {
      prepared.push(text);
      return db.prepare(text);
    };
    return { prepared, db: { prepare } };
  }

  it('are prepared once, and a hundred of them stay prepared', async () => {
    const { db, prepared } = counting(new DatabaseSync(':memory:'));
    const engine = engineOf(db);
    for (let n = 0; n < 100; n++) for (let times = 0; times < 2; times++) await run(engine, sql.raw(`select ${n}`));
    expect(prepared).toHaveLength(100);
    await run(engine, sql.raw('select 100'));
    await run(engine, sql.raw('select 1'));
    expect(prepared).toHaveLength(101);
    await run(engine, sql.raw('select 0'));
    expect(prepared).toHaveLength(102);
  });

  it('of a database that does not describe their rows are recognized by their text', async () => {
    const db = new DatabaseSync(':memory:');
    // Like the `Database` of Bun.
    const engine = engineOf({
      prepare(text) {
        const statement = db.prepare(text);
        return {
          all: (...parameters) => statement.all(...parameters),
          run: (...parameters) => statement.run(...parameters),
        };
      },
    });
    await makeThings(engine);
    expect(await engine.run(insert(engine, 1, 'a'))).toMatchObject({ rows: [], affected: 1 });
    expect(await ids(engine)).toEqual([1]);
    expect(await run(engine, sql`update things set name = 'b' returning id`)).toMatchObject({
      rows: [{ id: 1 }],
      affected: 1,
    });
    await batch(engine, [insert(engine, 2, 'c')]);
    expect((await engine.run(engine.dialect.columnsOf('things'))).rows).toHaveLength(5);
  });

  it('that are prepared asynchronously are refused', async () => {
    const engine = engineOf({ prepare: (async () => ({})) as never });
    await expect(run(engine, sql`select 1`)).rejects.toThrow('must prepare statements synchronously');
  });

  it('of another schema of the connection find its tables', async () => {
    const db = new DatabaseSync(':memory:');
    db.exec(`attach ':memory:' as other; create table other.users (id text primary key, email text unique, n integer);
      create table users (id integer primary key)`);
    const { run, dialect } = engineOf(db);
    expect((await run(dialect.columnsOf('other.users'))).rows.map(({ name }) => name)).toEqual(['id', 'email', 'n']);
    const indexes = (await run(dialect.indexesOf('other.users'))).rows;
    expect(indexes.map(({ column, unique }) => `${column} ${unique}`).sort()).toEqual(['email 1', 'id 1']);
    expect((await run(dialect.columnsOf('users'))).rows.map(({ name }) => name)).toEqual(['id']);
    expect((await run(dialect.indexesOf('users'))).rows).toMatchObject([
      { index: 'primary key', column: 'id', position: 0, unique: 1 },
    ]);
  });
});
