import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { SqlAdapter, UniqueViolation } from '../src/index.ts';
import { counted } from './counted.ts';
import { placeOf, places } from './place.ts';
import { ada, bob, github, later, passkey } from './samples.ts';

const session = { sessionToken: 's', userId: 'ada', expires: later };

describe('statements on node:sqlite', () => {
  it('are prepared once for all members and values', async () => {
    const { db, prepared } = counted(new DatabaseSync(':memory:'));
    const adapter = SqlAdapter(db);
    const use = async (n: string): Promise<void> => {
      await adapter.createUser({ ...ada, id: n, email: n });
      await adapter.updateUser({ id: n, name: n });
      await adapter.updateUser({ id: n, image: n, emailVerified: null });
      await adapter.linkAccount({ ...github, providerAccountId: n, userId: n });
      await adapter.updateAccount({ ...github, providerAccountId: n, userId: n, scope: n });
      await adapter.createSession({ sessionToken: n, userId: n, expires: later });
      await adapter.getSessionAndUser(n);
      await adapter.deleteUser(n);
      await adapter.cleanup();
    };
    await use('first');
    const before = prepared.length;
    await use('second');
    expect(prepared.length).toBe(before);
    expect(new Set(prepared).size).toBe(before);
  });

  it('find their rows by an index', async () => {
    const memory = new DatabaseSync(':memory:');
    const { db, statements } = counted(memory);
    const adapter = SqlAdapter(db);
    await adapter.createUserWithAccount(ada, github);
    statements();
    await useAll(adapter);
    const found = statements().filter((sql) => /^(select|update|delete)/.test(sql));
    expect(found.length).toBeGreaterThan(20);
    for (const sql of found) {
      const plan = memory.prepare(`explain query plan ${sql}`).all(...Array(sql.split('?').length - 1).fill('x'));
      const scans = plan.map(({ detail }) => String(detail)).filter((detail) => /^SCAN/.test(detail));
      expect(scans, sql).toEqual([]);
    }
  });
});

// Kysely uses one of these drivers, so its statements are not counted.
describe.each(places.filter(({ name }) => !name.startsWith('Kysely')))('statements on $name', (kind) => {
  const place = placeOf(kind);

  it('are few', async () => {
    const { db, statements } = counted(place.db);
    const adapter = SqlAdapter(db);
    await adapter.createUser(ada);
    await adapter.deleteUser('unknown');
    const { userId: _, ...account } = github;
    const mysql = kind.dialect === 'mysql';
    const locks = kind.dialect === 'sqlite' ? 0 : 1;
    const expected: [number, () => unknown][] = [
      [1, () => adapter.getUser('ada')],
      [1, () => adapter.getUserByEmail(ada.email)],
      [1, () => adapter.getUserByAccount(github)],
      [3, () => adapter.createUserWithAccount(bob, account)],
      [2, () => adapter.linkAccount({ ...github, providerAccountId: '2' })],
      [1, () => adapter.updateAccount({ ...github, userId: 'bob' })],
      [2, () => adapter.createSession(session)],
      [1, () => adapter.getSessionAndUser('s')],
      [1, () => adapter.extendSession({ sessionToken: 's', from: later, to: later })],
      [mysql ? 5 : 4, () => adapter.replaceSession('s', { ...session, sessionToken: 't' })],
      [mysql ? 3 : 2, () => adapter.deleteSession('t')],
      [1, () => adapter.createVerificationToken({ identifier: 'a', token: 'b', expires: later })],
      [1, () => adapter.spendOnce('key', later)],
      [mysql ? 2 : 1, () => adapter.useVerificationToken({ identifier: 'a', token: 'b' })],
      [mysql ? 2 : 1, () => adapter.updateUser({ id: 'ada', name: 'Countess' })],
      [(mysql ? 7 : 6) + locks, () => adapter.deleteUser('ada')],
    ];
    for (const [number, work] of expected) {
      statements();
      await work();
      expect(statements(), work.toString()).toHaveLength(number);
    }
  });
});

describe.each(places)('transactions on $name', (kind) => {
  const place = placeOf(kind);

  it('are rolled back completely', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    await adapter.createSession(session);
    const before = await place.counts();
    // Links cannot be written any more.
    await place.run(sql`alter table auth_users_accounts rename to set_aside`);
    await place.run(sql`alter table auth_users_sessions rename to set_aside_too`);
    try {
      const next = { ...session, sessionToken: 'next' };
      await expect(async () => adapter.linkAccount(github)).rejects.toThrow(/auth_users_accounts/);
      await expect(async () => adapter.createUserWithAccount(bob, github)).rejects.toThrow(/auth_users_accounts/);
      await expect(async () => adapter.createSession(next)).rejects.toThrow(/auth_users_sessions/);
      await expect(async () => adapter.replaceSession('s', next)).rejects.toThrow(/auth_users_sessions/);
      await expect(async () => adapter.deleteUser('ada')).rejects.toThrow(/auth_users_/);
    } finally {
      await place.run(sql`alter table set_aside rename to auth_users_accounts`);
      await place.run(sql`alter table set_aside_too rename to auth_users_sessions`);
    }
    expect(await place.counts()).toEqual(before);
    await adapter.createUserWithAccount(bob, github);
    expect(await adapter.getUserByAccount(github)).toEqual(bob);
    expect((await adapter.getSessionAndUser('s'))?.user).toEqual(ada);
  });
});

describe('transactions on node:sqlite', () => {
  const place = placeOf(places[0] as (typeof places)[0]);
  const db = () => place.db as DatabaseSync;

  it('do not contain statements of the application on the same connection', async () => {
    await place.adapter.createUser(ada);
    db().exec('create table if not exists todo (text text)');
    const linking = place.adapter.linkAccount({ ...github, userId: 'unknown' });
    db().exec(`insert into todo values ('kept')`);
    await expect(linking).rejects.toThrow('no user');
    expect(db().prepare('select text from todo').all()).toHaveLength(1);
    expect(await place.counts()).toEqual({ auth_users: 1 });
  });

  it('nest in an open transaction of the application', async () => {
    const { adapter, counts } = place;
    await adapter.createUser(ada);
    db().exec('begin');
    await expect(adapter.linkAccount({ ...github, userId: 'unknown' })).rejects.toThrow('no user');
    await adapter.linkAccount(github);
    expect(db().isTransaction).toBe(true);
    db().exec('rollback');
    expect(await counts()).toEqual({ auth_users: 1 });
    await adapter.linkAccount(github);
    expect(await adapter.getUserByAccount(github)).toEqual(ada);
  });

  it('of two adapters on one connection do not mix', async () => {
    const adapters = [SqlAdapter(db()), SqlAdapter(db())];
    await adapters[0]?.createUser(ada);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        adapters[index % 2]?.createSession({ ...session, sessionToken: `${index}` }),
      ),
    );
    expect(await place.counts()).toMatchObject({ auth_sessions: 50, auth_users_sessions: 50 });
  });
});

/** Calls each method once. */
async function useAll(adapter: SqlAdapter): Promise<void> {
  await adapter.getUser('ada');
  await adapter.getUserByEmail('a');
  await adapter.getUserByAccount(github);
  await adapter.updateUser({ id: 'ada', name: 'Ada' });
  await adapter.updateAccount(github);
  await adapter.createSession(session);
  await adapter.getSessionAndUser('s');
  await adapter.extendSession({ sessionToken: 's', from: later, to: later });
  await adapter.replaceSession('s', { ...session, sessionToken: 't' });
  await adapter.updateSession({ sessionToken: 't', userId: 'ada' });
  await adapter.useVerificationToken({ identifier: 'a', token: 'b' });
  await adapter.deleteVerificationTokens({ identifier: 'a' });
  for (const _ of [1, 2]) await adapter.spendOnce('key', later);
  await adapter.createAuthenticator(passkey);
  await adapter.getAuthenticator('credential');
  await adapter.listAuthenticatorsByUserId('ada');
  await adapter.updateAuthenticatorCounter('credential', 4);
  await adapter.deleteAuthenticator('credential');
  // The account exists, so the adapter looks for its user.
  await expect(async () => adapter.linkAccount(github)).rejects.toThrow(UniqueViolation);
  await adapter.unlinkAccount(github);
  await adapter.cleanup();
  await adapter.deleteUser('ada');
}
