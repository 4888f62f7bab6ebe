import { DatabaseSync } from 'node:sqlite';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import type { Pool, PoolOptions } from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { available, mariadb, postgres } from '../../../test/services/index.ts';
import { type Database, SqlAdapter, type SqlAdapterOptions } from '../src/index.ts';
import { application } from './application.ts';
import { catalogOf } from './catalog.ts';
import { onMysql, onPg } from './engines/engines.ts';
import { ada, github, later, passkey } from './samples.ts';

const DAY = 86_400;
const name = `O'Brien \\ "the" 👩‍🚀 é`;
const hasPostgres = await available('postgres');
const hasMariadb = await available('mariadb');

describe.skipIf(!hasPostgres)('an application on a pool of pg', () => {
  const anything = { getTypeParser: () => () => 'anything' };
  const settings: readonly [title: string, settings: pg.PoolConfig, options?: SqlAdapterOptions][] = [
    [
      'that parses types differently, in another time zone, with old formats',
      {
        types: anything as unknown as NonNullable<pg.PoolConfig['types']>,
        options:
          '-c TimeZone=Pacific/Kiritimati -c DateStyle=German -c IntervalStyle=iso_8601 -c extra_float_digits=-15 ' +
          '-c standard_conforming_strings=off -c escape_string_warning=off',
      },
    ],
    ['with repeatable reads', { options: '-c default_transaction_isolation=repeatable\\ read' }],
    ['with serializable transactions', { options: '-c default_transaction_isolation=serializable' }],
    ['with one connection and without prepared statements', { max: 1 }, { prepare: false }],
  ];

  it.each(settings)('%s', async (_, config, options = {}) => {
    const opened = onPg(await (await postgres()).fresh(), config);
    onTestFinished(opened.close);
    await works(opened.db, options);
  });

  it('with tables in a schema of the search path', async () => {
    const fresh = await (await postgres()).fresh();
    const opened = onPg(fresh, { options: '-c search_path=application' });
    onTestFinished(opened.close);
    await opened.db.query('create schema application; create schema other; create table other.auth_users (id text)');
    await works(opened.db);
    const { rows } = await opened.db.query(`select schemaname from pg_tables where tablename = 'auth_sessions'`);
    expect(rows).toEqual([{ schemaname: 'application' }]);
  });

  it('that a Kysely with plugins uses', async () => {
    const fresh = await (await postgres()).fresh();
    const pool = new pg.Pool({ connectionString: fresh.url, max: 3 });
    const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
    onTestFinished(async () => {
      await kysely.destroy();
      await fresh.drop();
    });
    await works(kysely);
  });
});

describe.skipIf(!hasMariadb)('an application on a pool of mysql2', () => {
  const settings: readonly [title: string, settings: PoolOptions, statements?: string[]][] = [
    [
      'that reads rows and values differently, in another time zone',
      {
        dateStrings: true,
        timezone: '+14:00',
        rowsAsArray: true,
        nestTables: true,
        namedPlaceholders: true,
        typeCast: () => 'anything',
        supportBigNumbers: true,
        bigNumberStrings: true,
      },
      [`set time_zone = '-11:00'`],
    ],
    ['that counts changed rows only', { flags: ['-FOUND_ROWS'] }],
    [
      'with standard SQL and another collation',
      {},
      [
        `set sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES'`,
        `set collation_connection = 'utf8mb4_german2_ci'`,
      ],
    ],
    ['with serializable transactions', {}, ['set session transaction isolation level serializable']],
    [
      'with one connection that reads committed rows',
      { connectionLimit: 1 },
      ['set session transaction isolation level read committed'],
    ],
  ];

  it.each(settings)('%s', async (_, config, statements = []) => {
    const opened = onMysql(await (await mariadb()).fresh(), config);
    onTestFinished(opened.close);
    onEach(opened.db, statements);
    await works(opened.db);
  });
});

describe.skipIf(!hasMariadb)('a pool of mysql2 that changes text', () => {
  const utf8mb4 = 'set it to `utf8mb4`';
  const strict = 'Add `STRICT_TRANS_TABLES`';
  const settings: readonly [title: string, remedy: string, settings: PoolOptions, statements?: string[]][] = [
    ['with a character set of one byte', utf8mb4, { charset: 'LATIN1_SWEDISH_CI' }],
    ['with a character set without four bytes', utf8mb4, { charset: 'UTF8_GENERAL_CI' }, ['set names utf8mb3']],
    ['whose server expects another character set', utf8mb4, {}, ['set names latin1']],
    ['whose server returns another character set', utf8mb4, {}, ['set character_set_results = latin1']],
    ['whose server has no mode', strict, {}, [`set sql_mode = ''`]],
    ['whose server has other modes only', strict, {}, [`set sql_mode = 'ANSI,NO_ENGINE_SUBSTITUTION'`]],
  ];

  it.each(settings)(
    '%s is refused with the remedy, and nothing is written',
    async (_, remedy, config, statements = []) => {
      const opened = onMysql(await (await mariadb()).fresh(), config);
      onTestFinished(opened.close);
      onEach(opened.db, statements);
      const adapter = SqlAdapter(opened.db);
      for (const _ of [1, 2]) await expect(async () => adapter.createUser(ada)).rejects.toThrow(remedy);
      await expect(async () => adapter.createUser(ada)).rejects.toThrow(TypeError);
      expect(await catalogOf(opened.engine)).toEqual({ columns: {}, indexes: {} });
    },
  );
});

describe('an application on node:sqlite', () => {
  const settings: readonly [title: string, open: () => DatabaseSync, ...pragmas: string[]][] = [
    ['that reads bigints and arrays', () => new DatabaseSync(':memory:', { readBigInts: true, returnArrays: true })],
    ['that stores text in UTF-16', () => new DatabaseSync(':memory:'), 'encoding = "UTF-16"'],
    ['that enforces foreign keys', () => new DatabaseSync(':memory:'), 'foreign_keys = on', 'defer_foreign_keys = on'],
  ];

  it.each(settings)('%s', async (_, open, ...pragmas) => {
    const db = open();
    onTestFinished(() => db.close());
    for (const pragma of pragmas) db.exec(`pragma ${pragma}`);
    await works(db);
  });
});

/** Runs whole flows, and writes and reads each kind of value. Ids are numbers, which drivers read in different ways. */
async function works(db: Database, options: SqlAdapterOptions = {}): Promise<void> {
  const adapter = SqlAdapter(db, { ...options, schema: { ids: { type: 'bigint' } } });
  await flows(adapter);
  await values(adapter);
}

async function flows(adapter: SqlAdapter): Promise<void> {
  const { clock, errors, visitor, signIn, session, post } = application(adapter);
  const browser = visitor();
  await signIn(browser, { name, email: 'ada@example.com', email_verified: true });
  expect(errors).toEqual([]);
  expect(await session(browser)).toMatchObject({ user: { name, email: 'ada@example.com' } });
  clock.advance(2 * DAY);
  expect((await session(browser))?.expires).toBe(new Date(clock.now().getTime() + 30 * DAY * 1000).toISOString());
  await Promise.all(Array.from({ length: 8 }, () => session(browser)));
  await signIn(browser, { name, email: 'ada@example.com', email_verified: true });
  expect(await session(browser)).toMatchObject({ user: { name } });
  await post(browser, 'signout');
  expect(await session(browser)).toBeNull();
  clock.advance(-2 * DAY);
  expect(errors).toEqual([]);
}

async function values(adapter: SqlAdapter): Promise<void> {
  const user = await adapter.createUser({ ...ada, name, email: 'values@example.com' });
  expect(user).toEqual({ ...ada, name, email: 'values@example.com', id: user.id });
  expect(await adapter.getUser(user.id)).toEqual(user);
  const owned = { userId: user.id };
  await adapter.linkAccount({ ...github, ...owned, scope: name });
  expect(await adapter.getAccount('1', 'github')).toEqual({ ...github, ...owned, scope: name });
  await adapter.createAuthenticator({ ...passkey, ...owned });
  expect(await adapter.listAuthenticatorsByUserId(user.id)).toEqual([{ ...passkey, ...owned }]);
  expect((await adapter.updateAuthenticatorCounter('credential', 2 ** 40)).counter).toBe(2 ** 40);
  const session = { sessionToken: 's', ...owned, expires: later };
  await adapter.createSession(session);
  expect(await adapter.getSessionAndUser('s')).toEqual({ session, user });
  const to = new Date('2099-07-01T00:00:00.999Z');
  expect(await adapter.extendSession({ sessionToken: 's', from: later, to })).toBe(true);
  expect(await adapter.extendSession({ sessionToken: 's', from: later, to })).toBe(false);
  // An update that changes nothing still finds the row.
  expect(await adapter.extendSession({ sessionToken: 's', from: to, to })).toBe(true);
  expect(await adapter.updateSession({ sessionToken: 's' })).toEqual({ ...session, expires: to });
  expect(await adapter.cleanup()).toBeLessThan(3);
  await expect(async () => adapter.createUser({ ...ada, id: 'x', email: 'values@example.com' })).rejects.toThrow(
    'same key exists',
  );
  const [deleted, linked] = await Promise.allSettled([
    adapter.deleteUser(user.id),
    adapter.linkAccount({ ...github, ...owned, providerAccountId: '2' }),
  ]);
  expect(deleted).toEqual({ status: 'fulfilled', value: user });
  expect([linked?.status, await adapter.getAccount('2', 'github')]).toContain(null);
  expect(await adapter.getSessionAndUser('s')).toBeNull();
}

/** Runs statements at the start of each connection. */
function onEach(pool: Pool, statements: readonly string[]): void {
  pool.pool.on('connection', (connection) => {
    for (const statement of statements) connection.query(statement);
  });
}
