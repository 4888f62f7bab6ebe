import { DatabaseSync } from 'node:sqlite';
import type { AdapterUser } from '@latchkey/core/adapters';
import { application } from '@latchkey/testing';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { available, mariadb, postgres } from '../../../test/services/index.ts';
import { type Database, SqlAdapter, type SqlAdapterOptions } from '../src/index.ts';
import { isPrivate } from '../src/schema/private-names.ts';
import { documented } from './presets/documented.ts';
import { engineFor, openDocumented } from './presets/opened.ts';
import { ada } from './samples.ts';

afterEach(() => vi.restoreAllMocks());

describe('the name of a column', () => {
  it.each([
    ...[
      'password',
      'Password',
      'PASSWORD_HASH',
      'passwordhash',
      'userPasswd',
      'encrypted_password',
      'pwd',
      'user_pass',
    ],
    ...['passphrase', 'hash', 'pwHash', 'md5hash', 'salt', 'passwordSalt', 'secret', 'totpSecret', '$2faSecret'],
    ...['token', 'resetToken', 'reset_token_2', 'authtoken', 'tokens', 'otp', 'otpCode', 'TOTP', 'mfaKey', 'pin'],
    ...['recoveryCodes', 'two_factor_recovery_codes', 'backup_code', 'resetcode', 'verificationCode', 'securityAnswer'],
    ...['apiKey', 'APIKey', 'api_keys', 'apikey', 'privateKey', 'credentials', 'passwordChangedAt'],
    ...['pw', 'user_pw', 'passwort', 'bcrypt', 'argon2', 'otpauthUrl', 'mnemonic', 'refreshJwt', 'recoveryKey'],
    ...['user_activation_key', 'activationCode', 'verifyCode', 'twoFactorCode', 'one_time_code', 'authCode'],
    ...['magicLink', 'reset_url', 'mfaSeed', 'recoveryPhrase', 'seedPhrase', 'security_stamp', 'sessionKey'],
  ])('%s says that it is private', (name) => {
    expect(isPrivate(name, 'text')).toBe(true);
  });

  it.each([
    ...['role', 'hashtag', 'hashtags', 'saltiness', 'secretary', 'tokenizer', 'compass_code', 'passportNo', 'spin'],
    ...['publicKey', 'sortKey', 'countryCode', 'inviteCode', 'postal_code', 'bypass', 'locale', 'digest', 'mfaEnabled'],
    ...['activationDate', 'sessionCount', 'avatarUrl', 'catchphrase', 'factor', 'timecode', 'inviteLink', 'authorKey'],
  ])('%s does not', (name) => {
    expect(isPrivate(name, 'text')).toBe(false);
  });

  it.each(['passwordChangedAt', 'hasPassword'])('%s does not if it is a date or a boolean', (name) => {
    expect([isPrivate(name, 'date'), isPrivate(name, 'boolean')]).toEqual([false, false]);
  });
});

const { kyselySqlite, kyselyPostgres, kyselyMysql } = documented;

describe.each([kyselySqlite, kyselyPostgres, kyselyMysql])('private columns of $title', (kind) => {
  it.skipIf(!engineFor(kind).isAvailable)('are read and written only if `userFields` lists them', async () => {
    const opened = await openDocumented(kind);
    onTestFinished(opened.close);
    for (const column of ['passwordHash', 'api_key', 'plan'])
      await opened.run(`alter table "User" add column "${column}" varchar(99) default 'initial'`);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const adapter = opened.adapter();
    const user = await adapter.createUser({ ...ada, id: crypto.randomUUID(), passwordHash: 'forged' } as AdapterUser);
    expect(user).toStrictEqual({ ...ada, id: user.id, role: 'reader', plan: 'initial' });
    await adapter.updateUser({ ...user, api_key: 'forged' } as AdapterUser);
    expect(await adapter.getUser(user.id)).toStrictEqual(user);
    expect(await opened.rows('select "passwordHash", api_key from "User"')).toEqual([
      { passwordHash: 'initial', api_key: 'initial' },
    ]);
    const warnings = warn.mock.calls.flat().filter((text) => String(text).includes('[private-columns]'));
    expect(warnings).toEqual([
      '[auth][warn][private-columns] columns of table User are not read or written, because their names say that they hold a secret: passwordHash, api_key. List all further columns that the application needs in `userFields`',
    ]);
    warn.mockClear();
    const listed = opened.adapter({ userFields: { passwordHash: 'text' } });
    expect(await listed.getUser(user.id)).toStrictEqual({ ...ada, id: user.id, passwordHash: 'initial' });
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('a session callback that returns the whole user', () => {
  it('does not disclose a column with password hashes', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const db = new DatabaseSync(':memory:');
    for (const statement of kyselySqlite.statements) db.exec(statement);
    db.exec(`alter table "User" add column passwordHash text default 'the-hash'`);
    const app = application({
      adapter: SqlAdapter(db, { schema: 'kysely-adapter' }),
      config: {
        session: { strategy: 'database' },
        callbacks: { session: ({ session, user }) => ({ ...session, user }) },
      },
    });
    await app.signIn();
    const session = await app.session();
    expect(session).toMatchObject({ user: { email: 'ada@example.com', role: 'reader' } });
    expect(JSON.stringify(session)).not.toContain('the-hash');
  });
});

/** A database with a column `plan`, and a column `salary` that this connection must not read. */
interface Restricted {
  readonly db: Database;
  readonly options: SqlAdapterOptions;
}

const opens: Readonly<Record<string, () => Promise<Restricted>>> = {
  ...((await available('postgres')) ? { PostgreSQL: openPostgres } : {}),
  ...((await available('mariadb')) ? { MariaDB: openMariadb } : {}),
};

describe.each(Object.entries(opens))('a column without the privilege to select it on %s', (_, open) => {
  it('is not discovered, so that the other columns can be read', async () => {
    const { db, options } = await open();
    const adapter = SqlAdapter(db, options);
    const user = await adapter.createUser({ ...ada, id: crypto.randomUUID() });
    expect(user).toStrictEqual({ ...ada, id: user.id, role: 'reader', plan: null });
    expect(await adapter.getUserByEmail(ada.email)).toStrictEqual(user);
  });
});

const RENAMED = { schema: 'kysely-adapter' } as const;
const READABLE = ['id', 'name', 'email', 'emailVerified', 'image', 'role', 'plan'];

async function openPostgres(): Promise<Restricted> {
  const fresh = await (await postgres()).fresh();
  onTestFinished(fresh.drop);
  const owner = new pg.Pool({ connectionString: fresh.url, max: 3 });
  onTestFinished(() => owner.end());
  for (const statement of kyselyPostgres.statements) await owner.query(statement);
  await owner.query('alter table "User" add column plan text, add column salary text');
  // The migration of the owner adds the unique indexes.
  await SqlAdapter(owner, RENAMED).getUser(crypto.randomUUID());
  // Roles belong to the server, not to the database.
  const role = `lk_restricted_${crypto.randomUUID().slice(0, 8)}`;
  await owner.query(`create role ${role} login`);
  onTestFinished(async () => {
    await owner.query(`drop owned by ${role}; drop role ${role}`);
  });
  await owner.query(`grant select, insert, update, delete on all tables in schema public to ${role}`);
  await owner.query(`revoke select on "User" from ${role}`);
  await owner.query(`grant select (${READABLE.map((name) => `"${name}"`).join()}) on "User" to ${role}`);
  const url = new URL(fresh.url);
  url.username = role;
  const db = new pg.Pool({ connectionString: url.href, max: 3 });
  onTestFinished(() => db.end());
  return { db, options: RENAMED };
}

async function openMariadb(): Promise<Restricted> {
  const fresh = await (await mariadb()).fresh();
  onTestFinished(fresh.drop);
  const owner = mysql.createPool({ uri: fresh.url, connectionLimit: 3 });
  onTestFinished(() => owner.end());
  for (const statement of kyselyMysql.statements) await owner.query(statement);
  await owner.query('alter table User add column plan varchar(9), add column salary varchar(9)');
  await SqlAdapter(owner, RENAMED).getUser(crypto.randomUUID());
  const url = new URL(fresh.url);
  const schema = url.pathname.slice(1);
  const user = `lk_${crypto.randomUUID().slice(0, 8)}`;
  await owner.query(`create user '${user}'@'%' identified by 'restricted'`);
  onTestFinished(async () => {
    await owner.query(`drop user '${user}'@'%'`);
  });
  const columns = READABLE.join();
  await owner.query(
    `grant select (${columns}), insert (${columns}, salary), update (${columns}, salary) on ${schema}.User to '${user}'@'%'`,
  );
  for (const table of ['Account', 'Session', 'VerificationToken'])
    await owner.query(`grant select, insert, update, delete on ${schema}.${table} to '${user}'@'%'`);
  Object.assign(url, { username: user, password: 'restricted' });
  const db = mysql.createPool({ uri: url.href, connectionLimit: 3 });
  onTestFinished(() => db.end());
  return { db, options: { ...RENAMED, migrate: false } };
}
