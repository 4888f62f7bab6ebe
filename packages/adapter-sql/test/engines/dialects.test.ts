import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DialectName, Engine } from '../../src/dialect.ts';
import { engines, type Opened } from './engines.ts';
import { hostileTexts } from './hostile-texts.ts';
import { batch, insert, makeThings, rowsOf, run } from './things.ts';

/** Types of date columns in databases of other libraries. */
const dateTypes = {
  sqlite: ['text', 'datetime'],
  postgres: ['timestamptz(3)', 'timestamp(3)', 'timestamptz', 'timestamp'],
  mysql: ['datetime(3)', 'timestamp(3) null', 'datetime(6)'],
};

/** Tells whether a dialect refuses a key. */
const REFUSED: Readonly<Record<DialectName, (text: string) => boolean>> = {
  sqlite: (text) => isHalf(text) || text.includes('\0'),
  postgres: (text) => isHalf(text) || text.includes('\0') || Buffer.byteLength(text) > 1200,
  mysql: (text) => isHalf(text) || text.endsWith(' ') || [...text].length > 255,
};

describe.each(engines.filter(({ isAvailable }) => isAvailable))('$name', ({ name: kind, open, dialect: name }) => {
  const losesMark = (text: string): boolean => kind === 'PGlite' && text.startsWith('\ufeff');
  let opened: Opened;
  let engine: Engine;

  beforeAll(async () => {
    opened = await open();
    engine = opened.engine;
  });

  afterAll(() => opened.close());

  beforeEach(async () => {
    for (const table of ['things', 'made', 'Others']) await run(engine, sql`drop table if exists ${sql.table(table)}`);
  });

  it.each(dateTypes[name])('stores dates with milliseconds in a column of the type %s', async (type) => {
    await makeThings(engine, type);
    const { dialect } = engine;
    const dates = [
      '2026-03-01T12:00:00.123Z',
      '2026-03-29T01:30:00.001Z',
      '1999-12-31T23:59:59.999Z',
      '2037-12-31T23:59:59.001Z',
    ];
    const wide = ['1900-01-01T00:00:00.007Z', '9999-12-31T23:59:59.999Z', '1000-01-01T00:00:00.001Z'];
    for (const text of type.startsWith('timestamp(3) null') ? dates : [...dates, ...wide]) {
      const date = new Date(text);
      await run(engine, sql`insert into things (id, name, at) values (1, 'a', ${dialect.dateIn(date)})`);
      const [row] = await rowsOf(engine, sql`select ${dialect.dateOf(sql.ref('at'))} as at from things`);
      expect(dialect.dateOut(row?.['at'])).toEqual(date);
      const later = dialect.dateIn(new Date(date.getTime() - 1));
      expect(await rowsOf(engine, sql`select id from things where at > ${later}`)).toHaveLength(1);
      expect(await rowsOf(engine, sql`select id from things where at > ${dialect.dateIn(date)}`)).toHaveLength(0);
      expect(
        await rowsOf(
          engine,
          sql`select id from things where ${dialect.toMillisecond(sql.ref('at'))} = ${dialect.dateIn(date)}`,
        ),
      ).toHaveLength(1);
      await run(engine, sql`delete from things`);
    }
  });

  // SQLite stores dates as text.
  if (name !== 'sqlite') {
    it('truncates dates to milliseconds, and finds them again', async () => {
      const { dialect } = engine;
      await makeThings(engine, name === 'mysql' ? 'datetime(6)' : 'timestamptz');
      for (const [written, read] of [
        ['2026-03-01 12:00:00.123999', '2026-03-01T12:00:00.123Z'],
        ['2026-03-01 12:00:00.9996', '2026-03-01T12:00:00.999Z'],
        ['1969-12-31 23:59:59.1239', '1969-12-31T23:59:59.123Z'],
      ]) {
        const zone = name === 'mysql' ? '' : '+00';
        await run(engine, sql`insert into things (id, name, at) values (1, 'a', ${sql.lit(written + zone)})`);
        const [row] = await rowsOf(engine, sql`select ${dialect.dateOf(sql.ref('at'))} as at from things`);
        const date = dialect.dateOut(row?.['at']);
        expect(date?.toISOString()).toBe(read);
        const found = sql`select id from things where ${dialect.toMillisecond(sql.ref('at'))} = ${dialect.dateIn(date as Date)}`;
        expect(await rowsOf(engine, found)).toHaveLength(1);
        await run(engine, sql`delete from things`);
      }
    });
  }

  it('refuses dates outside its range', () => {
    const { dateIn } = engine.dialect;
    const first = { sqlite: '0000', postgres: '0001', mysql: '1000' }[name];
    expect(dateIn(new Date(`${first}-01-01T00:00:00Z`))).toMatch(new RegExp(`^${first}-01-01`));
    expect(dateIn(new Date(Date.parse(`${first}-01-01T00:00:00Z`) - 1))).toBeNull();
    expect(dateIn(new Date('9999-12-31T23:59:59.999Z'))).toMatch(/^9999/);
    expect(dateIn(new Date(Date.UTC(10_000, 0, 1)))).toBeNull();
    expect(dateIn(new Date(Number.NaN))).toBeNull();
  });

  it('does not read a date from other values', () => {
    const { dateOut } = engine.dialect;
    for (const value of [
      null,
      undefined,
      '',
      ' ',
      'soon',
      true,
      {},
      Number.NaN,
      Number.POSITIVE_INFINITY,
      9e15,
      '2026-13-41T00:00:00.000Z',
      '2026-02-31T00:00:00.000Z',
      '2026-02-31T00:00:00.000000',
      '0000-00-00T00:00:00.000000',
    ])
      expect(dateOut(value), String(value)).toBeNull();
    const noon = new Date('2026-03-01T12:00:00.123Z');
    for (const value of [noon.getTime(), BigInt(noon.getTime()), String(noon.getTime())])
      expect(dateOut(value)).toEqual(noon);
  });

  it('stores and distinguishes each text, or refuses it', async () => {
    await makeThings(engine);
    const { dialect } = engine;
    const kept = hostileTexts.filter((text) => dialect.storable(text, 'key'));
    const refused = hostileTexts.filter((text) => !dialect.storable(text, 'key'));
    expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
    expect(refused).toEqual(hostileTexts.filter((text) => REFUSED[name](text) || losesMark(text)));
    for (const [id, text] of kept.entries()) await engine.run(insert(engine, id, text));
    for (const [id, text] of kept.entries())
      expect(await rowsOf(engine, sql`select id, name from things where name = ${text}`)).toEqual([{ id, name: text }]);
    const notes = hostileTexts.filter((text) => dialect.storable(text, 'text'));
    expect(notes).toEqual(
      hostileTexts.filter((text) => !isHalf(text) && (name === 'mysql' || !text.includes('\0')) && !losesMark(text)),
    );
    for (const text of notes) {
      await run(engine, sql`update things set note = ${text} where id = 0`);
      expect(await rowsOf(engine, sql`select note from things where id = 0`)).toEqual([{ note: text }]);
    }
  });

  it('creates tables with each type of id, and the database makes the ids that it can', async () => {
    for (const [type, { link, given, generated }] of Object.entries(engine.dialect.ids)) {
      const table = sql.table(`given_${type}`);
      await run(
        engine,
        sql.raw(
          `create table given_${type} (id ${given} not null primary key, other ${link}) ${engine.dialect.tableSuffix}`,
        ),
      );
      const id = type === 'uuid' ? '0d7a27a0-5b2e-4b1c-8d5e-0a4c2d1b3e4f' : '7';
      await run(engine, sql`insert into ${table} (id, other) values (${id}, ${id})`);
      const [row] = await rowsOf(engine, sql`select id, other from ${table} where id = ${id} and other = ${id}`);
      expect([String(row?.['id']), String(row?.['other'])]).toEqual([id, id]);
      await run(engine, sql`drop table ${table}`);
      if (generated === null) continue;
      const made = sql.table(`made_${type}`);
      await run(
        engine,
        sql.raw(
          `create table made_${type} (id ${generated} primary key, name varchar(9)) ${engine.dialect.tableSuffix}`,
        ),
      );
      const answer = await run(engine, sql`insert into ${made} (name) values (${'a'})`);
      const [{ id: first } = {}] = await rowsOf(engine, sql`select id from ${made}`);
      expect(String(first)).toMatch(type === 'uuid' ? /^[0-9a-f-]{36}$/ : /^1$/);
      if (!engine.dialect.returning) expect(answer.insertId).toBe('1');
      await run(engine, sql`drop table ${made}`);
    }
  });

  it('stores booleans', async () => {
    const { dialect } = engine;
    await run(
      engine,
      sql.raw(`create table made (id integer, yes ${dialect.types.boolean}, no ${dialect.types.boolean})`),
    );
    await run(
      engine,
      sql`insert into made (id, yes, no) values (1, ${dialect.booleanIn(true)}, ${dialect.booleanIn(false)})`,
    );
    expect(await rowsOf(engine, sql`select id from made where yes = ${dialect.booleanIn(true)}`)).toHaveLength(1);
    const [row] = await rowsOf(engine, sql`select yes, no from made`);
    expect([row?.['yes'], row?.['no']].map(Number)).toEqual([1, 0]);
  });

  it('lists the columns and indexes of a table', async () => {
    const { dialect } = engine;
    const { key } = dialect.types;
    await run(
      engine,
      sql.raw(
        `create table ${quoted(name, 'Others')} (id integer not null primary key, a ${key}, ${quoted(name, 'bC')} ${key}, d ${key}) ${dialect.tableSuffix}`,
      ),
    );
    await run(engine, sql`create unique index one on ${sql.table('Others')} (${sql.ref('bC')}, ${sql.ref('a')})`);
    await run(engine, sql`create index two on ${sql.table('Others')} (${sql.ref('d')})`);
    expect(await columnsOf(engine, 'Others')).toEqual(['a', 'bC', 'd', 'id']);
    const indexes = await indexesOf(engine, 'Others');
    expect(indexes.filter(({ columns }) => columns.join() !== 'id')).toEqual([
      { index: 'one', columns: ['bC', 'a'], unique: 1 },
      { index: 'two', columns: ['d'], unique: 0 },
    ]);
    expect(indexes.filter(({ columns }) => columns.join() === 'id')).toMatchObject([{ unique: 1 }]);
    expect(await columnsOf(engine, 'nothing')).toEqual([]);
    expect(await indexesOf(engine, 'nothing')).toEqual([]);
    if (name !== 'sqlite') expect(await columnsOf(engine, 'others')).toEqual([]);
  });

  it('reports an index as unique only if it is unique for all rows and for complete columns', async () => {
    await makeThings(engine);
    const partial = {
      sqlite: [
        'create unique index half on things (note) where number > 0',
        'create unique index lowered on things (lower(note))',
      ],
      postgres: [
        'create unique index half on things (note) where number > 0',
        'create unique index lowered on things (lower(note))',
        'alter table things add constraint at_the_end unique (number) deferrable initially deferred',
      ],
      mysql: ['create unique index half on things (note(10))'],
    };
    for (const statement of partial[name]) await run(engine, sql.raw(statement));
    const indexes = await indexesOf(engine, 'things');
    expect(indexes.filter(({ unique }) => unique === 1).map(({ columns }) => columns)).toEqual(
      expect.arrayContaining([['id'], ['name']]),
    );
    expect(indexes.filter(({ unique }) => unique === 1)).toHaveLength(2);
    expect(indexes.filter(({ unique }) => unique === 0)).toHaveLength(partial[name].length);
  });

  it('takes its migration lock, and releases it', async () => {
    const { take, release } = engine.dialect.migrationLock;
    const locked = (): Promise<unknown> => batch(engine, [...take, ...release]);
    await Promise.all([locked(), locked(), locked()]);
    // If the failed statement did not release the lock, the next caller would wait a minute.
    await expect(batch(engine, [...take, { sql: 'nonsense', parameters: [] }, ...release])).rejects.toThrow();
    const results = await Promise.all(Array.from({ length: 6 }, () => batch(engine, [...take, ...release])));
    if (name === 'mysql') {
      expect(results.map(([taken]) => Number(taken?.rows[0]?.['locked']))).toEqual(Array(6).fill(1));
      expect(results.map(([, released]) => Number(released?.rows[0]?.['released']))).toEqual(Array(6).fill(1));
    }
  });
});

/** Tells whether UTF-8 changes the text. */
function isHalf(text: string): boolean {
  return Buffer.from(text).toString() !== text;
}

async function columnsOf({ run, dialect }: Engine, table: string): Promise<string[]> {
  return (await run(dialect.columnsOf(table))).rows.map((row) => String(row['name'])).sort();
}

async function indexesOf({ run, dialect }: Engine, table: string) {
  const found = new Map<unknown, { index: unknown; columns: unknown[]; unique: number }>();
  for (const row of (await run(dialect.indexesOf(table))).rows) {
    const one = found.get(row['index']) ?? { index: row['index'], columns: [], unique: Number(row['unique']) };
    one.columns[Number(row['position'])] = row['column'];
    found.set(row['index'], one);
  }
  return [...found.values()].sort((a, b) => String(a.index).localeCompare(String(b.index)));
}

function quoted(dialect: string, name: string): string {
  return dialect === 'mysql' ? `\`${name}\`` : `"${name}"`;
}
