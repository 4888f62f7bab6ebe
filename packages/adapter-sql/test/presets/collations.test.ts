import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { MysqlPool } from '../../src/engines/mysql2.ts';
import { migrate, SqlAdapter } from '../../src/index.ts';
import type { Opened } from '../engines/engines.ts';
import { run } from '../engines/things.ts';
import { ada, github, later, passkey } from '../samples.ts';
import { documented } from './documented.ts';
import { engineFor, type OpenedDatabase, openDocumented } from './opened.ts';

/** Texts that are equal to `key` in the usual collations of MySQL and MariaDB. */
const lookAlikes = ['KEY', 'Key', 'kéy', 'ｋey', 'key ', 'key\u200b'];

const { kyselyMysql, drizzleMysql, prismaMysql } = documented;

describe.each([kyselyMysql, drizzleMysql, prismaMysql])('$title, whose collation ignores differences', (database) => {
  describe.skipIf(!engineFor(database).isAvailable)('compares bytes and finds', () => {
    let opened: OpenedDatabase;
    let adapter: SqlAdapter;
    let userId: string;

    beforeAll(async () => {
      opened = await openDocumented(database);
      adapter = opened.adapter();
      userId = (await adapter.createUser({ ...ada, id: crypto.randomUUID(), email: 'key' })).id;
    });
    afterAll(() => opened?.close());

    it('a user', async () => {
      expect((await adapter.getUserByEmail('key'))?.id).toBe(userId);
      for (const email of lookAlikes) expect(await adapter.getUserByEmail(email), email).toBeNull();
    });

    it('an account', async () => {
      const account = { ...github, provider: 'key', providerAccountId: 'key', userId };
      await adapter.linkAccount(account);
      expect((await adapter.getUserByAccount(account))?.id).toBe(userId);
      for (const text of lookAlikes) {
        for (const other of [
          { ...account, providerAccountId: text },
          { ...account, provider: text },
        ]) {
          expect(await adapter.getUserByAccount(other), text).toBeNull();
          expect(await adapter.getAccount(other.providerAccountId, other.provider), text).toBeNull();
          expect((await adapter.updateAccount({ ...other, access_token: 'stolen' })) ?? null, text).toBeNull();
          expect(await adapter.unlinkAccount(other), text).toBeUndefined();
        }
      }
      // The table may have a time stamp of the name `createdAt`.
      expect(await adapter.getAccount('key', 'key')).toMatchObject(account);
    });

    it('a session', async () => {
      const expires = new Date('2030-01-01T00:00:00Z');
      await adapter.createSession({ sessionToken: 'key', userId, expires });
      for (const sessionToken of lookAlikes) {
        expect(await adapter.getSessionAndUser(sessionToken), sessionToken).toBeNull();
        expect(await adapter.updateSession({ sessionToken, expires: later }), sessionToken).toBeNull();
        expect(await adapter.extendSession({ sessionToken, from: expires, to: later }), sessionToken).toBe(false);
        expect(await adapter.deleteSession(sessionToken), sessionToken).toBeNull();
      }
      expect((await adapter.getSessionAndUser('key'))?.session).toEqual({ sessionToken: 'key', userId, expires });
    });

    it('a verification token', async () => {
      const token = { identifier: 'key', token: 'key', expires: new Date('2030-01-01T00:00:00Z') };
      await adapter.createVerificationToken(token);
      for (const text of lookAlikes) {
        expect(await adapter.useVerificationToken({ ...token, token: text }), text).toBeNull();
        expect(await adapter.useVerificationToken({ ...token, identifier: text }), text).toBeNull();
      }
      expect(await adapter.useVerificationToken(token)).toEqual(token);
    });

    it('a passkey', async () => {
      // The documentation of Kysely's adapter has no table for passkeys.
      if (database === kyselyMysql) await migrate(opened.db, { schema: database.preset });
      const adapter = opened.adapter();
      await adapter.createAuthenticator({ ...passkey, credentialID: 'key', userId });
      for (const credentialID of lookAlikes) {
        expect(await adapter.getAuthenticator(credentialID), credentialID).toBeNull();
        await expect(adapter.updateAuthenticatorCounter(credentialID, 9)).rejects.toThrow('no passkey');
      }
      expect((await adapter.getAuthenticator('key'))?.counter).toBe(passkey.counter);
    });

    it('rows by an index', async () => {
      const pool = opened.db as MysqlPool;
      const statements: string[] = [];
      const execute: MysqlPool['execute'] = (query) => {
        statements.push(query.sql);
        return pool.execute(query);
      };
      const { query, getConnection } = pool;
      const watched = { execute, query: query.bind(pool), getConnection: getConnection.bind(pool) };
      await SqlAdapter(watched, { schema: database.preset, migrate: false }).getSessionAndUser('key');
      const plan = await opened.rows(`explain ${statements.at(-1)?.replaceAll('?', `'key'`)}`);
      expect(plan.map(({ type, rows }) => [type, Number(rows)])).toEqual([
        ['const', 1],
        ['const', 1],
      ]);
    });

    if (database !== drizzleMysql) return;

    it('no row of a transaction with a text that is too long for its column', async () => {
      const account = { ...github, providerAccountId: 'long', access_token: 'x'.repeat(256) };
      const bob = { ...ada, id: crypto.randomUUID(), email: 'bob' };
      await expect(adapter.linkAccount({ ...account, userId })).rejects.toThrow(
        `Data too long for column 'access_token'`,
      );
      await expect(adapter.createUserWithAccount(bob, account)).rejects.toThrow(
        `Data too long for column 'access_token'`,
      );
      expect(await adapter.getUserByEmail('bob')).toBeNull();
      expect(await adapter.getAccount('long', account.provider)).toBeNull();
    });
  });
});

describe.skipIf(!engineFor(kyselyMysql).isAvailable)('a table that the application has made without a preset', () => {
  it('finds an account and a user by their bytes', async () => {
    const opened = await engineFor(kyselyMysql).open();
    onTestFinished(async () => void (await opened.close()));
    const columns = {
      people: 'name text, email varchar(255), emailVerified datetime(3), image text',
      identities: 'user varchar(255), type text, provider varchar(255), providerAccountId varchar(255)',
    };
    for (const [table, definitions] of Object.entries(columns)) {
      const text = `create table ${table} (id varchar(255) primary key, ${definitions}) collate utf8mb4_general_ci`;
      await run(opened.engine, sql.raw(text));
    }
    const adapter = SqlAdapter(opened.db, { schema: { tables: { users: 'people', accounts: 'identities' } } });
    const { id: userId } = await adapter.createUser({ ...ada, id: crypto.randomUUID(), email: 'key' });
    const account = { ...github, providerAccountId: 'key', userId };
    await adapter.linkAccount(account);
    expect((await adapter.getUserByAccount(account))?.id).toBe(userId);
    for (const text of lookAlikes) {
      expect(await adapter.getUserByAccount({ ...account, providerAccountId: text }), text).toBeNull();
      expect(await adapter.getUserByEmail(text), text).toBeNull();
    }
  });
});

describe.each([
  { dialect: 'sqlite', type: 'text collate nocase', key: 'key', other: 'KEY' },
  { dialect: 'sqlite', type: 'string', key: '1000', other: '1e3' },
  { dialect: 'sqlite', type: 'string', key: '110169484474386276334', other: '110169484474386276335' },
  { dialect: 'sqlite', type: 'integer', key: '7', other: '007' },
  { dialect: 'postgres', type: 'bigint', key: '7', other: '007' },
  { dialect: 'postgres', type: 'text collate loose', key: 'key', other: 'KÉY' },
] as const)(
  'a key column of $dialect with the type $type, which takes $key for $other',
  ({ dialect, type, key, other }) => {
    it.skipIf(!engineFor({ dialect }).isAvailable)('finds no account, token or passkey by the other key', async () => {
      const opened = await engineFor({ dialect }).open();
      onTestFinished(async () => void (await opened.close()));
      const { adapter, userId } = await withKeysOf(opened, type);
      const account = { ...github, provider: 'github', providerAccountId: key, userId };
      await adapter.linkAccount(account);
      expect(await adapter.getUserByAccount({ ...account, providerAccountId: other })).toBeNull();
      expect(await adapter.getAccount(other, 'github')).toBeNull();
      expect(await adapter.unlinkAccount({ ...account, providerAccountId: other })).toBeUndefined();
      await adapter.createVerificationToken({ identifier: 'i', token: key, expires: later });
      expect(await adapter.useVerificationToken({ identifier: 'i', token: other })).toBeNull();
      await adapter.createAuthenticator({ ...passkey, credentialID: key, userId });
      expect(await adapter.getAuthenticator(other)).toBeNull();
      // SQLite has rounded the long number, so nothing finds that row.
      const isKept = key.length < 19;
      expect((await adapter.getUserByAccount(account))?.id).toBe(isKept ? userId : undefined);
      expect((await adapter.getAuthenticator(key)) !== null).toBe(isKept);
    });
  },
);

/** Makes tables whose keys of accounts, links and passkeys have this type, and a user. */
async function withKeysOf(opened: Opened, type: string): Promise<{ adapter: SqlAdapter; userId: string }> {
  const collation = `create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`;
  const tables = {
    identities: `"id" text primary key, "provider" text, "providerAccountId" ${type}`,
    links: `"id" text primary key, "identifier" text, "token" ${type}`,
    devices: `"id" text primary key, "credentialID" ${type}`,
  };
  if (type.endsWith('loose')) await run(opened.engine, sql.raw(collation));
  for (const [name, columns] of Object.entries(tables))
    await run(opened.engine, sql.raw(`create table ${name} (${columns})`));
  const schema = { tables: { accounts: 'identities', verificationTokens: 'links', authenticators: 'devices' } };
  // The migration adds the other columns.
  const adapter = SqlAdapter(opened.db, { schema });
  return { adapter, userId: (await adapter.createUser({ ...ada, id: 'ada' })).id };
}
