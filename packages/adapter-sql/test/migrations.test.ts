import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { migrate, SqlAdapter, schemaSql, tokenVaultSql } from '../src/index.ts';
import { bareOf } from './bare.ts';
import { catalogOf } from './catalog.ts';
import { counted } from './counted.ts';
import { newFolder } from './engines/engines.ts';
import { run } from './engines/things.ts';
import { dialectPlaces, places } from './place.ts';

const titles = { postgres: 'PostgreSQL', mysql: 'MySQL', sqlite: 'SQLite' };

describe.each(places)('migrations of an adapter on $name', (kind) => {
  const place = bareOf(kind);

  it('lists the statements of the whole schema, and changes nothing', async () => {
    const { migrations } = SqlAdapter(place.db);
    const { database, steps, duplicates } = await migrations.plan();
    expect(await catalogOf(place.engine)).toEqual({ columns: {}, indexes: {} });
    expect(steps.map((step) => `${step.sql};\n`).join('')).toBe(schemaSql(kind.dialect));
    expect(steps[0]).toMatchObject({ kind: 'table', table: 'auth_users', rows: 'users', adds: 'table auth_users' });
    expect(duplicates).toEqual([]);
    expect(database.engine).toBe(titles[kind.dialect]);
  });

  it('applies the plan, after which nothing is left', async () => {
    const { migrations } = SqlAdapter(place.db, { migrate: false });
    const planned = (await migrations.plan()).steps.map(({ adds }) => adds);
    expect(await migrations.apply()).toEqual({ added: planned, duplicates: [] });
    expect((await migrations.plan()).steps).toEqual([]);
    expect((await SqlAdapter(place.db, { migrate: false }).getUser('unknown')) ?? null).toBeNull();
  });
});

describe.each(dialectPlaces)('the table of provider tokens in the migrations on $name', (kind) => {
  const place = bareOf(kind);
  const vaultOnly = async (options: Parameters<typeof SqlAdapter>[1]) => {
    const { steps } = await SqlAdapter(place.db, options).migrations.plan({ tokens: true });
    return steps.filter(({ rows }) => rows === 'tokens');
  };

  it('is listed and created on request', async () => {
    const { migrations, tokenVault } = SqlAdapter(place.db, { migrate: false });
    await migrations.apply();
    expect((await migrations.plan()).steps).toEqual([]);
    const { steps } = await migrations.plan({ tokens: true });
    expect(steps.map((step) => `${step.sql};\n`).join('')).toBe(tokenVaultSql(kind.dialect));
    expect(steps.map(({ adds }) => adds)).toEqual([
      'table auth_tokens',
      'index on auth_tokens (userId)',
      'index on auth_tokens (expires)',
    ]);
    await expect(tokenVault.find('u')).rejects.toThrow();
    expect(await migrations.apply({ tokens: true })).toEqual({ added: steps.map(({ adds }) => adds), duplicates: [] });
    expect((await migrations.plan({ tokens: true })).steps).toEqual([]);
    expect(await tokenVault.find('u')).toEqual([]);
  });

  it('is an addition that the vault makes by itself, unless `migrate` is `false`', async () => {
    for (const [options, automatic] of [
      [{}, true],
      [{ schema: 'drizzle-adapter' }, true],
      [{ migrate: false }, false],
    ] as const)
      expect((await vaultOnly(options)).map((step) => step.automatic)).toEqual(Array(3).fill(automatic));
  });
});

describe.each(dialectPlaces)('the plan of an adapter on $name', (kind) => {
  const place = bareOf(kind);

  it('says which additions the adapter makes by itself', async () => {
    const automatic = async (options: Parameters<typeof SqlAdapter>[1]) => {
      const { steps } = await SqlAdapter(place.db, options).migrations.plan();
      return [...new Set(steps.filter((step) => step.automatic).map((step) => step.kind))].sort();
    };
    expect(await automatic({})).toEqual(['index', 'table', 'unique index']);
    expect(await automatic({ migrate: false })).toEqual([]);
    expect(await automatic({ schema: 'drizzle-adapter' })).toEqual(['unique index']);
    expect(await automatic({ schema: 'drizzle-adapter', migrate: false })).toEqual([]);
  });

  it('counts keys that several rows have instead of their index', async () => {
    const { db, engine } = place;
    await migrate(db);
    await run(engine, sql.raw(`drop index auth_users_email${kind.dialect === 'mysql' ? ' on auth_users' : ''}`));
    for (const id of ['1', '2']) await run(engine, sql`insert into auth_users (id, email) values (${id}, 'shared')`);
    const { steps, duplicates } = await SqlAdapter(db).migrations.plan();
    expect([steps, duplicates]).toEqual([[], [{ table: 'auth_users', columns: ['email'], groups: 1 }]]);
  });

  it('only reads', async () => {
    const { db, statements } = counted(place.db);
    await SqlAdapter(db).migrations.plan();
    expect(statements().filter((statement) => !/^\s*select\b/.test(statement))).toEqual([]);
  });

  it('names the database and its clock', async () => {
    const { database } = await SqlAdapter(place.db).migrations.plan();
    if (kind.dialect === 'sqlite') return expect(database).toMatchObject({ host: null, name: null, time: null });
    expect(database.name).toMatch(/\w/);
    expect(Math.abs(Number(database.time) - Date.now())).toBeLessThan(60_000);
  });
});

it('names the file of a SQLite database', async () => {
  const folder = newFolder();
  const db = new DatabaseSync(folder.path('auth.db'));
  expect((await SqlAdapter(db).migrations.plan()).database.name).toBe(folder.path('auth.db'));
  db.close();
  folder.remove();
});
