import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { SqlAdapter, UniqueViolation } from '../src/index.ts';
import { ada, counts, github, later, rows } from './database.ts';

describe('rows', () => {
  let db: DatabaseSync;
  let adapter: SqlAdapter;

  beforeEach(async () => {
    db = new DatabaseSync(':memory:');
    adapter = SqlAdapter(db);
    await adapter.createUser(ada);
  });

  it('keep dates as text, to the millisecond', async () => {
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: later });
    expect(rows(db, 'select emailVerified from auth_users')).toEqual([{ emailVerified: '2026-03-01T12:00:00.123Z' }]);
    expect(rows(db, 'select expires from auth_sessions')).toEqual([{ expires: '2099-01-01T00:00:00.001Z' }]);
  });

  it('are returned with exactly the members of the contract', async () => {
    await adapter.linkAccount(github);
    const session = { sessionToken: 's', userId: 'ada', expires: later };
    const token = { identifier: 'ada@example.com', token: 't', expires: later };
    expect(await adapter.createSession(session)).toEqual(session);
    expect(await adapter.createVerificationToken(token)).toEqual(token);
    db.exec(`alter table auth_users add column role text default 'reader'`);
    expect(await adapter.getSessionAndUser('s')).toStrictEqual({ session, user: ada });
    expect(await adapter.getUserByAccount(github)).toStrictEqual(ada);
    expect(await adapter.getAccount('1', 'github')).toStrictEqual(github);
    expect(await adapter.updateSession({ sessionToken: 's' })).toStrictEqual(session);
    expect(await adapter.deleteSession('s')).toStrictEqual(session);
    expect(await adapter.useVerificationToken(token)).toStrictEqual(token);
    expect(await adapter.unlinkAccount(github)).toStrictEqual(github);
    expect(await adapter.deleteUser('ada')).toStrictEqual(ada);
    expect(await adapter.deleteUser('ada')).toBeNull();
    expect(await adapter.deleteSession('s')).toBeNull();
    expect(await adapter.unlinkAccount(github)).toBeUndefined();
    expect(await adapter.updateSession({ sessionToken: 's', expires: later })).toBeNull();
  });

  it('have links beside them, written and deleted with them', async () => {
    await adapter.createUser({ ...ada, id: 'bob', email: 'bob@example.com' });
    await adapter.linkAccount(github);
    await adapter.createSession({ sessionToken: 'old', userId: 'ada', expires: later });
    await adapter.replaceSession('old', { sessionToken: 'new', userId: 'ada', expires: later });
    const accountLinks = 'select l.user from auth_users_accounts l join auth_accounts a on a.id = l.account';
    const sessionLinks =
      'select l.user, sessionToken from auth_users_sessions l join auth_sessions s on s.id = l.session';
    expect(rows(db, accountLinks)).toEqual([{ user: 'ada' }]);
    expect(rows(db, sessionLinks)).toEqual([{ user: 'ada', sessionToken: 'new' }]);
    await adapter.updateSession({ sessionToken: 'new', userId: 'bob' });
    expect(rows(db, sessionLinks)).toEqual([{ user: 'bob', sessionToken: 'new' }]);
    expect((await adapter.getSessionAndUser('new'))?.user.id).toBe('bob');
    expect(counts(db)).toEqual({
      auth_users: 2,
      auth_accounts: 1,
      auth_users_accounts: 1,
      auth_sessions: 1,
      auth_users_sessions: 1,
    });
    await adapter.deleteSession('new');
    await adapter.unlinkAccount(github);
    expect(counts(db)).toEqual({ auth_users: 2 });
  });

  it('go with their user', async () => {
    await adapter.linkAccount(github);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: later });
    await adapter.deleteUser('ada');
    expect(counts(db)).toEqual({});
  });

  it('have no place for members that the schema does not know', async () => {
    const account = { ...github, expires_in: 3600, foo: 'bar', refresh_token_expires_in: 5 };
    expect(await adapter.linkAccount(account)).toStrictEqual(github);
    await adapter.createUser({ ...ada, id: 'bob', email: 'bob@example.com', role: 'admin' } as typeof ada);
    expect(await adapter.getUser('bob')).not.toHaveProperty('role');
  });

  it('get the id that core made, or one of their own', async () => {
    const { id: _, ...withoutId } = { ...ada, email: 'bob@example.com' };
    const bob = await adapter.createUser(withoutId as typeof ada);
    expect(bob.id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(await adapter.getUserByEmail('bob@example.com')).toEqual(bob);
    await expect(adapter.createUser({ ...ada, email: 'other@example.com' })).rejects.toThrow(UniqueViolation);
  });

  it('have a null address where the provider told none, or an empty one', async () => {
    for (const email of [undefined, null, '', ''])
      await adapter.createUser({ ...ada, id: crypto.randomUUID(), email: email as string });
    expect(rows(db, 'select distinct email from auth_users order by email')).toEqual([
      { email: null },
      { email: 'ada@example.com' },
    ]);
    expect(await adapter.getUserByEmail('')).toBeNull();
    expect(await adapter.getUserByEmail(null as unknown as string)).toBeNull();
  });

  it('without expiry, or without a user that exists, are no session', async () => {
    db.exec(`insert into auth_sessions (id, sessionToken, user, expires) values
      ('1', 'no-expiry', 'ada', null), ('2', 'no-user', null, '2099-01-01T00:00:00.000Z'),
      ('3', 'gone-user', 'bob', '2099-01-01T00:00:00.000Z'), ('4', 'no-date', 'ada', 'soon'),
      ('5', 'no-such-date', 'ada', '2099-13-41T00:00:00.000Z'), ('6', null, 'ada', '2099-01-01T00:00:00.000Z')`);
    for (const token of ['no-expiry', 'no-user', 'gone-user', 'no-date', 'no-such-date', null])
      expect(await adapter.getSessionAndUser(token as string)).toBeNull();
    expect(await adapter.cleanup()).toBe(0);
    expect(await adapter.deleteSession('no-expiry')).toBeNull();
    expect(rows(db, `select id from auth_sessions where sessionToken = 'no-expiry'`)).toEqual([]);
  });

  it('without expiry are no verification token', async () => {
    db.exec(`insert into auth_verificationTokens (id, identifier, token) values ('1', 'ada', 't')`);
    expect(await adapter.useVerificationToken({ identifier: 'ada', token: 't' })).toBeNull();
  });

  it("of an account whose user is gone stand in nobody's way", async () => {
    await adapter.linkAccount(github);
    // As an application does that knows nothing of the other tables.
    db.exec('delete from auth_users');
    expect(await adapter.getUserByAccount(github)).toBeNull();
    const { userId: _, ...account } = github;
    const bob = await adapter.createUserWithAccount({ ...ada, id: 'bob' }, account);
    expect(await adapter.getUserByAccount(github)).toEqual(bob);
    expect(rows(db, 'select user from auth_accounts')).toEqual([{ user: 'bob' }]);
    db.exec('delete from auth_users');
    await adapter.createUser(ada);
    await adapter.linkAccount(github);
    expect(await adapter.getUserByAccount(github)).toEqual(ada);
  });

  it('need a user who exists', async () => {
    const nobody = { userId: 'nobody' };
    await expect(adapter.linkAccount({ ...github, ...nobody })).rejects.toThrow('no user');
    await expect(adapter.createSession({ sessionToken: 's', ...nobody, expires: later })).rejects.toThrow('no user');
    await expect(adapter.updateUser({ id: 'nobody', name: 'Nobody' })).rejects.toThrow('no user');
    expect(counts(db)).toEqual({ auth_users: 1 });
  });

  it('say what is taken, and no value', async () => {
    const again = adapter.createUser({ ...ada, id: 'bob' });
    await expect(again).rejects.toThrow(UniqueViolation);
    await expect(again).rejects.toThrow('a row of the same key exists already (auth_users.email)');
  });

  it('refuse what they could not keep, naming the member and not the value', async () => {
    const half = 'secret\uD800';
    const refusals: [() => unknown, string][] = [
      [() => adapter.createUser({ ...ada, id: 'bob', email: half }), 'auth_users.email'],
      [() => adapter.updateUser({ id: 'ada', name: 5 as unknown as string }), 'auth_users.name'],
      [() => adapter.linkAccount({ ...github, access_token: half }), 'auth_accounts.access_token'],
      [() => adapter.linkAccount({ ...github, expires_at: Number.NaN }), 'auth_accounts.expires_at'],
      [() => adapter.linkAccount({ ...github, provider: undefined as unknown as string }), 'account.provider'],
      [() => adapter.createSession({ sessionToken: half, userId: 'ada', expires: later }), 'session.sessionToken'],
      [
        () => adapter.createSession({ sessionToken: 's', userId: 'ada', expires: new Date(Number.NaN) }),
        'session.expires',
      ],
      [() => adapter.createSession({ sessionToken: 's', userId: 'ada', expires: new Date(9e14) }), 'session.expires'],
      [() => adapter.extendSession({ sessionToken: 's', from: later, to: new Date(-9e13) }), 'to must'],
      [() => adapter.spendOnce('', undefined as unknown as Date), 'expires'],
    ];
    for (const [work, name] of refusals) {
      const error = await Promise.resolve()
        .then(work)
        .catch((error: unknown) => error);
      expect(error, name).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(name);
      expect(String(error)).not.toContain('secret');
    }
    expect(counts(db)).toEqual({ auth_users: 1 });
  });
});

describe('rows of a connection with manners of its own', () => {
  it('are read all the same', async () => {
    const db = new DatabaseSync(':memory:', { readBigInts: true, returnArrays: true });
    const adapter = SqlAdapter(db);
    await adapter.createUser(ada);
    await adapter.linkAccount(github);
    expect(await adapter.getUser('ada')).toEqual(ada);
    expect(await adapter.getAccount('1', 'github')).toEqual(github);
  });
});
