import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { available, postgres } from '../../../../test/services/index.ts';
import { engineOf } from '../../src/database.ts';
import type { Engine } from '../../src/dialect.ts';
import { onPg } from './engines.ts';
import { batch, ids, insert, makeThings, query, rowsOf, run } from './things.ts';

describe.skipIf(!(await available('postgres')))('pg', () => {
  const closing: (() => Promise<void>)[] = [];

  async function open(settings: pg.PoolConfig = {}, prepare = true): Promise<{ db: pg.Pool; engine: Engine }> {
    const { db, close } = onPg(await (await postgres()).fresh(), settings);
    closing.push(close);
    const engine = engineOf(db, { prepare });
    await makeThings(engine);
    return { db, engine };
  }

  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  describe('settings of the application', () => {
    const values = sql`select 1::bigint as "one", 9007199254740993::bigint as "large", true as "yes", 1.5::float8 as "half",
      2::int as "two", 'a'::text as "text", 'b'::varchar as "varchar", ${'0d7a27a0-5b2e-4b1c-8d5e-0a4c2d1b3e4f'}::uuid as "uuid"`;
    const asRead = [
      {
        one: 1,
        large: '9007199254740993',
        yes: true,
        half: 1.5,
        two: 2,
        text: 'a',
        varchar: 'b',
        uuid: '0d7a27a0-5b2e-4b1c-8d5e-0a4c2d1b3e4f',
      },
    ];

    it('do not change values: parsers of the pool', async () => {
      const { engine, db } = await open({ types: { getTypeParser: () => () => 'anything' } });
      expect((await db.query('select 1 as one')).rows).toEqual([{ one: 'anything' }]);
      expect(await rowsOf(engine, values)).toEqual(asRead);
    });

    it('that corrupt numbers are refused', async () => {
      const { engine } = await open({ binary: true } as pg.PoolConfig);
      await expect(rowsOf(engine, values)).rejects.toThrow('Remove its option `binary`');
      await expect(batch(engine, [query(engine, values)])).rejects.toThrow(TypeError);
      await engine.run(insert(engine, 1, 'a'));
    });
  });

  describe('prepared statements', () => {
    const prepared = async (db: pg.Pool): Promise<string[]> =>
      (await db.query('select name from pg_prepared_statements order by name')).rows.map(({ name }) => name);
    const find = (engine: Engine): Promise<unknown[]> => rowsOf(engine, sql`select name from things where id = ${1}`);

    it('are prepared once, with a short name, if they have parameters', async () => {
      const { db, engine } = await open({ max: 1 });
      for (let n = 0; n < 3; n++) await find(engine);
      await batch(engine, [query(engine, sql`select name from things where id = ${2}`)]);
      await run(engine, sql`select name from things`);
      const names = await prepared(db);
      expect(names).toEqual([expect.stringMatching(/^latchkey_\w{1,54}$/)]);
      // Another adapter of the pool uses the same name.
      await find(engineOf(db));
      expect(await prepared(db)).toEqual(names);
    });

    it('are not prepared with `prepare: false`', async () => {
      const { db, engine } = await open({ max: 1 }, false);
      await find(engine);
      await batch(engine, [insert(engine, 1, 'a')]);
      expect(await prepared(db)).toEqual([]);
    });

    it('are not prepared any more after a pooler has lost one', async () => {
      const { db, engine } = await open({ max: 1 });
      await find(engine);
      await db.query('deallocate all');
      expect(await find(engine)).toEqual([]);
      expect(await prepared(db)).toEqual([]);
      await batch(engine, [insert(engine, 1, 'a')]);
      expect(await find(engine)).toEqual([{ name: 'a' }]);
      expect(await prepared(db)).toEqual([]);
    });

    it('are not prepared any more after a pooler has lost one in a transaction', async () => {
      const { db, engine } = await open({ max: 1 });
      await batch(engine, [insert(engine, 1, 'a')]);
      await db.query('deallocate all');
      await batch(engine, [query(engine, sql`delete from things`), insert(engine, 2, 'b')]);
      expect(await ids(engine)).toEqual([2]);
      expect(await prepared(db)).toEqual([]);
    });

    it('are not prepared any more after a pooler has lost those of many callers', async () => {
      const { db, engine } = await open();
      const many = (count: number): Promise<unknown[]> =>
        Promise.all(Array.from({ length: count }, () => find(engine)));
      await many(20);
      const clients = await Promise.all(Array.from({ length: 4 }, () => db.connect()));
      for (const client of clients) await client.query('deallocate all');
      for (const client of clients) client.release();
      expect(await many(20)).toEqual(Array(20).fill([]));
    });

    it('are not prepared any more if a connection of a pooler already has one', async () => {
      const { db, engine } = await open({ max: 1 });
      await find(engine);
      const [name] = await prepared(db);
      const other = new pg.Pool({
        ...db.options,
        onConnect: async (client) => {
          await client.query(`prepare "${name}" as select 'not what was asked for' as name`);
        },
      });
      try {
        expect(await find(engineOf(other))).toEqual([]);
      } finally {
        await other.end();
      }
    });

    it('are prepared again if the type of a column changes', async () => {
      const { db, engine } = await open({ max: 1 });
      await engine.run(insert(engine, 1, 'a'));
      expect(await find(engine)).toEqual([{ name: 'a' }]);
      await db.query('alter table things alter column name type varchar(100)');
      expect(await find(engine)).toEqual([{ name: 'a' }]);
      await db.query('alter table things alter column name type text');
      const results = await batch(engine, [
        insert(engine, 2, 'b'),
        query(engine, sql`select name from things where id = ${1}`),
      ]);
      expect(results[1]?.rows).toEqual([{ name: 'a' }]);
      expect(await prepared(db)).not.toEqual([]);
    });
  });

  describe('connections', () => {
    const die = sql`select pg_terminate_backend(pg_backend_pid())`;

    const pidOf = async (engine: Engine): Promise<unknown> =>
      (await rowsOf(engine, sql`select pg_backend_pid() as pid`))[0]?.['pid'];

    it('all return to the pool', async () => {
      const { db, engine } = await open();
      const failing = query(engine, sql`insert into nowhere (id) values (${1})`);
      await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) =>
          batch(engine, n % 2 ? [insert(engine, n, `${n}`)] : [insert(engine, n, `${n}`), failing]),
        ),
      );
      expect(await ids(engine)).toHaveLength(25);
      expect([db.waitingCount, db.totalCount]).toEqual([0, 4]);
      expect(db.idleCount).toBe(4);
    });

    it('that break while idle do not end the process, and are replaced', async () => {
      const { db, engine } = await open();
      expect(db.listenerCount('error')).toBe(1);
      await Promise.all([1, 2, 3, 4].map((id) => batch(engine, [insert(engine, id, `${id}`)])));
      expect(db.idleCount).toBe(4);
      const removed = new Promise<void>((resolve) => {
        db.on('remove', () => db.totalCount === 0 && resolve());
      });
      const killer = new pg.Client(db.options as pg.ClientConfig);
      await killer.connect();
      await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await killer.end();
      await removed;
      expect(await ids(engine)).toEqual([1, 2, 3, 4]);
    });

    it('that break in a transaction are reported, and nothing is written', async () => {
      const { db, engine } = await open();
      let attempts = 0;
      const broken = batch(engine, [
        insert(engine, 1, 'a'),
        () => {
          attempts++;
          return query(engine, die);
        },
        insert(engine, 2, 'b'),
      ]);
      await expect(broken).rejects.toMatchObject({ code: '57P01' });
      expect(attempts).toBe(1);
      expect(await ids(engine)).toEqual([]);
      for (let n = 0; n < 10; n++) await batch(engine, [insert(engine, n, `${n}`)]);
      expect(db.idleCount).toBe(db.totalCount);
    });

    it('that are still busy after a failed transaction do not return to the pool', async () => {
      const { db, engine } = await open({ max: 1, query_timeout: 300 });
      const first = await pidOf(engine);
      const slow = batch(engine, [insert(engine, 1, 'a'), query(engine, sql`select pg_sleep(1)`)]);
      await expect(slow).rejects.toThrow('timeout');
      expect(await pidOf(engine)).not.toBe(first);
      expect(await ids(engine)).toEqual([]);
      expect(db.totalCount).toBe(1);
    });

    it('that break in a single statement are reported', async () => {
      const { engine } = await open();
      await expect(run(engine, die)).rejects.toMatchObject({ code: '57P01' });
      expect(await ids(engine)).toEqual([]);
    });

    it('that break during a commit are reported, and the transaction does not run again', async () => {
      const { db, engine } = await open();
      await db.query(`
        create function die() returns trigger language plpgsql as $$
          begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
        create constraint trigger die after insert on things deferrable initially deferred
          for each row execute function die()`);
      let attempts = 0;
      const broken = batch(engine, [
        () => {
          attempts++;
          return insert(engine, 1, 'a');
        },
      ]);
      await expect(broken).rejects.toMatchObject({ code: '57P01' });
      expect(attempts).toBe(1);
      expect(await ids(engine)).toEqual([]);
    });

    it("keep the application's own listener", async () => {
      const { db } = await open();
      db.removeAllListeners('error');
      const heard: Error[] = [];
      db.on('error', (error) => heard.push(error));
      const engine = engineOf(db);
      engineOf(db);
      expect(db.listenerCount('error')).toBe(1);
      expect(await ids(engine)).toEqual([]);
    });
  });

  describe('transactions', () => {
    it('that cannot be serialized run again', async () => {
      const { engine } = await open({ options: '-c default_transaction_isolation=serializable' });
      await engine.run(insert(engine, 1, 'a', 0));
      let attempts = 0;
      const increment = (): Promise<unknown> =>
        batch(engine, [
          query(engine, sql`select number from things where id = ${1}`),
          (before) => {
            attempts++;
            return query(
              engine,
              sql`update things set number = ${Number(before[0]?.rows[0]?.['number']) + 1} where id = ${1}`,
            );
          },
        ]);
      await Promise.all(Array.from({ length: 20 }, increment));
      expect(await rowsOf(engine, sql`select number from things`)).toEqual([{ number: 20 }]);
      expect(attempts).toBeGreaterThan(20);
    });

    it('find tables in another schema', async () => {
      const { db, engine } = await open();
      await db.query(
        'create schema "My Auth"; create table "My Auth"."Users" (id int primary key, "eMail" text unique, gone int)',
      );
      await db.query('alter table "My Auth"."Users" drop column gone');
      const { rows } = await engine.run(engine.dialect.columnsOf('My Auth.Users'));
      expect(rows.map(({ name }) => name)).toEqual(['id', 'eMail']);
      expect((await engine.run(engine.dialect.columnsOf('Users'))).rows).toEqual([]);
      const indexes = (await engine.run(engine.dialect.indexesOf('My Auth.Users'))).rows;
      expect(indexes).toMatchObject([
        { column: 'eMail', position: 0, unique: 1 },
        { column: 'id', position: 0, unique: 1 },
      ]);
    });

    it('distinguish the key of an index from its included columns', async () => {
      const { db, engine } = await open();
      await db.query('create unique index carrying on things (number) include (name)');
      const { rows } = await engine.run(engine.dialect.indexesOf('things'));
      expect(rows.filter(({ index }) => index === 'carrying')).toEqual([
        { index: 'carrying', column: 'number', position: 0, unique: 1 },
      ]);
    });
  });
});
