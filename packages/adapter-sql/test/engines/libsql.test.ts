import { type Client, createClient } from '@libsql/client';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { type Database, engineOf } from '../../src/database.ts';
import type { LibsqlClient } from '../../src/engines/libsql.ts';
import { newFolder } from './engines.ts';
import { batch, ids, insert, makeThings, query, rowsOf, run } from './things.ts';

describe('libSQL', () => {
  const clients: Client[] = [];

  function client(settings: Partial<Parameters<typeof createClient>[0]> = {}): Client {
    const made = createClient({ url: ':memory:', ...settings });
    clients.push(made);
    return made;
  }

  afterEach(() => {
    for (const made of clients.splice(0)) made.close();
  });

  it('in memory keeps the rows of transactions, and reads during them', async () => {
    const engine = engineOf(client());
    await makeThings(engine);
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 3 ? batch(engine, [insert(engine, n, `${n}`), insert(engine, 100 + n, `${100 + n}`)]) : ids(engine),
      ),
    );
    expect(await ids(engine)).toHaveLength(40);
  });

  it('waits for a transaction of the application', async () => {
    const db = client();
    const engine = engineOf(db);
    await makeThings(engine);
    await batch(engine, [insert(engine, 1, 'a')]);
    const theirs = await db.transaction('write');
    await theirs.execute(`insert into things (id, name) values (2, 'b')`);
    const ours = Promise.all([
      batch(engine, [insert(engine, 3, 'c')]),
      engine.run(insert(engine, 4, 'd')),
      ids(engine),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await theirs.commit();
    await ours;
    expect(await ids(engine)).toEqual([1, 2, 3, 4]);
  });

  it('in a client that loses a database in memory is refused', async () => {
    const engine = engineOf(forgetful());
    await makeThings(engine);
    await expect(batch(engine, [insert(engine, 1, 'a')])).rejects.toThrow(TypeError);
    await expect(batch(engine, [insert(engine, 1, 'a')])).rejects.toThrow('Use version 0.18 or later, or a file');
  });

  it('writes one after the other without conflicts', async () => {
    const folder = newFolder();
    const db = client({ url: `file:${folder.path('auth.db')}` });
    const started: string[] = [];
    const counting: LibsqlClient = {
      protocol: 'file',
      execute: (statement) => db.execute(statement),
      transaction: (mode) => {
        started.push(mode);
        return db.transaction(mode);
      },
    };
    const engine = engineOf(Object.assign(counting, { batch: () => undefined }));
    await makeThings(engine);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 ? batch(engine, [insert(engine, n, `${n}`)]) : engine.run(insert(engine, n, `${n}`)),
      ),
    );
    expect(started).toEqual(Array(20).fill('write'));
    expect(await ids(engine)).toHaveLength(40);
    folder.remove();
  });

  it('continues after a write that fails', async () => {
    const engine = engineOf(client());
    await makeThings(engine);
    const failing = query(engine, sql`insert into nowhere (id) values (1)`);
    const settled = await Promise.allSettled([
      batch(engine, [insert(engine, 1, 'a'), failing]),
      engine.run(failing),
      batch(engine, [insert(engine, 2, 'b')]),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await ids(engine)).toEqual([2]);
  });

  it.each(['number', 'bigint', 'string'] as const)('counts rows with each type of integers: %s', async (intMode) => {
    const engine = engineOf(client({ intMode }));
    await makeThings(engine);
    expect((await engine.run(insert(engine, 1, 'a', 5))).affected).toBe(1);
    const [row] = await rowsOf(engine, sql`select id, number from things where number = ${5}`);
    expect([String(row?.['id']), String(row?.['number'])]).toEqual(['1', '5']);
    expect((await run(engine, sql`delete from things returning id`)).affected).toBe(1);
  });

  /** Like clients before 0.18: a transaction keeps the connection, and the next statement opens a new one. */
  function forgetful(): Database {
    let current = client();
    const like: LibsqlClient = {
      protocol: 'file',
      execute: (statement) => current.execute(statement),
      async transaction(mode) {
        const transaction = await current.transaction(mode);
        current = client();
        return transaction;
      },
    };
    return Object.assign(like, { batch: () => undefined });
  }
});
