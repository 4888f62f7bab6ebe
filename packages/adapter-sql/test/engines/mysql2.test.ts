import { sql } from 'kysely';
import mysqlWithCallbacks from 'mysql2';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { available, mariadb } from '../../../../test/services/index.ts';
import { engineOf } from '../../src/database.ts';
import type { Engine } from '../../src/dialect.ts';
import { onMysql } from './engines.ts';
import { batch, ids, insert, makeThings, query, rowsOf, run } from './things.ts';

describe.skipIf(!(await available('mariadb')))('mysql2', () => {
  const closing: (() => Promise<void>)[] = [];

  async function open(settings: mysql.PoolOptions = {}): Promise<{ db: mysql.Pool; engine: Engine; url: string }> {
    const fresh = await (await mariadb()).fresh();
    const { db, engine, close } = onMysql(fresh, settings);
    closing.push(close);
    await makeThings(engine);
    return { db, engine, url: fresh.url };
  }

  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const settings: [string, mysql.PoolOptions][] = [
    ['none', {}],
    ['rows as arrays', { rowsAsArray: true }],
    ['rows by table', { nestTables: true }],
    ['parameters by name', { namedPlaceholders: true }],
    ['dates as text', { dateStrings: true, timezone: '+09:00' }],
    ['values as bytes', { typeCast: false }],
    ['values as it likes', { typeCast: () => 'anything' }],
    ['rows read without eval', { disableEval: true }],
  ];

  it.each(settings)('reads the same values with a setting of the application: %s', async (_, options) => {
    const { engine } = await open(options);
    const { dialect } = engine;
    const at = new Date('2026-03-01T12:00:00.123Z');
    await run(
      engine,
      sql`insert into things (id, name, number, at) values (1, ':id ?', ${9e15}, ${dialect.dateIn(at)})`,
    );
    const read = sql`select id, name, note, number, ${dialect.dateOf(sql.ref('at'))} as at from things`;
    const asRead = { id: 1, name: ':id ?', note: null, number: 9e15, at: '2026-03-01T12:00:00.123000' };
    expect(await rowsOf(engine, read)).toEqual([asRead]);
    expect(await rowsOf(engine, sql.raw(`select ':id ?' as name`))).toEqual([{ name: ':id ?' }]);
    expect(await rowsOf(engine, sql`${read} where id = ${1}`)).toEqual([asRead]);
    const results = await batch(engine, [query(engine, sql`${read} where id = ${1}`)]);
    expect(results[0]?.rows.map((row) => ({ ...row }))).toEqual([asRead]);
  });

  it.each([{}, { supportBigNumbers: true, bigNumberStrings: true }])(
    'keeps all digits of large numbers: %o',
    async (options) => {
      const { engine } = await open(options);
      await run(
        engine,
        sql.raw(
          'create table made (id bigint auto_increment primary key, name varchar(9)) auto_increment = 9007199254740993',
        ),
      );
      expect((await run(engine, sql`insert into made (name) values (${'a'})`)).insertId).toBe('9007199254740993');
      expect(await rowsOf(engine, sql`select id from made where id = ${'9007199254740993'}`)).toEqual([
        { id: '9007199254740993' },
      ]);
    },
  );

  it('counts matched rows, even if the pool counts changed rows', async () => {
    const { db, engine } = await open({ flags: ['-FOUND_ROWS'] });
    await batch(engine, [insert(engine, 1, 'a', 1), insert(engine, 2, 'b', 2), insert(engine, 3, 'c', 3)]);
    const [header] = await db.query<mysql.ResultSetHeader>('update things set number = 2 where id < 3');
    expect(header.affectedRows).toBe(1);
    expect((await run(engine, sql`update things set number = ${2} where id < ${3}`)).affected).toBe(2);
    expect((await run(engine, sql`update things set number = ${2} where id = ${9}`)).affected).toBe(0);
    expect((await run(engine, sql`delete from things where id < ${3}`)).affected).toBe(2);
  });

  it('does not prepare statements over the catalog, which crash MariaDB, for any name of a table', async () => {
    const { db, engine } = await open();
    const odd = `it's \\ "odd" ? :name \u00e9`;
    await db.query(`create table ${mysql.escapeId(odd)} (id integer primary key)`);
    const prepared = vi.spyOn(db, 'execute');
    const { columnsOf, indexesOf } = engine.dialect;
    expect((await engine.run(columnsOf('things'))).rows.length).toBeGreaterThan(1);
    expect((await engine.run(columnsOf(odd))).rows).toMatchObject([{ name: 'id' }]);
    expect((await engine.run(indexesOf(odd))).rows).toMatchObject([{ index: 'PRIMARY', column: 'id' }]);
    expect(prepared).not.toHaveBeenCalled();
    await rowsOf(engine, sql`select id from things where id = ${1}`);
    expect(prepared).toHaveBeenCalledOnce();
  });

  it('accepts a pool with callbacks', async () => {
    const fresh = await (await mariadb()).fresh();
    const pool = mysqlWithCallbacks.createPool({ uri: fresh.url, connectionLimit: 1 });
    closing.push(async () => {
      await pool.promise().end();
      await fresh.drop();
    });
    const engine = engineOf(pool);
    await makeThings(engine);
    await batch(engine, [insert(engine, 1, 'a')]);
    expect(await ids(engine)).toEqual([1]);
  });

  it('stores the longest accepted text completely, in a server that cuts longer text', async () => {
    const { db, engine } = await open({ connectionLimit: 1 });
    await db.query(`set sql_mode = ''`);
    const longest = '€'.repeat(333_333);
    expect(engine.dialect.storable(longest, 'text')).toBe(true);
    expect(engine.dialect.storable(`${longest}€`, 'text')).toBe(false);
    await run(engine, sql`insert into things (id, name, note) values (1, ${'😀'.repeat(255)}, ${longest})`);
    const [row] = await rowsOf(engine, sql`select name, note from things`);
    expect(row).toEqual({ name: '😀'.repeat(255), note: longest });
  });

  it('finds a date with microseconds in a server that rounds', async () => {
    const { db, engine } = await open({ connectionLimit: 1 });
    const { dialect } = engine;
    // As MySQL always does.
    await db.query(`set sql_mode = 'TIME_ROUND_FRACTIONAL'`);
    await db.query('alter table things modify at datetime(6)');
    await db.query(`insert into things (id, name, at) values (1, 'a', '2026-03-01 12:00:00.123999')`);
    const at = dialect.dateIn(new Date('2026-03-01T12:00:00.123Z'));
    expect(
      await rowsOf(engine, sql`select id from things where ${dialect.toMillisecond(sql.ref('at'))} = ${at}`),
    ).toEqual([{ id: 1 }]);
  });

  it('finds a table of another database', async () => {
    const { db, engine } = await open();
    const [[row]] = await db.query<RowDataPacket[]>('select database() as name');
    const { rows } = await engine.run(engine.dialect.columnsOf(`${row?.['name']}.things`));
    expect(rows).toHaveLength(5);
    expect((await engine.run(engine.dialect.indexesOf(`${row?.['name']}.things`))).rows).toHaveLength(2);
    expect((await engine.run(engine.dialect.columnsOf('mysql.things'))).rows).toEqual([]);
  });

  it('runs a transaction again after a lock wait timeout', async () => {
    const { db, engine } = await open();
    await engine.run(insert(engine, 1, 'a', 0));
    const holder = await db.getConnection();
    await holder.beginTransaction();
    await holder.query('update things set number = 1');
    let attempts = 0;
    const waiting = batch(engine, [
      query(engine, sql`set innodb_lock_wait_timeout = 1`),
      () => {
        attempts++;
        return query(engine, sql`update things set number = number + 1 where id = ${1}`);
      },
      query(engine, sql`set innodb_lock_wait_timeout = 50`),
    ]);
    await expect.poll(() => attempts).toBe(2);
    await holder.commit();
    holder.release();
    await waiting;
    expect(await rowsOf(engine, sql`select number from things`)).toEqual([{ number: 2 }]);
  });

  describe('connections', () => {
    it('that break in a transaction are reported, and nothing is written', async () => {
      const { engine } = await open();
      for (let n = 0; n < 6; n++) {
        let attempts = 0;
        const broken = batch(engine, [
          insert(engine, 1, 'a'),
          () => {
            attempts++;
            return query(engine, sql`kill connection_id()`);
          },
          insert(engine, 2, 'b'),
        ]);
        await expect(broken).rejects.toThrow();
        expect(attempts).toBe(1);
      }
      expect(await ids(engine)).toEqual([]);
      await Promise.all([1, 2, 3, 4, 5].map((n) => batch(engine, [insert(engine, n, `${n}`)])));
      expect(await ids(engine)).toEqual([1, 2, 3, 4, 5]);
    });

    it('that break while idle do not end the process, and are replaced', async () => {
      const { engine, url } = await open();
      await Promise.all([1, 2, 3, 4].map((id) => batch(engine, [insert(engine, id, `${id}`)])));
      const killer = await mysql.createConnection(url);
      const [processes] = await killer.query<RowDataPacket[]>(
        'select id from information_schema.processlist where db = database() and id <> connection_id()',
      );
      expect(processes.length).toBeGreaterThan(0);
      for (const { id } of processes) await killer.query(`kill ${id}`);
      await killer.end();
      await expect.poll(() => ids(engine)).toEqual([1, 2, 3, 4]);
    });

    it('all return to the pool', async () => {
      const { db, engine } = await open();
      const failing = query(engine, sql`insert into nowhere (id) values (${1})`);
      await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) =>
          batch(engine, n % 2 ? [insert(engine, n, `${n}`)] : [insert(engine, n, `${n}`), failing]),
        ),
      );
      const all = await Promise.all(Array.from({ length: 4 }, () => db.getConnection()));
      for (const connection of all) connection.release();
      expect(await ids(engine)).toHaveLength(25);
    });
  });
});
