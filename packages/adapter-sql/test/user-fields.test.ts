import { DatabaseSync } from 'node:sqlite';
import type { AdapterUser } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DialectName, migrate, SqlAdapter, schemaSql } from '../src/index.ts';
import { counted } from './counted.ts';
import { rowsOf, run } from './engines/things.ts';
import { placeOf, places } from './place.ts';
import { documented } from './presets/documented.ts';
import { engineFor, type OpenedDatabase, openDocumented } from './presets/opened.ts';
import { ada, bob, github } from './samples.ts';

afterEach(() => vi.restoreAllMocks());

const session = { sessionToken: 's', userId: 'ada', expires: new Date('2037-01-01T00:00:00.000Z') };
/** A user with further members, which only an augmented `User` has. */
const withMembers = (user: object, members: object) => ({ ...user, ...members }) as AdapterUser;

describe.each(places)('userFields in tables of Latchkey on $name', (kind) => {
  const userFields = {
    role: 'text',
    plan: { type: 'number', column: 'plan_no' },
    active: 'boolean',
    since: 'date',
    settings: 'json',
    // The name of a session's field.
    expires: 'date',
  } as const;
  const place = placeOf(kind, { userFields });
  const members = {
    role: 'admin 👩',
    plan: 1.5,
    active: false,
    since: new Date('2026-03-01T12:00:00.123Z'),
    settings: { tags: ['a', null], nested: { é: 1 } },
    expires: new Date('2030-01-01T00:00:00.000Z'),
  };
  const none = { role: null, plan: null, active: null, since: null, settings: null, expires: null };

  it('are written by each method that writes a user, and read by each that returns one', async () => {
    const { adapter } = place;
    const user = withMembers(ada, members);
    expect(await adapter.createUser(user)).toStrictEqual(user);
    await adapter.linkAccount(github);
    await adapter.createSession(session);
    expect(await adapter.getUser('ada')).toStrictEqual(user);
    expect(await adapter.getUserByEmail(ada.email)).toStrictEqual(user);
    expect(await adapter.getUserByAccount(github)).toStrictEqual(user);
    expect(await adapter.getSessionAndUser('s')).toStrictEqual({ session, user });
    const changed = { ...user, role: 'reader', settings: ['x'] };
    expect(await adapter.updateUser(withMembers({ id: 'ada' }, { role: 'reader', settings: ['x'] }))).toStrictEqual(
      changed,
    );
    expect(await adapter.deleteUser('ada')).toStrictEqual(changed);
    const other = withMembers(bob, { ...none, role: 'guest' });
    expect(await adapter.createUserWithAccount(withMembers(bob, { role: 'guest' }), github)).toStrictEqual(other);
    expect(await adapter.getUserByAccount(github)).toStrictEqual(other);
  });

  it('keep their value if the member is absent, and lose it if the member is null', async () => {
    const { adapter } = place;
    await adapter.createUser(withMembers(ada, members));
    expect(await adapter.updateUser(withMembers({ id: 'ada', name: 'Countess' }, { role: undefined }))).toStrictEqual(
      withMembers({ ...ada, name: 'Countess' }, members),
    );
    expect(await adapter.updateUser(withMembers({ id: 'ada' }, { plan: null }))).toMatchObject({
      plan: null,
      role: members.role,
    });
    expect(await adapter.updateUser(withMembers({ id: 'ada' }, none))).toMatchObject(none);
    expect(await adapter.createUser(bob)).toStrictEqual(withMembers(bob, none));
  });

  it('are refused by name if they cannot be stored, and nothing is written', async () => {
    const wrong = { role: 5, plan: Number.NaN, active: 'yes', since: '2026', settings: () => 1 };
    for (const [name, value] of Object.entries(wrong))
      await expect(place.adapter.createUser(withMembers(ada, { [name]: value }))).rejects.toThrow(
        `users.${name} must be`,
      );
    expect(await place.counts()).toEqual({});
  });
});

describe('userFields', () => {
  it.each<DialectName>(['sqlite', 'postgres', 'mysql'])('are columns of schemaSql for %s', (dialect) => {
    const printed = schemaSql(dialect, undefined, { role: 'text', plan: { type: 'number', column: 'plan_no' } });
    expect(printed).toMatch(
      /create table if not exists .auth_users.[^;]*.role. [^,]*text[^,]*, .plan_no. (double|numeric)/,
    );
  });

  it('are added as nullable columns to existing tables', async () => {
    const db = new DatabaseSync(':memory:');
    await SqlAdapter(db).createUser(ada);
    const userFields = { role: 'text' } as const;
    expect(await migrate(db, { userFields })).toEqual({ added: ['column auth_users.role'], duplicates: [] });
    expect(await migrate(db, { userFields })).toEqual({ added: [], duplicates: [] });
    expect(await SqlAdapter(db, { userFields }).getUser('ada')).toStrictEqual({ ...ada, role: null });
  });

  it.each([
    ['without migration', { migrate: false }, 'auth_users'],
    ['with a preset', { schema: 'kysely-adapter' }, 'User'],
  ] as const)('that the table lacks are an error at first use %s', async (_, options, table) => {
    const db = new DatabaseSync(':memory:');
    if ('migrate' in options) await migrate(db);
    else for (const statement of documented.kyselySqlite.statements) db.exec(statement);
    const adapter = SqlAdapter(db, { ...options, userFields: { plan: { type: 'number', column: 'plan_no' } } });
    for (const _ of [1, 2])
      await expect(adapter.getUser('ada')).rejects.toThrow(
        `table ${table} has no column plan_no. Add it, or remove userFields.plan`,
      );
    db.exec(`alter table "${table}" add column plan_no integer`);
    expect(await adapter.createUser(withMembers(ada, { plan: 7 }))).toStrictEqual(withMembers(ada, { plan: 7 }));
  });

  it('are not added to the tables of a preset', async () => {
    const db = new DatabaseSync(':memory:');
    for (const statement of documented.kyselySqlite.statements) db.exec(statement);
    const { added } = await migrate(db, { schema: 'kysely-adapter', userFields: { plan: 'number' } });
    expect(added.filter((what) => what.startsWith('column'))).toEqual([]);
  });

  it('that have mistakes are refused with all problems at once', () => {
    const make = (userFields: unknown) => () =>
      SqlAdapter(new DatabaseSync(':memory:'), { userFields: userFields as never });
    expect(make('role')).toThrow('SqlAdapter: `userFields` must be an object such as { role: "text" }');
    expect(
      make({ email: 'text', 'a b': 'text', a: 'string', b: { type: 'text', column: 'x"' }, c: { kind: 'text' } }),
    ).toThrow(
      new TypeError(
        'SqlAdapter: `userFields.email` must not be a member that every user has; ' +
          '`userFields.a b` must be named by letters, digits, `_` and `$`; ' +
          '`userFields.a` must be one of text, number, boolean, date, json; ' +
          '`userFields.b.column` must be a column\'s name: "x\\""; ' +
          '`userFields.c.kind` is not an option. Use `type` and `column`',
      ),
    );
    expect(make({ role: { type: 'text', column: 'email' } })).toThrow(
      '`userFields` must not name the column `email` of another field',
    );
    expect(make({ role: 'text', Role: 'text' })).toThrow(
      '`userFields` must not name the column `Role` of another field',
    );
    expect(make(Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`f${n}`, 'text'])))).toThrow(
      'at most 64 members',
    );
  });

  it('that do not have a column cause one warning of the adapter', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const adapter = SqlAdapter(new DatabaseSync(':memory:'), { userFields: { role: 'text' } });
    await adapter.createUser(withMembers(ada, { role: 'admin', plan: undefined }));
    expect(warn).not.toHaveBeenCalled();
    await adapter.updateUser(withMembers({ id: 'ada' }, { plan: 1, team: null }));
    await adapter.createUserWithAccount(withMembers(bob, { plan: 1 }), github);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^\[auth\]\[warn\]\[user-field-dropped\] table auth_users has no column for plan, team /)],
    ]);
  });

  it('are prepared once for each choice of members', async () => {
    const { db, prepared } = counted(new DatabaseSync(':memory:'));
    const adapter = SqlAdapter(db, { userFields: { role: 'text', plan: 'number' } });
    const use = async (id: string): Promise<void> => {
      await adapter.createUser(withMembers({ ...ada, id, email: id }, { role: id }));
      await adapter.updateUser(withMembers({ id }, { plan: 1 }));
      await adapter.updateUser(withMembers({ id }, { plan: 2, role: 'x' }));
    };
    await use('first');
    const before = prepared.length;
    await use('second');
    expect(prepared.length).toBe(before);
  });
});

const { kyselySqlite, kyselyPostgres, kyselyMysql, prismaSqlite, prismaPostgres, prismaMysql } = documented;
const moved = [
  documented.pg,
  kyselySqlite,
  kyselyPostgres,
  kyselyMysql,
  documented.drizzleSqlite,
  documented.drizzlePostgres,
];

describe.each([...moved, documented.drizzleMysql, prismaSqlite, prismaPostgres, prismaMysql])(
  '$title',
  (documented) => {
    describe.skipIf(!engineFor(documented).isAvailable)('with a column `role`', () => {
      const held: { database?: OpenedDatabase } = {};
      const opened = () => held.database as OpenedDatabase;
      beforeAll(async () => {
        held.database = await openDocumented(documented);
      });
      afterAll(() => held.database?.close());
      const { preset } = documented;
      const table = { 'pg-adapter': 'users', 'drizzle-adapter': 'user' }[preset as string] ?? 'User';

      it('reads, writes and keeps it without a list', async () => {
        const adapter = opened().adapter();
        const created = await adapter.createUser({ ...ada, id: crypto.randomUUID() });
        const rows = () => opened().rows(`select * from "${table}"`);
        const before = await rows();
        expect(created).toMatchObject({ email: ada.email, role: 'reader' });
        expect(await adapter.getUser(created.id)).toStrictEqual(created);
        await adapter.linkAccount({ ...github, userId: created.id });
        await adapter.createSession({ ...session, userId: created.id });
        expect((await adapter.getSessionAndUser('s'))?.user).toStrictEqual(created);
        expect(await adapter.getUserByAccount(github)).toStrictEqual(created);
        expect(await rows()).toEqual(before);
        expect(await adapter.updateUser(withMembers({ id: created.id }, { role: 'admin' }))).toMatchObject({
          role: 'admin',
        });
        expect(await rows()).toMatchObject([{ role: 'admin' }]);
        const whole = await adapter.getUser(created.id);
        expect(await adapter.updateUser(withMembers({ ...whole }, { role: 'reader' }))).toMatchObject({
          role: 'reader',
        });
        const [after] = await rows();
        expect({ ...after, updatedAt: 0 }).toEqual({ ...before[0], updatedAt: 0 });
        expect(await adapter.deleteUser(created.id)).toMatchObject({ role: 'reader' });
        const { id: _, ...written } = await adapter.createUser(
          withMembers({ ...bob, id: crypto.randomUUID() }, { role: 'x' }),
        );
        expect(written).toMatchObject({ role: 'x' });
      });

      it('reads only the columns of a list', async () => {
        const adapter = opened().adapter({ userFields: { rank: { type: 'text', column: 'role' } } });
        const user = await adapter.createUser(withMembers({ ...ada, id: crypto.randomUUID() }, { rank: 'first' }));
        expect(user).toStrictEqual({ ...ada, id: user.id, emailVerified: expect.any(Date), rank: 'first' });
        expect((await opened().rows(`select role from "${table}" where email = '${ada.email}'`))[0]).toEqual({
          role: 'first',
        });
      });
    });
  },
);

describe.each([kyselySqlite, kyselyPostgres, kyselyMysql])('a column of $title in another case', (documented) => {
  it.skipIf(!engineFor(documented).isAvailable)('is that of the field only if the database ignores case', async () => {
    const opened = await openDocumented(documented);
    onTestFinished(opened.close);
    await opened.run('alter table "User" rename column image to "Image"');
    const id = crypto.randomUUID();
    if (documented.dialect === 'postgres') {
      await expect(opened.adapter().createUser({ ...ada, id })).rejects.toThrow('column "image"');
      return;
    }
    const user = await opened.adapter().createUser({ ...ada, id, image: 'a.png' });
    expect(user).toStrictEqual({ ...ada, id: user.id, image: 'a.png', role: 'reader' });
    const listed = opened.adapter({ userFields: { rank: { type: 'text', column: 'ROLE' } } });
    expect(await listed.getUser(user.id)).toStrictEqual({ ...ada, id: user.id, image: 'a.png', rank: 'reader' });
    const added = await migrate(opened.db, { schema: documented.preset });
    expect(added.added.filter((what) => what.startsWith('column'))).toEqual([]);
  });
});

/**
 * Columns that an application may add, with a value and the member that it becomes; `undefined` for one that is left
 * out.
 */
const added: Readonly<
  Record<DialectName, readonly [type: string, value: string, member: unknown, written?: unknown][]>
> = {
  sqlite: [
    ['integer', '5', 5, 6],
    ['integer', '9007199254740993', 9007199254740992],
    ['bigint', '9007199254740993', '9007199254740993', 7n],
    ['decimal(10,2)', '1.5', '1.5', '2.25'],
    ['real', '0.1', 0.1, 1e21],
    ['boolean', '1', true, false],
    ['datetime', `'2026-03-01 12:00:00'`, new Date('2026-03-01T12:00:00Z'), new Date(0)],
    ['jsonb', `'{"a":1}'`, { a: 1 }, [1]],
    ['jsonb', `'not json'`, 'not json'],
    ['date', `'2026-03-01'`, '2026-03-01', '2026-03-02'],
    ['blob', `x'00'`, undefined],
  ],
  postgres: [
    ['integer', '5', 5, 6],
    ['bigint', '9007199254740993', '9007199254740993', 7n],
    ['numeric(10,2)', '1.50', '1.50', '2.25'],
    ['real', '0.5', 0.5, 1.25],
    ['double precision', '0.1', 0.1, 1e21],
    ['boolean', 'true', true, false],
    ['timestamp(3)', `'2026-03-01 12:00:00.123'`, new Date('2026-03-01T12:00:00.123Z'), new Date(0)],
    ['timestamptz', `'2026-03-01 12:00:00.1239Z'`, new Date('2026-03-01T12:00:00.123Z'), new Date(0)],
    ['json', `'{"a":1}'`, { a: 1 }, [1]],
    ['jsonb', `'{"a":1}'`, { a: 1 }, 'text'],
    ['date', `'2026-03-01'`, '2026-03-01', '2026-03-02'],
    ['uuid', `'00000000-0000-4000-8000-000000000000'`, '00000000-0000-4000-8000-000000000000'],
    ['mood', `'sad'`, 'sad', 'glad'],
    ['posint', '5', 5, 6],
    [`varchar(9) generated always as ('x') stored`, '', 'x', 'ignored'],
    ['text[]', `'{a}'`, undefined],
    ['bytea', `'a'`, undefined],
  ],
  mysql: [
    ['int unsigned', '5', 5, 6],
    ['bigint', '9007199254740993', '9007199254740993', 7n],
    ['decimal(10,2)', '1.50', '1.50', '2.25'],
    ['double', '0.1', 0.1, 1e21],
    ['boolean', 'true', true, false],
    ['datetime(3)', `'2026-03-01 12:00:00.123'`, new Date('2026-03-01T12:00:00.123Z'), new Date(0)],
    ['date', `'2026-03-01'`, '2026-03-01', '2026-03-02'],
    [`enum('sad', 'glad')`, `'sad'`, 'sad', 'glad'],
    [`varchar(9) as (concat('x')) stored`, '', 'x', 'ignored'],
    ['varbinary(9)', `'a'`, undefined],
    ['blob', `'a'`, undefined],
  ],
};

describe.each([kyselySqlite, kyselyPostgres, kyselyMysql])('further columns of $title', (documented) => {
  const { dialect } = documented;

  it.skipIf(!engineFor(documented).isAvailable)('become members by their types', async () => {
    const { adapter, engine, close } = await openDocumented(documented);
    if (dialect === 'postgres') {
      await run(engine, sql`create type mood as enum ('sad', 'glad')`);
      await run(engine, sql`create domain posint as integer check (value > 0)`);
    }
    for (const [index, [type]] of added[dialect].entries())
      await run(engine, sql`alter table ${sql.table('User')} add column ${sql.ref(`c${index}`)} ${sql.raw(type)}`);
    const store = adapter();
    const { id } = await store.createUser({ ...ada, id: crypto.randomUUID() });
    for (const [index, [, value]] of added[dialect].entries())
      if (value !== '')
        await run(engine, sql`update ${sql.table('User')} set ${sql.ref(`c${index}`)} = ${sql.raw(value)}`);
    const members = Object.fromEntries(
      added[dialect].flatMap(([, , member], index) => (member === undefined ? [] : [[`c${index}`, member]])),
    );
    const user = withMembers({ ...ada, id, role: 'reader' }, members);
    expect(await store.getUser(id)).toStrictEqual(user);
    // The driver `node:sqlite` throws for large integers, so SQLite itself writes the values as text.
    const names = added[dialect].map((_, index) => sql.ref(`c${index}`));
    const values = dialect === 'sqlite' ? names.map((name, index) => sql`quote(${name})`.as(`c${index}`)) : names;
    const raw = () => rowsOf(engine, sql`select ${sql.join(values)} from ${sql.table('User')}`);
    const before = await raw();
    await store.updateUser({ id, name: ada.name });
    expect(await raw()).toEqual(before);
    const written = added[dialect].flatMap(([, , , value], index) =>
      value === undefined ? [] : [[`c${index}`, value]],
    );
    const expected = written.map(([name, value]) => [
      name,
      value === 'ignored' ? 'x' : typeof value === 'bigint' ? `${value}` : value,
    ]);
    expect(await store.updateUser(withMembers({ id }, Object.fromEntries(written)))).toStrictEqual({
      ...user,
      ...Object.fromEntries(expected),
    });
    await close();
  });
});
