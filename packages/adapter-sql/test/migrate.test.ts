import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { type Duplicates, migrate, SqlAdapter, schemaSql, UniqueViolation } from '../src/index.ts';
import { bareOf } from './bare.ts';
import { type Catalogue, catalogOf } from './catalog.ts';
import { counted } from './counted.ts';
import { newFolder } from './engines/engines.ts';
import { rowsOf, run } from './engines/things.ts';
import { countsOf, dialectPlaces, tables } from './place.ts';
import { ada, bob, github, later } from './samples.ts';

describe.each(dialectPlaces)('migrate on $name', (kind) => {
  const place = bareOf(kind);

  it('only reads a complete database', async () => {
    await migrate(place.db);
    const before = await catalogOf(place.engine);
    const { db, statements } = counted(place.db);
    expect(await migrate(db)).toEqual({ added: [], duplicates: [] });
    await SqlAdapter(db).getUser('unknown');
    expect(statements().filter((statement) => !/^\s*select\b/.test(statement))).toEqual([]);
    expect(await catalogOf(place.engine)).toEqual(before);
  });

  it('adds each missing table, column and index, and keeps all rows', async () => {
    const { db, engine } = place;
    const adapter = SqlAdapter(db);
    await adapter.createUserWithAccount(ada, github);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: later });
    const complete = await catalogOf(engine);
    const rows = await countsOf(engine);
    for (const [what, remove] of Object.entries(losses(complete, kind.dialect))) {
      for (const statement of remove) await run(engine, sql.raw(statement));
      expect(await catalogOf(engine), what).not.toEqual(complete);
      expect((await migrate(db)).added.length, what).toBeGreaterThan(0);
      expect(await catalogOf(engine), what).toEqual(complete);
    }
    expect(await countsOf(engine)).toEqual(rows);
    expect((await adapter.getSessionAndUser('s'))?.user.email).toBe(ada.email);
  });

  it('keeps the columns, indexes and tables of the application', async () => {
    const { db, engine } = place;
    const q = (name: string) => (kind.dialect === 'mysql' ? `\`${name}\`` : `"${name}"`);
    const table = kind.dialect === 'mysql' ? 'varchar(99)' : 'text';
    for (const statement of [
      `create table auth_users (id ${table} primary key, email ${table}, role varchar(9) default 'reader' not null)`,
      `create index mine on auth_users (role, email)`,
      `insert into auth_users (id, email) values ('old', 'old@example.com')`,
      `create table todo (id integer primary key, auth_users ${table})`,
      `insert into todo values (1, 'old')`,
    ])
      await run(engine, sql.raw(statement));
    const before = await catalogOf(engine);
    const adapter = SqlAdapter(db);
    const old = { id: 'old', email: 'old@example.com', name: null, image: null, emailVerified: null };
    expect(await adapter.getUser('old')).toEqual(old);
    await adapter.createUser(ada);
    await adapter.updateUser({ id: 'old', name: 'Old' });
    expect(await rowsOf(engine, sql`select id, role, name from auth_users order by id`)).toEqual([
      { id: 'ada', role: 'reader', name: 'Ada' },
      { id: 'old', role: 'reader', name: 'Old' },
    ]);
    const { columns, indexes } = await catalogOf(engine);
    expect(columns).toMatchObject(before.columns);
    expect(indexes).toMatchObject(before.indexes);
    expect(await rowsOf(engine, sql.raw(`select ${q('auth_users')} as a from todo`))).toEqual([{ a: 'old' }]);
    await expect(adapter.createUser({ ...bob, email: old.email })).rejects.toThrow(UniqueViolation);
  });

  it('uses a unique index of the application with any order of its columns', async () => {
    const { db, engine } = place;
    await migrate(db);
    const dropped = kind.dialect === 'mysql' ? 'on auth_accounts' : '';
    const index =
      kind.dialect === 'mysql'
        ? '`auth_accounts_provider_providerAccountId`'
        : '"auth_accounts_provider_providerAccountId"';
    const q = (name: string) => sql.ref(name);
    await run(engine, sql.raw(`drop index ${index} ${dropped}`));
    await run(engine, sql`create unique index mine on auth_accounts (${q('providerAccountId')}, ${q('provider')})`);
    expect(await migrate(db)).toEqual({ added: [], duplicates: [] });
  });

  it('reports keys that several rows have, and adds the index when they are corrected', async () => {
    const { db, engine } = place;
    await migrate(db);
    const on = kind.dialect === 'mysql' ? ' on auth_users' : '';
    await run(engine, sql.raw(`drop index auth_users_email${on}`));
    for (const id of ['1', '2', '3', '4'])
      await run(engine, sql`insert into auth_users (id, email) values (${id}, ${Number(id) < 4 ? 'shared' : null})`);
    const shared: Duplicates = { table: 'auth_users', columns: ['email'], groups: 1 };
    expect(await migrate(db)).toEqual({ added: [], duplicates: [shared] });
    const told: (readonly Duplicates[])[] = [];
    await SqlAdapter(db, { onDuplicates: (duplicates) => told.push(duplicates) }).getUser('1');
    expect(told).toEqual([[shared]]);
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await SqlAdapter(db).getUser('1');
    expect(warned.mock.calls.flat().join()).toMatch(/auth_users \(email\): 1$/);
    warned.mockRestore();
    expect(await countsOf(engine)).toEqual({ auth_users: 4 });
    await run(engine, sql`delete from auth_users where id in ('2', '3')`);
    expect(await migrate(db)).toEqual({ added: ['unique index on auth_users (email)'], duplicates: [] });
    await expect(SqlAdapter(db).createUser({ ...ada, email: 'shared' })).rejects.toThrow(UniqueViolation);
  });

  it('does nothing with `migrate: false`', async () => {
    const { db, engine } = place;
    const adapter = SqlAdapter(db, { migrate: false });
    await expect(adapter.getUser('ada')).rejects.toThrow(/auth_users/);
    expect(await catalogOf(engine)).toEqual({ columns: {}, indexes: {} });
    for (const statement of schemaSql(kind.dialect).split(';\n').filter(Boolean)) await run(engine, sql.raw(statement));
    expect(await adapter.getUser('ada')).toBeNull();
  });

  it('rejects with the reason, and tries again at the next call', async () => {
    const { db, engine } = place;
    // A view stands where a table should be.
    await run(engine, sql.raw('create table others (id varchar(9))'));
    await run(engine, sql.raw('create view auth_sessions as select id from others'));
    const adapter = SqlAdapter(db);
    for (const _ of [1, 2]) await expect(adapter.getUser('ada')).rejects.toThrow(/auth_sessions|view/i);
    await run(engine, sql.raw('drop view auth_sessions'));
    expect(await adapter.getUser('ada')).toBeNull();
    expect(await migrate(db)).toEqual({ added: [], duplicates: [] });
  });
});

describe('migrate on node:sqlite', () => {
  it('tries again at the next call if the database was closed', async () => {
    const db = new DatabaseSync(':memory:', { open: false });
    const adapter = SqlAdapter(db);
    await expect(async () => adapter.getUser('ada')).rejects.toThrow('not open');
    db.open();
    expect(await adapter.getUser('ada')).toBeNull();
  });

  it('waits until another connection has finished writing', async () => {
    const folder = newFolder();
    const [db, other] = [new DatabaseSync(folder.path('auth.db')), new DatabaseSync(folder.path('auth.db'))];
    other.exec('begin immediate');
    setTimeout(() => other.exec('commit'), 30);
    expect((await migrate(db)).added).toContain('table auth_users');
    expect(other.isTransaction).toBe(false);
    for (const one of [db, other]) one.close();
    folder.remove();
  });

  it('refuses an object that is not a database', () => {
    expect(() => SqlAdapter({} as DatabaseSync)).toThrow(
      /^the adapter does not support this database. Pass a `DatabaseSync`/,
    );
  });
});

const KEPT: ReadonlySet<string> = new Set([
  'auth_users.email',
  'auth_sessions.sessionToken',
  'auth_sessions.user',
  'auth_sessions.expires',
]);

/** Returns statements that remove a table, the indexes of a table, or the columns that its rows do not need. */
function losses({ columns, indexes }: Catalogue, dialect: string): Record<string, string[]> {
  const quoted = (name: string) => (dialect === 'mysql' ? `\`${name}\`` : `"${name}"`);
  const lost: Record<string, string[]> = {};
  for (const table of tables) {
    const dropped = Object.entries(indexes)
      .filter(([index, what]) => index.startsWith(`${table} (`) && what !== 'primary')
      .map(([, what]) => quoted(what.split(' ')[1] ?? ''))
      .map((name) => `drop index ${name}${dialect === 'mysql' ? ` on ${quoted(table)}` : ''}`);
    const spared = Object.keys(columns)
      .filter((name) => name.startsWith(`${table}.`) && !name.endsWith('.id') && !KEPT.has(name))
      .map((name) => `alter table ${quoted(table)} drop column ${quoted(name.slice(table.length + 1))}`);
    lost[`indexes of ${table}`] = dropped;
    lost[`columns of ${table}`] = [...dropped, ...spared];
  }
  for (const table of ['auth_authenticators', 'auth_verificationTokens']) lost[table] = [`drop table ${quoted(table)}`];
  return lost;
}
