import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { burst, limitedScene, statuses, times } from '../../core/test/rate-limit/scene.ts';
import { rateLimitsSql, SqlRateLimits } from '../src/index.ts';
import type { Opened } from './engines/engines.ts';
import { rowsOf, run } from './engines/things.ts';
import { dialectPlaces } from './place.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): Date => new Date(start + seconds * 1000);
const rule = (seconds: number, limit = 3) => ({ limit, window: 60, now: at(seconds) });

describe.each(dialectPlaces)('counters on $name', (kind) => {
  const held: { opened?: Opened } = {};
  const opened = (): Opened => held.opened as Opened;
  const table = sql.table('auth_rateLimits');
  const rows = () => rowsOf(opened().engine, sql`select * from ${table} order by 1`);

  beforeAll(async () => {
    held.opened = await kind.open();
    await SqlRateLimits(opened().db).cleanup();
  });
  afterEach(() => run(opened().engine, sql`delete from ${table}`));
  afterAll(() => held.opened?.close());

  it('count up to the limit, and return when the next attempt may follow', async () => {
    const counters = SqlRateLimits(opened().db);
    for (const second of [0, 10, 20]) expect(await counters.take('a', rule(second))).toBeNull();
    expect(await counters.take('a', rule(59.999))).toEqual(at(60));
    expect(await counters.take('b', rule(59.999))).toBeNull();
    expect(await counters.take('a', rule(60))).toBeNull();
    expect(await counters.take('a', rule(60))).toEqual(at(70));
  });

  it('give back exactly one counted time', async () => {
    const counters = SqlRateLimits(opened().db);
    for (const second of [0, 0, 10]) await counters.take('a', rule(second));
    await counters.release('a', at(5));
    await counters.release('b', at(0));
    expect(await counters.take('a', rule(10))).toEqual(at(60));
    await counters.release('a', at(0));
    expect(await counters.take('a', rule(10))).toBeNull();
    expect(await counters.take('a', rule(10))).toEqual(at(60));
    for (const second of [0, 10, 10]) await counters.release('a', at(second));
    expect(await rows()).toEqual([]);
  });

  it('never exceed the limit with 200 simultaneous attempts in two processes', async () => {
    const both = [SqlRateLimits(opened().db), SqlRateLimits(opened().db)];
    const taken = await Promise.all(times(200, (index) => both[index % 2]?.take('a', rule(index / 1000, 20))));
    expect(taken.filter((one) => one === null)).toHaveLength(20);
    expect(taken.filter((one) => one instanceof Date)).toHaveLength(180);
    const [row] = await rows();
    expect(String(row?.['taken']).split(' ')).toHaveLength(20);
  });

  it('keep an exact count during simultaneous changes', async () => {
    const counters = SqlRateLimits(opened().db);
    await Promise.all(
      times(50, async (index) => {
        if ((await counters.take('a', rule(index / 1000, 1000))) === null && index % 2)
          await counters.release('a', at(index / 1000));
      }),
    );
    const [row] = await rows();
    const left = times(25, (index) => start + index * 2).join(' ');
    expect(row?.['taken']).toBe(left);
  });

  it('allow twenty of 200 simultaneous sign-ins', async () => {
    const app = limitedScene({ store: SqlRateLimits(opened().db) });
    const pages = await burst(
      app,
      'callback/credentials',
      times(200, () => ({ username: 'ada', password: 'x' })),
    );
    expect(statuses(pages)).toEqual({ 302: 20, 429: 180 });
    expect(app.asked.count).toBe(20);
    expect(app.log.types()).not.toContain('AdapterError');
  });

  it('are deleted when they have expired, automatically and by `cleanup`', async () => {
    const counters = SqlRateLimits(opened().db);
    await counters.take('old', rule(0));
    await counters.take('new', rule(30));
    expect(await counters.cleanup(at(59.999))).toBe(0);
    expect(await counters.cleanup(at(60))).toBe(1);
    expect((await rows()).map(({ counter }) => counter)).toEqual(['new']);
    await counters.take('other', rule(120));
    expect((await rows()).map(({ counter }) => counter)).toEqual(['other']);
  });

  it('have a table that several processes can create at the same time', async () => {
    const name = 'other_limits';
    await Promise.all(times(6, () => SqlRateLimits(opened().db, { table: name }).take('a', rule(0))));
    expect(await rowsOf(opened().engine, sql`select taken from ${sql.table(name)}`)).toEqual([
      { taken: `${start} ${start} ${start}` },
    ]);
    await run(opened().engine, sql`drop table ${sql.table(name)}`);
  });

  it('do not create the table with `migrate: false`, and try again at the next call', async () => {
    const counters = SqlRateLimits(opened().db, { table: 'third_limits', migrate: false });
    await expect(counters.take('a', rule(0))).rejects.toThrow();
    const statements = rateLimitsSql(kind.dialect, 'third_limits').split(';\n').filter(Boolean);
    for (const text of statements) await opened().engine.run({ sql: text, parameters: [] });
    expect(await counters.take('a', rule(0))).toBeNull();
    await run(opened().engine, sql`drop table third_limits`);
  });
});

describe('SqlRateLimits', () => {
  it('refuses an object that is not a database, and an invalid name', () => {
    expect(() => SqlRateLimits({} as never)).toThrow('does not support this database');
    const db = { prepare: () => undefined } as never;
    expect(() => SqlRateLimits(db, { table: 'a;b' })).toThrow("must be a table's name");
    expect(() => rateLimitsSql('sqlite', '"')).toThrow("must be a table's name");
    expect(() => rateLimitsSql('oracle' as never)).toThrow('the dialect must be one of');
  });

  it('returns its statements', () => {
    expect(rateLimitsSql('postgres', 'auth.limits')).toBe(
      `${[
        'create table "auth"."limits" ("counter" text collate "C" not null primary key, "taken" text not null, "expires" bigint not null)',
        'create index "auth_limits_expires" on "auth"."limits" ("expires")',
      ].join(';\n')};\n`,
    );
    expect(rateLimitsSql('sqlite', 'auth.limits')).toContain('create index "auth"."auth_limits_expires" on "limits"');
    expect(rateLimitsSql('mysql')).toContain('engine = InnoDB');
  });
});
