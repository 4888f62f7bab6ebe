import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Duplicates, migrate } from '../../src/index.ts';
import { github, later } from '../samples.ts';
import { catalogOf } from './catalog.ts';
import { type Documented, documented } from './documented.ts';
import { engineFor, type OpenedDatabase, openDocumented } from './opened.ts';

/** Opens a database for the tests of a `describe`, which depend on each other. */
function databaseOf(documented: Documented): () => OpenedDatabase {
  const held: { database?: OpenedDatabase } = {};
  beforeAll(async () => {
    held.database = await openDocumented(documented);
  });
  afterAll(() => held.database?.close());
  return () => held.database as OpenedDatabase;
}

afterEach(() => vi.restoreAllMocks());

const ofAccount = 'Account (provider, providerAccountId)';

/** The unique indexes that the documentation of each database does not have. */
const lacking: readonly [Documented, ...string[]][] = [
  [documented.pg, 'users (email)', 'accounts (provider, providerAccountId)', 'sessions (sessionToken)'],
  [documented.kyselySqlite, ofAccount],
  [documented.kyselyPostgres, ofAccount],
  [documented.kyselyMysql, ofAccount],
  [documented.drizzleSqlite],
  [documented.drizzlePostgres],
  [documented.drizzleWithoutKeys, 'account (provider, providerAccountId)', 'verificationToken (identifier, token)'],
  [documented.drizzleMysql],
  [documented.prismaSqlite],
  [documented.prismaSqliteOlder],
  [documented.prismaPostgres],
  [documented.prismaPostgresOlder],
  [documented.prismaMysql],
];

describe.each(lacking)('$title', (documented, ...indexes) => {
  describe.skipIf(!engineFor(documented).isAvailable)('is migrated', () => {
    const database = databaseOf(documented);
    const schema = documented.preset;

    it('not at all with `migrate: false`', async () => {
      const before = await catalogOf(database());
      await database().adapter({ migrate: false }).getUserByEmail('unknown@example.com');
      expect(await catalogOf(database())).toEqual(before);
    });

    it(`by itself: ${indexes.length > 0 ? `unique indexes on ${indexes.join(', ')}` : 'nothing'}`, async () => {
      const before = await catalogOf(database());
      const onDuplicates = vi.fn();
      await database().adapter({ onDuplicates }).getUserByEmail('unknown@example.com');
      const after = await catalogOf(database());
      expect(before.filter((line) => !after.includes(line))).toEqual([]);
      const added = after.filter((line) => !before.includes(line));
      expect(added.filter((line) => !/unique/i.test(line))).toEqual([]);
      expect(added.map(tableAndColumns).sort()).toEqual([...indexes].sort());
      await database().adapter({ onDuplicates }).getUserByEmail('unknown@example.com');
      expect(await catalogOf(database())).toEqual(after);
      expect(onDuplicates).not.toHaveBeenCalled();
    });

    it('completely and only once by `migrate`, and keeps all rows', async () => {
      const adapter = database().adapter();
      const user = await adapter.createUser({ id: crypto.randomUUID(), email: 'ada@example.com', emailVerified: null });
      const before = await catalogOf(database());
      const { added, duplicates } = await migrate(database().db, { schema });
      expect(added.filter((what) => /^index on .*\(expires\)$/.test(what))).toHaveLength(2);
      expect(added.filter((what) => /^(unique|column)/.test(what))).toEqual(
        schema === 'drizzle-adapter' || schema === 'prisma-adapter' ? [] : [expect.stringMatching(/credentialID/)],
      );
      expect(duplicates).toEqual([]);
      const after = await catalogOf(database());
      expect(before.filter((line) => !after.includes(line))).toEqual([]);
      expect(await migrate(database().db, { schema })).toEqual({ added: [], duplicates: [] });
      expect(await catalogOf(database())).toEqual(after);
      expect(await adapter.getUser(user.id)).toEqual(user);
    });
  });
});

describe.each<[Documented, Duplicates[]]>([
  [
    documented.pg,
    [
      { table: 'users', columns: ['email'], groups: 1 },
      { table: 'accounts', columns: ['provider', 'providerAccountId'], groups: 1 },
      { table: 'sessions', columns: ['sessionToken'], groups: 1 },
    ],
  ],
  [documented.kyselySqlite, [{ table: 'Account', columns: ['provider', 'providerAccountId'], groups: 1 }]],
  [documented.kyselyPostgres, [{ table: 'Account', columns: ['provider', 'providerAccountId'], groups: 1 }]],
  [documented.kyselyMysql, [{ table: 'Account', columns: ['provider', 'providerAccountId'], groups: 1 }]],
  [
    documented.drizzleWithoutKeys,
    [
      { table: 'account', columns: ['provider', 'providerAccountId'], groups: 1 },
      { table: 'verificationToken', columns: ['identifier', 'token'], groups: 1 },
    ],
  ],
])('$title with several rows of one key', (documented, duplicates) => {
  describe.skipIf(!engineFor(documented).isAvailable)('is migrated', () => {
    const database = databaseOf(documented);
    const keys = duplicates.map(({ table, columns }) => `${table} (${columns.join(', ')})`);

    it('with the other indexes, and reports those that cannot be added; the adapter works', async () => {
      const one = database();
      const user = await withDuplicates(one, duplicates);
      const before = await catalogOf(one);
      const onDuplicates = vi.fn();
      const adapter = one.adapter({ onDuplicates });
      expect(await adapter.getUserByAccount(github)).toMatchObject({ id: user.id });
      expect(onDuplicates.mock.calls).toEqual([[duplicates]]);
      const after = await catalogOf(one);
      const added = after.filter((line) => !before.includes(line)).map(tableAndColumns);
      expect(added.filter((key) => keys.includes(key))).toEqual([]);

      const bob = await adapter.createUserWithAccount(
        { id: crypto.randomUUID(), email: 'bob@example.com', emailVerified: null },
        { ...github, providerAccountId: '2' },
      );
      await adapter.createSession({ sessionToken: 'of bob', userId: bob.id, expires: later });
      expect((await adapter.getSessionAndUser('of bob'))?.user).toEqual(bob);
      await adapter.deleteUser(bob.id);
      expect(await adapter.getSessionAndUser('of bob')).toBeNull();
      expect(await adapter.getUserByAccount(github)).toMatchObject({ id: user.id });
      expect(await migrate(one.db, { schema: documented.preset })).toMatchObject({ duplicates });
    });

    it('with a warning on the console', async () => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue();
      await database().adapter().getUserByEmail('ada@example.com');
      expect(warn.mock.calls).toEqual([[expect.stringContaining(keys.map((key) => `${key}: 1`).join('; '))]]);
    });

    it('with these indexes after the rows are corrected', async () => {
      for (const { table } of duplicates) await database().run(`delete from "${table}"`);
      const before = await catalogOf(database());
      const onDuplicates = vi.fn();
      await database().adapter({ onDuplicates }).getUserByEmail('ada@example.com');
      expect(onDuplicates).not.toHaveBeenCalled();
      const after = await catalogOf(database());
      const added = after.filter((line) => !before.includes(line)).map(tableAndColumns);
      expect(added.sort()).toEqual([...keys].sort());
    });
  });
});

describe.skipIf(!engineFor(documented.pg).isAvailable)('an index of the application', () => {
  const database = databaseOf(documented.pg);
  const start = (): unknown => database().adapter().getUserByEmail('ada@example.com');
  const names = async (): Promise<unknown[]> => {
    const found = await database().rows(
      `select indexname as name from pg_catalog.pg_indexes where tablename = 'users' and indexname <> 'users_pkey' order by 1`,
    );
    return found.map(({ name }) => name);
  };

  it('of another table with the same name is an error with the remedy', async () => {
    await database().run('create table orders (email text)');
    await database().run('create index users_email on orders (email)');
    await expect(start()).rejects.toThrow(
      /^the unique index on users \(email\) cannot be added, because its name is in use\. Rename the other one\. create unique index/,
    );
    await database().run('drop table orders');
  });

  it('with the same name that is not unique stays, and the new one has another name', async () => {
    await database().run('create index users_email on users (email)');
    await start();
    expect(await names()).toEqual(['users_email', 'users_email_unique']);
    await expect(database().run(`insert into users (email) values ('a'), ('a')`)).rejects.toThrow('users_email_unique');
    await database().run('drop index users_email, users_email_unique');
  });

  it('that is unique for some rows does not replace the unique index', async () => {
    await database().run('create unique index users_some on users (email) where image is null');
    await start();
    expect(await names()).toEqual(['users_email', 'users_some']);
    await database().run('drop index users_email, users_some');
  });

  it('is added once by eight adapters that start simultaneously', async () => {
    await Promise.all(Array.from({ length: 8 }, start));
    expect(await names()).toEqual(['users_email']);
  });
});

/** Inserts several rows with one key into each table, and returns their user. */
async function withDuplicates(one: OpenedDatabase, duplicates: readonly Duplicates[]): Promise<{ id: string }> {
  const adapter = one.adapter({ migrate: false });
  const user = await adapter.createUser({ id: crypto.randomUUID(), email: 'ada@example.com', emailVerified: null });
  for (const { table } of duplicates) {
    for (let copy = 0; copy < 2; copy++) {
      if (table === 'users') await one.run(`insert into users (email) values ('twice@example.com')`);
      else if (/account/i.test(table)) await adapter.linkAccount({ ...github, userId: user.id });
      else if (/session/i.test(table))
        await adapter.createSession({ sessionToken: 'twice', userId: user.id, expires: later });
      else await adapter.createVerificationToken({ identifier: 'ada', token: 'twice', expires: later });
    }
  }
  return user;
}

/** Returns `users (email)` from a line of the catalog. */
function tableAndColumns(line: string): string {
  const [, name] = /(?:on |^)(?:public\.)?["`]?(\w+)["`]?(?: using|:| \()/i.exec(line) ?? [];
  const columns = /\(([^()]+)\)[^()]*$/.exec(line)?.[1] ?? '';
  return `${name} (${columns.replaceAll(/["`]/g, '')})`.replaceAll(/,\s*/g, ', ');
}
