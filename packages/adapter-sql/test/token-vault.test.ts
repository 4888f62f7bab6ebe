import { DatabaseSync } from 'node:sqlite';
import type { VaultEntry } from '@latchkey/core/types';
import { tokenVaultSuite } from '@latchkey/testing/token-vault-suite';
import { Kysely, MysqlDialect, sql } from 'kysely';
import mysqlWithCallbacks from 'mysql2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, mariadb } from '../../../test/services/index.ts';
import { type Database, SqlAdapter, SqlTokenVault, tokenVaultSql } from '../src/index.ts';
import { counted } from './counted.ts';
import { type Opened, onMysql } from './engines/engines.ts';
import { rowsOf, run } from './engines/things.ts';
import { dialectPlaces, places } from './place.ts';

const table = sql.table('auth_tokens');

describe.each(dialectPlaces)('SqlTokenVault on $name', (kind) => {
  const opened = openedFor(kind);
  tokenVaultSuite(
    () => ({
      vault: SqlTokenVault(opened().db),
      elsewhere: SqlTokenVault(opened().db),
      pass: (seconds) => pass(opened(), seconds),
    }),
    { describe, it },
  );
});

describe.each(places)('the steps of a token vault on $name', (kind) => {
  const opened = openedFor(kind);

  it('write, read, lease, find, scan and remove', async () => {
    const vault = SqlTokenVault(opened().db);
    const [entry, bare, expired] = [anEntry(), anEntry({ expires: null }), anEntry({ expires: new Date(1) })];
    for (const one of [entry, bare, expired]) expect(await vault.write(one, null)).toBe(true);
    expect(await vault.write(entry, null)).toBe(false);
    expect(await vault.read(bare)).toEqual(bare);
    expect(await vault.lease(entry, entry.version, 'one', 15)).toBe(true);
    expect(await vault.lease(entry, entry.version, 'two', 15)).toBe(false);
    await pass(opened(), 16);
    expect(await vault.lease(entry, entry.version, 'two', 15)).toBe(true);
    const next = { ...entry, version: entry.version + 1, sealed: 'sealed again' };
    expect(await vault.write(next, entry.version)).toBe(true);
    expect(await vault.write(next, entry.version)).toBe(false);
    expect(await vault.find(entry.userId)).toEqual([next]);
    expect(await vault.scan(null, 10)).toHaveLength(3);
    expect(await vault.cleanup(new Date(2))).toBe(1);
    for (const one of [entry, entry, bare]) await vault.remove(one);
    expect(await vault.scan(null, 10)).toEqual([]);
  });
});

describe.each(dialectPlaces)('the table of a token vault on $name', (kind) => {
  const opened = openedFor(kind);

  it('is created once by several processes', async () => {
    const entries = Array.from({ length: 6 }, () => anEntry());
    await Promise.all(entries.map((entry) => SqlTokenVault(opened().db, { table: 'other_tokens' }).write(entry, null)));
    const rows = await rowsOf(opened().engine, sql`select ${sql.ref('userId')} as id from other_tokens`);
    expect(rows.map(({ id }) => id).sort()).toEqual(entries.map(({ userId }) => userId).sort());
  });

  it('gets the indexes that a killed process has left out', async () => {
    const [creation = ''] = tokenVaultSql(kind.dialect, 'half_tokens').split(';\n');
    await opened().engine.run({ sql: creation, parameters: [] });
    await SqlTokenVault(opened().db, { table: 'half_tokens' }).write(anEntry(), null);
    const indexes = (await opened().engine.run(opened().engine.dialect.indexesOf('half_tokens'))).rows;
    expect(new Set(indexes.map((row) => row['index']))).toHaveProperty('size', 3);
  });

  it('is not created with `migrate: false`, and is looked for again at the next call', async () => {
    const vault = SqlTokenVault(opened().db, { table: 'third_tokens', migrate: false });
    const entry = anEntry();
    await expect(vault.write(entry, null)).rejects.toThrow();
    for (const text of tokenVaultSql(kind.dialect, 'third_tokens').split(';\n').filter(Boolean))
      await opened().engine.run({ sql: text, parameters: [] });
    expect(await vault.write(entry, null)).toBe(true);
    expect(await vault.read(entry)).toEqual(entry);
  });

  it('is beside the tables of the adapter, which has the vault as a member', async () => {
    const adapter = SqlAdapter(opened().db);
    expect(adapter.tokenVault).toBe(adapter.tokenVault);
    const entry = anEntry();
    await adapter.tokenVault.write(entry, null);
    expect(await SqlTokenVault(opened().db).read(entry)).toEqual(entry);
  });

  it('has leases that end by the clock of the database', async () => {
    const vault = SqlTokenVault(opened().db);
    const entry = anEntry();
    await vault.write(entry, null);
    const before = Date.now();
    expect(await vault.lease(entry, entry.version, 'one', 1)).toBe(true);
    const [row] = await rowsOf(
      opened().engine,
      sql`select ${sql.ref('leaseUntil')} as ends from ${table} where ${sql.ref('userId')} = ${entry.userId}`,
    );
    expect(Math.abs(Number(row?.['ends']) - before - 1000)).toBeLessThan(500);
    expect(await vault.lease(entry, entry.version, 'two', 1)).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await vault.lease(entry, entry.version, 'two', 1)).toBe(true);
  });

  it('refuses values that are not whole numbers, and text that cannot be stored', async () => {
    const vault = SqlTokenVault(opened().db);
    const entry = anEntry();
    await vault.write(entry, null);
    for (const seconds of [-1, 0.5, Number.NaN])
      await expect(vault.lease(entry, entry.version, 'one', seconds)).rejects.toThrow('seconds must be a whole number');
    await expect(vault.lease(entry, entry.version, 'a\ud800', 1)).rejects.toThrow('holder must be text');
    await expect(vault.scan(null, Number.POSITIVE_INFINITY)).rejects.toThrow('limit must be a whole number');
    await expect(vault.write({ ...entry, version: 0.5 }, entry.version)).rejects.toThrow('entry.version must be');
    expect(await vault.read({ provider: 'google', providerAccountId: 'a\ud800' })).toBeNull();
    expect(await vault.find('a\ud800')).toEqual([]);
  });
});

/** Settings of connections that change what the server does, or what the driver returns. */
const connections: Readonly<Record<string, (url: string) => [Database, () => Promise<unknown>]>> = {
  'mysql2 that counts changed rows': (uri) => {
    const pool = mysqlWithCallbacks.createPool({ uri, flags: ['-FOUND_ROWS'] });
    return [pool, () => pool.promise().end()];
  },
  'Kysely that counts changed rows': (uri) => {
    const pool = mysqlWithCallbacks.createPool({ uri, flags: ['-FOUND_ROWS'] });
    const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) });
    return [kysely, () => kysely.destroy()];
  },
  'numbers as text, in another time zone': (uri) => {
    const pool = mysqlWithCallbacks.createPool({ uri, supportBigNumbers: true, bigNumberStrings: true });
    pool.on('connection', (connection) => connection.query("set time_zone = '+10:30'"));
    return [pool, () => pool.promise().end()];
  },
};

describe.runIf(await available('mariadb')).each(Object.entries(connections))(
  'SqlTokenVault on MariaDB: %s',
  (_, open) => {
    it('takes, extends and ends leases', async () => {
      const fresh = await (await mariadb()).fresh();
      const [db, close] = open(fresh.url);
      const vault = SqlTokenVault(db);
      const entry = anEntry({ version: Number.MAX_SAFE_INTEGER - 1 });
      expect(await vault.write(entry, null)).toBe(true);
      expect(await vault.write(entry, null)).toBe(false);
      for (let round = 0; round < 20; round++) {
        const lease = (holder: string, seconds: number) => vault.lease(entry, entry.version, holder, seconds);
        const held = await Promise.all([lease('one', 15), lease('one', 15), lease('one', 15)]);
        expect(held).toEqual([true, true, true]);
        expect(await lease('two', 15)).toBe(false);
        expect(await Promise.all([lease('one', 0), lease('one', 0), lease('one', 0)])).toEqual([true, true, true]);
        expect(await lease('two', 0)).toBe(true);
      }
      const next = { ...entry, version: entry.version + 1 };
      expect(await vault.write(next, entry.version)).toBe(true);
      expect(await vault.read(entry)).toEqual(next);
      expect(await vault.scan(null, 10)).toEqual([next]);
      await close();
      await fresh.drop();
    });
  },
);

describe.runIf(await available('mariadb'))('SqlTokenVault in a database with another collation', () => {
  it.each([
    'latin1 collate latin1_general_ci',
    'utf8mb4 collate utf8mb4_unicode_ci',
    'utf8mb4 collate utf8mb4_nopad_bin',
  ])('%s: compares keys byte by byte, and refuses a space at the end', async (collation) => {
    const fresh = await (await mariadb()).fresh();
    const { db, engine, close } = onMysql(fresh, {});
    await run(engine, sql.raw(`alter database character set ${collation}`));
    const vault = SqlTokenVault(db);
    const entries = ['Key', 'key', 'k\u00e9y', ' key', '1e3', '1000', '\u{1f468}'].map((id) =>
      anEntry({ provider: id, providerAccountId: id, userId: id }),
    );
    for (const entry of entries) expect(await vault.write(entry, null), entry.userId).toBe(true);
    for (const entry of entries) expect(await vault.find(entry.userId, entry.provider)).toEqual([entry]);
    await expect(vault.write(anEntry({ providerAccountId: 'key ' }), null)).rejects.toThrow('must be text that');
    expect(await vault.read({ provider: 'key', providerAccountId: 'key ' })).toBeNull();
    expect(await vault.find('key ')).toEqual([]);
    expect((await vault.scan(null, 100)).map(({ userId }) => userId).sort()).toEqual(
      entries.map(({ userId }) => userId).sort(),
    );
    await close();
  });
});

describe('statements of a token vault on node:sqlite', () => {
  it('are one per step, prepared once, and find their rows by an index', async () => {
    const memory = new DatabaseSync(':memory:');
    const { db, statements, prepared } = counted(memory);
    const vault = SqlTokenVault(db);
    await vault.cleanup();
    statements();
    const use = async (): Promise<Record<string, number>> => {
      const entry = anEntry();
      const steps: [string, () => Promise<unknown>][] = [
        ['a first write', () => vault.write(entry, null)],
        ['read', () => vault.read(entry)],
        ['find', () => vault.find(entry.userId)],
        ['find of a provider', () => vault.find(entry.userId, 'google')],
        ['lease', () => vault.lease(entry, entry.version, 'one', 15)],
        ['write', () => vault.write({ ...entry, version: entry.version + 1 }, entry.version)],
        ['scan', () => vault.scan(entry, 10)],
        ['cleanup', () => vault.cleanup()],
        ['remove', () => vault.remove(entry)],
      ];
      const counts: Record<string, number> = {};
      for (const [name, step] of steps) {
        await step();
        const ran = statements();
        counts[name] = ran.length;
        for (const text of ran.filter((one) => !/^\s*insert/.test(one))) expect(scansOf(memory, text)).toEqual([]);
      }
      return counts;
    };
    await use();
    const texts = prepared.length;
    const counts = await use();
    expect(Object.keys(counts)).toHaveLength(9);
    expect(new Set(Object.values(counts))).toEqual(new Set([1]));
    expect(prepared.length).toBe(texts);
  });

  it('store numbers as integers, and text that looks like a number as text', async () => {
    const memory = new DatabaseSync(':memory:');
    const vault = SqlTokenVault(memory);
    const entry = anEntry({ provider: '1e3', providerAccountId: '007', userId: '12', version: 2 ** 53 - 2 });
    await vault.write(entry, null);
    await vault.lease(entry, entry.version, '0.5', 15);
    const columns = [
      'provider',
      'providerAccountId',
      'userId',
      'version',
      'sealed',
      'expires',
      'leaseHolder',
      'leaseUntil',
    ];
    const [row] = memory
      .prepare(`select ${columns.map((name) => `typeof(${name}) as ${name}`)} from auth_tokens`)
      .all();
    expect(Object.values({ ...row })).toEqual([
      'text',
      'text',
      'text',
      'integer',
      'text',
      'integer',
      'text',
      'integer',
    ]);
    expect(await vault.read({ provider: '1000', providerAccountId: '7' })).toBeNull();
    expect(await vault.read(entry)).toEqual(entry);
  });

  it('are not run before the first step', async () => {
    const { db, statements } = counted(new DatabaseSync(':memory:'));
    const adapter = SqlAdapter(db);
    expect(adapter.tokenVault).toBeDefined();
    expect(statements()).toEqual([]);
    await adapter.getUser('unknown');
    expect(statements().filter((text) => text.includes('auth_tokens'))).toEqual([]);
  });
});

describe('SqlTokenVault', () => {
  it('refuses an object that is not a database, and an invalid name', () => {
    expect(() => SqlTokenVault({} as never)).toThrow('does not support this database');
    expect(() => SqlTokenVault({ prepare: () => undefined } as never, { table: 'a;b' })).toThrow(
      "`table` must be a table's name",
    );
    expect(() => tokenVaultSql('sqlite', '"')).toThrow("`table` must be a table's name");
    expect(() => tokenVaultSql('oracle' as never)).toThrow('the dialect must be one of');
  });

  it('returns its statements', () => {
    expect(tokenVaultSql('postgres', 'auth.tokens').split(';\n')).toEqual([
      'create table "auth"."tokens" ("provider" text collate "C" not null, "providerAccountId" text collate "C" not null, "userId" text collate "C" not null, "version" bigint not null, "sealed" text not null, "expires" bigint, "leaseHolder" text collate "C", "leaseUntil" bigint, constraint "auth_tokens_key" primary key ("provider", "providerAccountId"))',
      'create index "auth_tokens_userId" on "auth"."tokens" ("userId")',
      'create index "auth_tokens_expires" on "auth"."tokens" ("expires")',
      '',
    ]);
    expect(tokenVaultSql('sqlite')).toContain('create table "auth_tokens"');
    expect(tokenVaultSql('mysql')).toContain('engine = InnoDB');
  });
});

function anEntry(members: Partial<VaultEntry> = {}): VaultEntry {
  return {
    provider: 'google',
    providerAccountId: crypto.randomUUID(),
    userId: crypto.randomUUID(),
    version: 1_099_511_627_770,
    sealed: 'sealed',
    expires: new Date('2099-12-31T23:59:59.999Z'),
    ...members,
  };
}

function scansOf(db: DatabaseSync, text: string): string[] {
  const plan = db.prepare(`explain query plan ${text}`).all(...Array(text.split('?').length - 1).fill('1'));
  return plan.map(({ detail }) => String(detail)).filter((detail) => /^SCAN|TEMP B-TREE/.test(detail));
}

/** Lets seconds pass on the clock of the database, by moving all leases to an earlier instant. */
async function pass({ engine }: Opened, seconds: number): Promise<void> {
  const until = sql.ref('leaseUntil');
  await run(engine, sql`update ${table} set ${until} = ${until} - ${seconds * 1000}`);
}

function openedFor(kind: (typeof places)[number]): () => Opened {
  const held: { opened?: Opened } = {};
  beforeAll(async () => {
    held.opened = await kind.open();
  });
  afterAll(() => held.opened?.close());
  return () => held.opened as Opened;
}
