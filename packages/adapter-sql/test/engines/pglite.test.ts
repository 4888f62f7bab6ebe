import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engineOf } from '../../src/database.ts';
import { emptyDatabase, openPglite } from './pglites.ts';
import { batch, ids, insert, makeThings, query, rowsOf } from './things.ts';

describe('PGlite', () => {
  it('reads and writes the same values with settings of the application', async () => {
    const anything = Object.fromEntries(
      [16, 20, 23, 25, 701, 1043, 1114, 1184, 2950].map((type) => [type, () => 'anything']),
    );
    const loadDataDir = await emptyDatabase();
    const db = await PGlite.create({ parsers: anything, serializers: anything, loadDataDir });
    const engine = engineOf(db);
    const { dialect } = engine;
    for (const type of ['timestamp(3)', 'timestamptz(3)']) {
      await db.exec(`set time zone 'Asia/Kolkata'; drop table if exists things`);
      await makeThings(engine, type);
      const at = new Date('2026-03-01T12:00:00.123Z');
      await batch(engine, [
        insert(engine, 1, 'a', 5),
        query(engine, sql`update things set at = ${dialect.dateIn(at)}`),
      ]);
      const read = sql`select id, name, number, ${dialect.dateOf(sql.ref('at'))} as at, id = ${1} as yes from things where name = ${'a'}`;
      expect(await rowsOf(engine, read)).toEqual([{ id: 1, name: 'a', number: 5, at: at.getTime(), yes: true }]);
    }
    await db.close();
  });

  it('waits for a transaction of the application', async () => {
    const { db, close } = await openPglite();
    const engine = engineOf(db);
    await makeThings(engine);
    const theirs = db.transaction(async (transaction) => {
      await transaction.query(`insert into things (id, name) values (1, 'a')`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('rolled back');
    });
    const ours = batch(engine, [insert(engine, 2, 'b')]);
    await expect(theirs).rejects.toThrow('rolled back');
    await ours;
    expect(await ids(engine)).toEqual([2]);
    await close();
  });
});
