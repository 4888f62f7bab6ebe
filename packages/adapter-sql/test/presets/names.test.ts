import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqlAdapter as makeAdapter, migrate, type SqlAdapter, type SqlSchema } from '../../src/index.ts';
import type { Opened } from '../engines/engines.ts';
import { rowsOf, run } from '../engines/things.ts';
import { ada, github, later, passkey } from '../samples.ts';
import { documented } from './documented.ts';
import { engineFor, openDocumented } from './opened.ts';

/** Prisma's models with other names of tables and columns. */
const mapped: SqlSchema = {
  preset: 'prisma-adapter',
  ids: { type: 'uuid', madeBy: 'database' },
  stamps: { created: 'created_at', updated: 'updated_at' },
  tables: {
    users: { name: 'auth.people', columns: { name: 'full_name', emailVerified: 'email_verified', image: 'avatar' } },
    accounts: { name: 'auth.identities', columns: { userId: 'user_id', providerAccountId: 'subject' } },
    sessions: { name: 'auth.logins', columns: { userId: 'user_id', sessionToken: 'token', expires: 'ends' } },
    verificationTokens: 'auth.links',
    authenticators: { name: 'auth.passkeys', columns: { credentialID: 'credential_id', userId: 'user_id' } },
  },
};

const stamps = 'created_at timestamptz not null default now(), updated_at timestamptz not null';
const id = 'id uuid primary key default gen_random_uuid()';

/** The tables of {@link mapped} in their own schema, and tables of other applications with the same names. */
const tables = [
  'create schema auth',
  'create table people (id text, email text)',
  'create table "auth.people" (id text, email text)',
  `create table auth.people (${id}, full_name text, email text, email_verified timestamp, avatar text, ${stamps})`,
  `create table auth.identities (
    ${id}, user_id uuid not null references auth.people on delete cascade, type text not null, provider text not null,
    subject text not null, refresh_token text, access_token text, expires_at integer, token_type text, scope text,
    id_token text, session_state text, ${stamps}
  )`,
  `create table auth.logins (
    token text primary key, user_id uuid not null references auth.people, ends timestamp not null, ${stamps}
  )`,
  'create table auth.links (identifier text not null, token text not null, expires timestamp not null)',
];

describe.skipIf(!engineFor(documented.pg).isAvailable)('a preset with names of the application', () => {
  let opened: Opened;
  let adapter: SqlAdapter;

  beforeAll(async () => {
    opened = await engineFor(documented.pg).open();
    for (const statement of tables) await run(opened.engine, sql.raw(statement));
    adapter = makeAdapter(opened.db, { schema: mapped });
  });
  afterAll(() => opened?.close());

  it('uses these tables, and sets the time stamps', async () => {
    const { id: _, ...withoutId } = ada;
    const { id: userId } = await adapter.createUser(withoutId as typeof ada);
    expect(userId).toMatch(/^[\da-f]{8}-/);
    const account = { ...github, userId };
    await adapter.linkAccount(account);
    await adapter.createSession({ sessionToken: 's', userId, expires: later });
    await adapter.createVerificationToken({ identifier: ada.email, token: 't', expires: later });
    const stamps = { created_at: expect.any(Date), updated_at: expect.any(Date) };
    expect(await adapter.getUserByAccount(account)).toEqual({ ...ada, id: userId, ...stamps });
    expect((await adapter.getSessionAndUser('s'))?.session).toEqual({ sessionToken: 's', userId, expires: later });
    expect(await adapter.updateUser({ id: userId, name: 'Countess' })).toEqual({
      ...ada,
      id: userId,
      name: 'Countess',
      ...stamps,
    });
    const [row] = await rowsOf(
      opened.engine,
      sql.raw(`select full_name, created_at < updated_at as changed, now() - updated_at < interval '1 minute' as recent,
        (select count(*) from auth.identities) as identities, (select count(*) from auth.logins) as logins,
        (select count(*) from auth.links) as links, (select count(*) from people) as others,
        (select count(*) from "auth.people") as dotted from auth.people`),
    );
    expect(row).toEqual({
      full_name: 'Countess',
      changed: true,
      recent: true,
      identities: 1,
      logins: 1,
      links: 1,
      others: 0,
      dotted: 0,
    });
    expect(await adapter.useVerificationToken({ identifier: ada.email, token: 't' })).not.toBeNull();
    await adapter.deleteUser(userId);
    expect(await adapter.getSessionAndUser('s')).toBeNull();
  });

  it('creates unique indexes in the schema of its tables', async () => {
    await adapter.getUser('unknown');
    const indexes = await rowsOf(
      opened.engine,
      sql.raw(`select indexdef from pg_catalog.pg_indexes
        where schemaname in ('auth', 'public') and indexname not like '%_pkey' order by 1`),
    );
    expect(indexes.map(({ indexdef }) => indexdef)).toEqual([
      'CREATE UNIQUE INDEX auth_identities_provider_subject ON auth.identities USING btree (provider, subject)',
      'CREATE UNIQUE INDEX auth_links_identifier_token ON auth.links USING btree (identifier, token)',
      'CREATE UNIQUE INDEX auth_people_email ON auth.people USING btree (email)',
    ]);
  });

  it('creates the table for passkeys in the same schema', async () => {
    const { added } = await migrate(opened.db, { schema: mapped });
    expect(added).toContain('table auth.passkeys');
    expect(added.filter((what) => what.startsWith('table') || what.startsWith('column'))).toHaveLength(1);
    const whole = makeAdapter(opened.db, { schema: mapped });
    const { id: _, ...bob } = { ...ada, email: 'bob@example.com' };
    const { id: userId } = await whole.createUser(bob as typeof ada);
    await whole.createAuthenticator({ ...passkey, userId });
    expect(await whole.getAuthenticator(passkey.credentialID)).toEqual({ ...passkey, userId });
    expect(await migrate(opened.db, { schema: mapped })).toEqual({ added: [], duplicates: [] });
  });

  it('finds its time stamps without migration', async () => {
    const { preset: _, ...schema } = mapped;
    const own = makeAdapter(opened.db, {
      migrate: false,
      schema: { ...schema, tables: { ...schema.tables, userAccounts: null, userSessions: null } },
    });
    const { id: __, ...eve } = { ...ada, email: 'eve@example.com' };
    expect(await own.createUser(eve as typeof ada)).toMatchObject({ email: 'eve@example.com' });
  });
});

describe('a table of another SQLite file', () => {
  it('is created, indexed and used in that file', async () => {
    const db = new DatabaseSync(':memory:');
    db.exec(`attach ':memory:' as app`);
    const schema: SqlSchema = {
      tables: {
        users: 'app.users',
        accounts: 'app.accounts',
        sessions: 'app.sessions',
        verificationTokens: 'app.tokens',
        authenticators: null,
        userAccounts: null,
        userSessions: null,
      },
    };
    const adapter = makeAdapter(db, { schema });
    await adapter.createUser(ada);
    await adapter.linkAccount(github);
    expect(await adapter.getUserByAccount(github)).toEqual(ada);
    await expect(adapter.createUser({ ...ada, id: 'bob' })).rejects.toThrow('users.email');
    expect(await migrate(db, { schema })).toEqual({ added: [], duplicates: [] });
    expect(db.prepare('select * from main.sqlite_schema').all()).toEqual([]);
  });
});

describe.skipIf(!engineFor(documented.pg).isAvailable)('ids of the preset of pg', () => {
  it('can be UUIDs, even if those of accounts and sessions are numbers', async () => {
    const opened = await engineFor(documented.pg).open();
    for (const statement of documented.pg.statements)
      await run(
        opened.engine,
        sql.raw(
          statement
            .replace(/(table users\s*\(\s*id) serial primary key/, '$1 uuid primary key default gen_random_uuid()')
            .replace('"userId" integer', '"userId" uuid'),
        ),
      );
    const adapter = makeAdapter(opened.db, {
      schema: { preset: 'pg-adapter', ids: { type: 'uuid' } },
    });
    const { id: userId } = await adapter.createUserWithAccount({ ...ada, id: crypto.randomUUID() }, github);
    await adapter.createSession({ sessionToken: 's', userId, expires: later });
    expect((await adapter.getSessionAndUser('s'))?.user).toEqual({ ...ada, id: userId, role: 'reader' });
    expect(await rowsOf(opened.engine, sql.raw('select id from accounts'))).toEqual([{ id: 1 }]);
    await opened.close();
  });
});

describe.each([documented.pg, documented.kyselyPostgres])('ids of another type in $title', (database) => {
  it.skipIf(!engineFor(database).isAvailable)('find no user, and are refused', async () => {
    const opened = await openDocumented(database);
    const adapter = opened.adapter();
    for (const id of [
      'unknown',
      '',
      '1.5',
      '-1',
      '99999999999',
      `1' or '1' = '1`,
      '6F9619FF-8B86-D011-B42D-00CF4FC964FF',
    ]) {
      expect(await adapter.getUser(id), id).toBeNull();
      expect(await adapter.deleteUser(id), id).toBeNull();
      const session = { sessionToken: 's', userId: id, expires: later };
      await expect(adapter.createSession(session)).rejects.toThrow('sessions.userId must be an id of the type');
    }
    await opened.close();
  });
});

describe('a database without the tables of the preset', () => {
  it('is an error that names them and the remedy', async () => {
    const db = new DatabaseSync(':memory:');
    db.exec('create table user (id text)');
    for (const options of [{}, { migrate: false }]) {
      const adapter = makeAdapter(db, { schema: 'drizzle-adapter', ...options });
      await expect(adapter.getUser('ada')).rejects.toThrow(
        'SQLite has no table "account", "session", "verificationToken". If the tables have other names or are in another schema, set `schema.tables`. If they do not exist yet, run `npx @latchkey/cli migrate`, or call `migrate(db, { schema })`',
      );
    }
    expect(db.prepare('select name from sqlite_schema').all()).toHaveLength(1);
  });

  it('works without the table for passkeys until a passkey is used', async () => {
    const db = new DatabaseSync(':memory:');
    for (const statement of documented.kyselySqlite.statements) db.exec(statement);
    const adapter = makeAdapter(db, { schema: { preset: 'kysely-adapter', tables: { authenticators: 'Passkey' } } });
    const user = await adapter.createUser(ada);
    await expect(adapter.getAuthenticator('credential')).rejects.toThrow('no table for passkeys');
    expect(await adapter.deleteUser(user.id)).toEqual({ ...ada, role: 'reader' });
  });
});

describe.each(['pg-adapter', 'kysely-adapter', 'drizzle-adapter', 'prisma-adapter'] as const)(
  'an empty database',
  (preset) => {
    it(`gets the tables of ${preset} by \`migrate\``, async () => {
      const db = new DatabaseSync(':memory:');
      const { added } = await migrate(db, { schema: preset });
      expect(added.filter((what) => what.startsWith('table'))).toHaveLength(5);
      const adapter = makeAdapter(db, { schema: preset, migrate: false });
      const { id: _, ...withoutId } = ada;
      const { id: userId } = await adapter.createUserWithAccount(withoutId as typeof ada, github);
      await adapter.createSession({ sessionToken: 's', userId, expires: later });
      await adapter.createAuthenticator({ ...passkey, userId });
      expect((await adapter.getSessionAndUser('s'))?.user).toEqual({ ...ada, id: userId });
      expect(await adapter.getUserByAccount(github)).toEqual({ ...ada, id: userId });
      expect(await adapter.listAuthenticatorsByUserId(userId)).toEqual([{ ...passkey, userId }]);
      await expect(adapter.createSession({ sessionToken: 's', userId, expires: later })).rejects.toThrow('same key');
    });
  },
);
