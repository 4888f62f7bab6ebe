import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { SqlAdapter } from '../src/index.ts';
import { ada, counts, github, later } from './database.ts';
import { watched } from './watched.ts';

describe('statements', () => {
  it('are prepared once, whatever the members and values', async () => {
    const { db, prepared } = watched(new DatabaseSync(':memory:'));
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

  it('are few', async () => {
    const { db, statements } = watched(new DatabaseSync(':memory:'));
    const adapter = SqlAdapter(db);
    await adapter.createUser(ada);
    const session = { sessionToken: 's', userId: 'ada', expires: later };
    const { userId: _, ...account } = github;
    const expected: [number, () => unknown][] = [
      [1, () => adapter.getUserByAccount(github)],
      [3, () => adapter.createUserWithAccount({ ...ada, id: 'bob', email: 'bob' }, account)],
      [1, () => adapter.updateAccount({ ...github, userId: 'bob' })],
      [2, () => adapter.createSession(session)],
      [1, () => adapter.getSessionAndUser('s')],
      [1, () => adapter.extendSession({ sessionToken: 's', from: later, to: later })],
      [4, () => adapter.replaceSession('s', { ...session, sessionToken: 't' })],
      [1, () => adapter.spendOnce('key', later)],
      [1, () => adapter.useVerificationToken({ identifier: 'a', token: 'b' })],
    ];
    for (const [number, work] of expected) {
      statements();
      await work();
      expect(statements(), work.toString()).toHaveLength(number);
    }
  });

  it('find their rows by index', async () => {
    const memory = new DatabaseSync(':memory:');
    const { db, run } = watched(memory);
    const adapter = SqlAdapter(db);
    await adapter.createUserWithAccount(ada, github);
    run.length = 0;
    await adapter.getUser('ada');
    await adapter.getUserByEmail('a');
    await adapter.getUserByAccount(github);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: later });
    await adapter.getSessionAndUser('s');
    await adapter.replaceSession('s', { sessionToken: 't', userId: 'ada', expires: later });
    await adapter.updateSession({ sessionToken: 't', userId: 'ada' });
    await adapter.useVerificationToken({ identifier: 'a', token: 'b' });
    await adapter.unlinkAccount(github);
    await adapter.cleanup();
    await adapter.deleteUser('ada');
    for (const sql of run.filter((sql) => /^(select|update|delete)/.test(sql))) {
      const plan = memory.prepare(`explain query plan ${sql}`).all(...Array(sql.split('?').length - 1).fill('x'));
      const scans = plan.map(({ detail }) => String(detail)).filter((detail) => /^SCAN/.test(detail));
      expect(scans, sql).toEqual([]);
    }
  });
});

describe('transactions', () => {
  it('leave no half behind', async () => {
    const db = new DatabaseSync(':memory:');
    const adapter = SqlAdapter(db);
    await adapter.createUser(ada);
    db.exec(
      `create trigger broken before insert on auth_users_accounts begin select raise(abort, 'disk on fire'); end`,
    );
    const bob = { ...ada, id: 'bob', email: 'bob@example.com' };
    await expect(adapter.linkAccount(github)).rejects.toThrow('disk on fire');
    await expect(adapter.createUserWithAccount(bob, github)).rejects.toThrow('disk on fire');
    expect(counts(db)).toEqual({ auth_users: 1 });
    expect(db.isTransaction).toBe(false);
    db.exec('drop trigger broken');
    await adapter.createUserWithAccount(bob, github);
    expect(await adapter.getUserByAccount(github)).toEqual(bob);
  });

  it('let nothing of the application in, though it uses the same connection', async () => {
    const db = new DatabaseSync(':memory:');
    const adapter = SqlAdapter(db);
    await adapter.createUser(ada);
    db.exec('create table todo (text text)');
    const linking = adapter.linkAccount({ ...github, userId: 'nobody' });
    db.exec(`insert into todo values ('kept')`);
    await expect(linking).rejects.toThrow();
    expect(counts(db)).toEqual({ auth_users: 1, todo: 1 });
  });

  it('nest in one that the application has open', async () => {
    const db = new DatabaseSync(':memory:');
    const adapter = SqlAdapter(db);
    await adapter.createUser(ada);
    db.exec('begin');
    await expect(adapter.linkAccount({ ...github, userId: 'nobody' })).rejects.toThrow('no user');
    await adapter.linkAccount(github);
    expect(db.isTransaction).toBe(true);
    db.exec('rollback');
    expect(counts(db)).toEqual({ auth_users: 1 });
    await adapter.linkAccount(github);
    expect(await adapter.getUserByAccount(github)).toEqual(ada);
  });

  it('of two adapters on one connection do not meet', async () => {
    const db = new DatabaseSync(':memory:');
    const adapters = [SqlAdapter(db), SqlAdapter(db)];
    await adapters[0]?.createUser(ada);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        adapters[index % 2]?.createSession({ sessionToken: `${index}`, userId: 'ada', expires: later }),
      ),
    );
    expect(counts(db)).toMatchObject({ auth_sessions: 50, auth_users_sessions: 50 });
  });
});

describe('cleanup', () => {
  it('deletes in batches what has expired, with its links, and gives others their turn', async () => {
    const db = new DatabaseSync(':memory:');
    let now = new Date('2026-01-01T00:00:00Z');
    const adapter = SqlAdapter(db, { now: () => now });
    await adapter.createUser(ada);
    const expires = new Date(now.getTime() + 1000);
    for (let n = 0; n < 1200; n++) await adapter.createSession({ sessionToken: `${n}`, userId: 'ada', expires });
    await adapter.createSession({ sessionToken: 'alive', userId: 'ada', expires: later });
    await adapter.createVerificationToken({ identifier: 'ada', token: 't', expires });
    await adapter.spendOnce('key', expires);
    now = expires;
    expect(await adapter.cleanup()).toBe(0);
    now = new Date(expires.getTime() + 1);
    let turns = 0;
    const other = setInterval(() => turns++, 0);
    expect(await adapter.cleanup()).toBe(1202);
    clearInterval(other);
    expect(turns).toBeGreaterThan(0);
    expect(counts(db)).toEqual({ auth_users: 1, auth_sessions: 1, auth_users_sessions: 1 });
    expect(await adapter.spendOnce('key', later)).toBe(true);
  });
});
