import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine, Result } from '../../src/dialect.ts';
import { UniqueViolation } from '../../src/errors.ts';
import { engines, type Opened } from './engines.ts';
import { batch, ids, insert, makeThings, query, rowsOf, run } from './things.ts';

describe.each(engines.filter(({ isAvailable }) => isAvailable))('$name', ({ open, dialect }) => {
  let opened: Opened;
  let engine: Engine;

  beforeEach(async () => {
    opened = await open();
    engine = opened.engine;
    await makeThings(engine);
  });

  afterEach(() => opened.close());

  it('has its dialect', () => {
    expect(engine.dialect.name).toBe(dialect);
  });

  it('returns rows, and counts written rows', async () => {
    expect(await run(engine, sql`insert into things (id, name) values (1, 'a'), (2, ${'b'})`)).toMatchObject({
      rows: [],
      affected: 2,
    });
    expect(await rowsOf(engine, sql`select id, name, note from things where id > ${0} order by id`)).toEqual([
      { id: 1, name: 'a', note: null },
      { id: 2, name: 'b', note: null },
    ]);
    expect((await run(engine, sql`select id from things where id = ${1}`)).affected).toBe(0);
    expect((await run(engine, sql`select id from things`)).affected).toBe(0);
    expect((await run(engine, sql`update things set note = ${'c'}`)).affected).toBe(2);
    expect((await run(engine, sql`delete from things where id = ${3}`)).affected).toBe(0);
    expect(await run(engine, sql`delete from things where id = ${2}`)).toMatchObject({ rows: [], affected: 1 });
  });

  it('counts a row that an update does not change', async () => {
    await engine.run(insert(engine, 1, 'a'));
    expect((await run(engine, sql`update things set name = ${'a'} where id = ${1}`)).affected).toBe(1);
  });

  it('accepts null', async () => {
    await engine.run(insert(engine, 1, 'a', null));
    expect(await rowsOf(engine, sql`select number from things`)).toEqual([{ number: null }]);
    expect(await rowsOf(engine, sql`select id from things where name = ${null}`)).toEqual([]);
  });

  it('returns written rows if the dialect can', async () => {
    if (!engine.dialect.returning) {
      await expect(run(engine, sql`update things set number = 1 where id = ${1} returning id`)).rejects.toThrow();
      return;
    }
    const inserted = await run(engine, sql`insert into things (id, name) values (${1}, 'a') returning id, name`);
    expect(inserted.affected).toBe(1);
    expect(inserted.rows.map((row) => ({ ...row }))).toEqual([{ id: 1, name: 'a' }]);
    expect(await run(engine, sql`delete from things where id = ${2} returning id`)).toMatchObject({
      rows: [],
      affected: 0,
    });
  });

  it('runs a batch in order, and passes the previous results to a step', async () => {
    const seen: number[][] = [];
    const results = await batch(
      engine,
      [
        insert(engine, 1, 'a'),
        query(engine, sql`select id, name from things where name = ${'a'}`),
        (before) => query(engine, sql`update things set note = ${String(before[1]?.rows[0]?.['name'])}`),
        () => null,
        (before) => {
          seen.push(before.map(({ affected }) => affected));
          return query(engine, sql`delete from things where id = ${7}`);
        },
      ],
      (all) => seen.push(all.map(({ affected }) => affected)),
    );
    expect(results.map(({ affected }) => affected)).toEqual([1, 0, 1, 0, 0]);
    expect(results.map(({ rows }) => rows.length)).toEqual([0, 1, 0, 0, 0]);
    expect(seen).toEqual([
      [1, 0, 1, 0],
      [1, 0, 1, 0, 0],
    ]);
    expect(await rowsOf(engine, sql`select note from things`)).toEqual([{ note: 'a' }]);
  });

  it('runs a batch completely or not at all', async () => {
    const missing = query(engine, sql`insert into nowhere (id) values (1)`);
    const failed = batch(engine, [insert(engine, 1, 'a'), missing, insert(engine, 2, 'b')]);
    await expect(failed).rejects.toThrow();
    await expect(failed).rejects.not.toBeInstanceOf(UniqueViolation);
    expect(await ids(engine)).toEqual([]);
    await batch(engine, [insert(engine, 1, 'a'), insert(engine, 2, 'b')]);
    expect(await ids(engine)).toEqual([1, 2]);
  });

  it('rolls back a batch whose check or step throws', async () => {
    const refusal = new Error('no user');
    const refuse = (): never => {
      throw refusal;
    };
    await expect(batch(engine, [insert(engine, 1, 'a')], refuse)).rejects.toBe(refusal);
    await expect(batch(engine, [insert(engine, 1, 'a'), refuse])).rejects.toBe(refusal);
    expect(await ids(engine)).toEqual([]);
    await engine.run(insert(engine, 1, 'a'));
    expect(await ids(engine)).toEqual([1]);
  });

  it('reports the violated key without its value', async () => {
    const value = `secret 'for key' "x"`;
    await engine.run(insert(engine, 1, value));
    const attempts: (() => unknown)[] = [
      () => engine.run(insert(engine, 2, value)),
      () => batch(engine, [insert(engine, 3, 'other'), insert(engine, 4, value)]),
    ];
    for (const attempt of attempts) {
      const error = await thrownBy(attempt);
      expect(error).toBeInstanceOf(UniqueViolation);
      expect(error.message).toMatch(/^a row with the same key exists \((things\.name|(things\.)?things_name)\)$/);
      expect(error.cause).toBeInstanceOf(Error);
    }
    expect(await thrownBy(() => engine.run(insert(engine, 1, 'primary')))).toBeInstanceOf(UniqueViolation);
    expect(await ids(engine)).toEqual([1]);
  });

  it('rejects with other errors of the driver', async () => {
    const error = await thrownBy(() => run(engine, sql`select id from nowhere where id = ${1}`));
    expect(error.message).toMatch(/nowhere/);
    expect(error).not.toBeInstanceOf(UniqueViolation);
  });

  it('isolates the batches of simultaneous callers', async () => {
    const odd = new Error('odd');
    const work = (n: number): Promise<readonly Result[]> =>
      batch(
        engine,
        [
          insert(engine, 2 * n, `${n}`),
          query(engine, sql`select name from things where id = ${2 * n}`),
          (before) => insert(engine, 2 * n + 1, `${before[1]?.rows[0]?.['name']} again`),
        ],
        (results) => {
          expect(results[1]?.rows.map(({ name }) => name)).toEqual([`${n}`]);
          if (n % 2) throw odd;
        },
      );
    const settled = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => work(n)));
    expect(settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toEqual(Array(25).fill(odd));
    const kept = Array.from({ length: 50 }, (_, n) => n).filter((n) => n % 2 === 0);
    expect(await ids(engine)).toEqual(kept.flatMap((n) => [2 * n, 2 * n + 1]));
  });

  it('reads during writes', async () => {
    await engine.run(insert(engine, 0, 'zero', 0));
    const increment = query(engine, sql`update things set number = number + 1 where id = ${0}`);
    const reading = (): Promise<unknown> => rowsOf(engine, sql`select number from things where id = ${0}`);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 ? reading() : batch(engine, [increment, insert(engine, n + 1, `${n}`)]),
      ),
    );
    const [row] = await rowsOf(engine, sql`select number from things where id = 0`);
    expect(Number(row?.['number'])).toBe(20);
  });

  it('returns each connection to the pool', async () => {
    const failing = [insert(engine, 1, 'a'), query(engine, sql`insert into nowhere (id) values (1)`)];
    for (let n = 0; n < 10; n++) await expect(batch(engine, failing)).rejects.toThrow();
    for (let n = 0; n < 10; n++) await expect(run(engine, sql`select ${n} from nowhere`)).rejects.toThrow();
    await batch(engine, [insert(engine, 1, 'a')]);
    expect(await ids(engine)).toEqual([1]);
  });
});

async function thrownBy(work: () => unknown): Promise<Error> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
