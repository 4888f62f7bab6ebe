import type { AdapterUser } from '@latchkey/core/adapters';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { RowNotFound, UniqueViolation } from '../src/index.ts';
import { dialectPlaces, placeOf } from './place.ts';
import { ada, bob, github, later, passkey } from './samples.ts';

const session = { sessionToken: 's', userId: 'ada', expires: later };
const token = { identifier: 'ada@example.com', token: 't', expires: later };

describe.each(dialectPlaces)('rows on $name', (kind) => {
  const place = placeOf(kind);
  const { rows, run, counts } = place;
  beforeEach(() => place.adapter.createUser(ada));

  const accountLinks = () =>
    rows(sql`
      select ${sql.ref('l.user')} from ${sql.table('auth_users_accounts')} as l
      join ${sql.table('auth_accounts')} as a on a.id = l.account and ${sql.ref('a.user')} = ${sql.ref('l.user')}`);
  const sessionLinks = () =>
    rows(sql`
      select ${sql.ref('l.user')}, ${sql.ref('sessionToken')} from ${sql.table('auth_users_sessions')} as l
      join ${sql.table('auth_sessions')} as s on s.id = l.session and ${sql.ref('s.user')} = ${sql.ref('l.user')}`);

  it('are returned with exactly the members of their types', async () => {
    const { adapter } = place;
    expect(await adapter.linkAccount(github)).toStrictEqual(github);
    expect(await adapter.createSession(session)).toStrictEqual(session);
    expect(await adapter.createVerificationToken(token)).toStrictEqual(token);
    expect(await adapter.createAuthenticator(passkey)).toStrictEqual(passkey);
    expect(await adapter.getSessionAndUser('s')).toStrictEqual({ session, user: ada });
    expect(await adapter.getUserByAccount(github)).toStrictEqual(ada);
    expect(await adapter.getAccount('1', 'github')).toStrictEqual(github);
    expect(await adapter.getAuthenticator('credential')).toStrictEqual(passkey);
    expect(await adapter.listAuthenticatorsByUserId('ada')).toStrictEqual([passkey]);
    expect(await adapter.updateAuthenticatorCounter('credential', 4)).toStrictEqual({ ...passkey, counter: 4 });
    expect(await adapter.updateSession({ sessionToken: 's' })).toStrictEqual(session);
    expect(await adapter.deleteSession('s')).toStrictEqual(session);
    expect(await adapter.useVerificationToken(token)).toStrictEqual(token);
    expect(await adapter.unlinkAccount(github)).toStrictEqual(github);
    expect(await adapter.deleteUser('ada')).toStrictEqual(ada);
  });

  it('that do not exist are null, and can be deleted without an error', async () => {
    const { adapter } = place;
    expect(await adapter.deleteUser('bob')).toBeNull();
    expect(await adapter.deleteSession('s')).toBeNull();
    expect(await adapter.unlinkAccount(github)).toBeUndefined();
    expect(await adapter.updateSession(session)).toBeNull();
    expect(await adapter.updateAccount(github)).toBeUndefined();
    expect(await adapter.getAuthenticator('credential')).toBeNull();
    expect(await adapter.listAuthenticatorsByUserId('bob')).toEqual([]);
    await expect(adapter.updateAuthenticatorCounter('credential', 1)).rejects.toThrow(RowNotFound);
    await expect(adapter.updateUser({ id: 'bob', name: 'Bob' })).rejects.toThrow(RowNotFound);
  });

  it('have dates of their own', async () => {
    const { adapter } = place;
    const expires = new Date(later);
    const returned = [
      (await adapter.createSession({ ...session, expires })).expires,
      (await adapter.createVerificationToken({ ...token, expires }))?.expires,
    ];
    for (const date of returned) expect(date).not.toBe(expires);
    expires.setTime(0);
    expect(returned).toEqual([later, later]);
  });

  it('have links that are written and deleted with them', async () => {
    const { adapter } = place;
    await adapter.createUser(bob);
    await adapter.linkAccount(github);
    await adapter.createSession({ ...session, sessionToken: 'old' });
    await adapter.createSession({ ...session, sessionToken: 'other' });
    await adapter.replaceSession('old', { ...session, sessionToken: 'new' });
    expect(await accountLinks()).toEqual([{ user: 'ada' }]);
    expect(await sessionLinks()).toEqual(
      expect.arrayContaining([
        { user: 'ada', sessionToken: 'new' },
        { user: 'ada', sessionToken: 'other' },
      ]),
    );
    await adapter.updateSession({ sessionToken: 'new', userId: 'bob' });
    expect(await sessionLinks()).toContainEqual({ user: 'bob', sessionToken: 'new' });
    expect((await adapter.getSessionAndUser('new'))?.user.id).toBe('bob');
    expect(await counts()).toEqual({
      auth_users: 2,
      auth_accounts: 1,
      auth_users_accounts: 1,
      auth_sessions: 2,
      auth_users_sessions: 2,
    });
    await adapter.deleteSession('new');
    expect(await sessionLinks()).toEqual([{ user: 'ada', sessionToken: 'other' }]);
    await adapter.deleteSession('other');
    await adapter.unlinkAccount(github);
    expect(await counts()).toEqual({ auth_users: 2 });
  });

  it('are deleted with their user, and those of other users stay', async () => {
    const { adapter } = place;
    await adapter.createUser(bob);
    for (const [userId, at] of [
      ['ada', 1],
      ['bob', 2],
    ] as const) {
      await adapter.linkAccount({ ...github, userId, providerAccountId: `${at}` });
      await adapter.createSession({ ...session, userId, sessionToken: `${at}` });
      await adapter.createAuthenticator({ ...passkey, userId, credentialID: `${at}` });
    }
    await adapter.deleteUser('ada');
    expect(await counts()).toEqual({
      auth_users: 1,
      auth_accounts: 1,
      auth_users_accounts: 1,
      auth_sessions: 1,
      auth_users_sessions: 1,
      auth_authenticators: 1,
    });
    expect(await accountLinks()).toEqual([{ user: 'bob' }]);
    expect(await sessionLinks()).toEqual([{ user: 'bob', sessionToken: '2' }]);
    expect((await adapter.listAuthenticatorsByUserId('bob')).length).toBe(1);
  });

  it('do not store members without a column', async () => {
    const { adapter } = place;
    const account = { ...github, expires_in: 3600, foo: 'bar', refresh_token_expires_in: 5 };
    expect(await adapter.linkAccount(account)).toStrictEqual(github);
    expect(await adapter.getAccount('1', 'github')).toStrictEqual(github);
    await adapter.createUser({ ...bob, role: 'admin' } as AdapterUser);
    expect(await adapter.getUser('bob')).toStrictEqual(bob);
  });

  it('have the id from core, or an id that the adapter makes', async () => {
    const { adapter } = place;
    const { id: _, ...withoutId } = bob;
    const created = await adapter.createUser(withoutId as AdapterUser);
    expect(created.id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(await adapter.getUserByEmail(bob.email)).toEqual(created);
    await expect(adapter.createUser({ ...bob, id: 'ada', email: 'other@example.com' })).rejects.toThrow(
      UniqueViolation,
    );
    expect(await adapter.getUser('ada')).toEqual(ada);
  });

  it('have a null address if the provider sends no address, or an empty one', async () => {
    const { adapter } = place;
    for (const email of [undefined, null, '', ''])
      await adapter.createUser({ ...ada, id: crypto.randomUUID(), email: email as string });
    await adapter.createUser(bob);
    expect((await adapter.updateUser({ id: 'bob', email: '' })).email).toBeNull();
    expect(await rows(sql`select distinct email from ${sql.table('auth_users')} order by email desc`)).toHaveLength(2);
    expect(await rows(sql`select id from ${sql.table('auth_users')} where email is null`)).toHaveLength(5);
    expect(await adapter.getUserByEmail('')).toBeNull();
    expect(await adapter.getUserByEmail(null as unknown as string)).toBeNull();
  });

  it('keep the values that an update does not name, and can lose those that it names', async () => {
    const { adapter } = place;
    await adapter.updateUser({ id: 'ada', image: 'picture', email: undefined as unknown as string });
    expect(await adapter.getUser('ada')).toEqual({ ...ada, image: 'picture' });
    await adapter.updateUser({ id: 'ada', image: null, name: null, emailVerified: null });
    expect(await adapter.getUser('ada')).toEqual({ ...ada, image: null, name: null, emailVerified: null });
    await adapter.linkAccount(github);
    const { access_token: _, ...others } = github;
    await adapter.updateAccount({ ...others, scope: 'user', expires_at: 5 });
    expect(await adapter.getAccount('1', 'github')).toStrictEqual({ ...github, scope: 'user', expires_at: 5 });
  });

  it('without an expiry or an existing user are not a session', async () => {
    const { adapter } = place;
    const tokens = ['no-expiry', 'no-user', 'gone-user'];
    for (const sessionToken of tokens) await adapter.createSession({ ...session, sessionToken });
    const set = (column: string, value: string | null, of: string) =>
      run(sql`
        update ${sql.table('auth_sessions')} set ${sql.ref(column)} = ${value}
        where ${sql.ref('sessionToken')} = ${of}`);
    await set('expires', null, 'no-expiry');
    await set('user', null, 'no-user');
    await set('user', 'bob', 'gone-user');
    for (const sessionToken of tokens) {
      expect(await adapter.getSessionAndUser(sessionToken), sessionToken).toBeNull();
      expect(await adapter.updateSession({ sessionToken }), sessionToken).toEqual(
        sessionToken === 'gone-user' ? { ...session, sessionToken, userId: 'bob' } : null,
      );
    }
    expect(await adapter.getSessionAndUser(null as unknown as string)).toBeNull();
    expect(await adapter.cleanup()).toBe(0);
    expect(await adapter.deleteSession('no-expiry')).toBeNull();
    expect(await rows(sql`select id from ${sql.table('auth_sessions')} where expires is null`)).toEqual([]);
  });

  it('without an expiry are not a verification token, and without a user not a passkey', async () => {
    const { adapter } = place;
    await adapter.createVerificationToken(token);
    await adapter.createAuthenticator(passkey);
    await run(sql`update ${sql.table('auth_verificationTokens')} set expires = ${null}`);
    await run(sql`update ${sql.table('auth_authenticators')} set ${sql.ref('user')} = ${null}`);
    expect(await adapter.useVerificationToken(token)).toBeNull();
    expect(await adapter.getAuthenticator('credential')).toBeNull();
  });

  it('of an account without an existing user are replaced together with their links', async () => {
    const { adapter } = place;
    await adapter.linkAccount(github);
    // As an application does that does not use the other tables.
    await run(sql`delete from ${sql.table('auth_users')}`);
    expect(await adapter.getUserByAccount(github)).toBeNull();
    const { userId: _, ...account } = github;
    expect(await adapter.createUserWithAccount(bob, account)).toEqual(bob);
    expect(await adapter.getUserByAccount(github)).toEqual(bob);
    expect(await counts()).toEqual({ auth_users: 1, auth_accounts: 1, auth_users_accounts: 1 });
    expect(await accountLinks()).toEqual([{ user: 'bob' }]);
    await run(sql`delete from ${sql.table('auth_users')}`);
    await adapter.createUser(ada);
    await adapter.linkAccount(github);
    expect(await adapter.getUserByAccount(github)).toEqual(ada);
    expect(await accountLinks()).toEqual([{ user: 'ada' }]);
    expect(await counts()).toEqual({ auth_users: 1, auth_accounts: 1, auth_users_accounts: 1 });
  });

  it('of an account with an existing user stay with that user', async () => {
    const { adapter } = place;
    await adapter.linkAccount(github);
    await adapter.createUser(bob);
    await expect(adapter.linkAccount({ ...github, userId: 'bob', access_token: 'stolen' })).rejects.toThrow(
      UniqueViolation,
    );
    expect(await adapter.getAccount('1', 'github')).toEqual(github);
    expect(await accountLinks()).toEqual([{ user: 'ada' }]);
  });

  it('need an existing user', async () => {
    const { adapter } = place;
    const unknown = { userId: 'unknown' };
    await expect(adapter.linkAccount({ ...github, ...unknown })).rejects.toThrow(RowNotFound);
    await expect(adapter.createSession({ ...session, ...unknown })).rejects.toThrow(RowNotFound);
    await expect(adapter.replaceSession('x', { ...session, ...unknown })).rejects.toThrow(RowNotFound);
    await expect(adapter.createAuthenticator({ ...passkey, ...unknown })).rejects.toThrow(RowNotFound);
    expect(await counts()).toEqual({ auth_users: 1 });
  });

  it('report the violated key without its value', async () => {
    const again = await thrownBy(place.adapter.createUser({ ...bob, email: ada.email }));
    expect(again).toBeInstanceOf(UniqueViolation);
    expect(again.message).toMatch(/^a row with the same key exists \((auth_users[._])+email\)$/);
  });
});

describe.each(dialectPlaces.filter(({ dialect }) => dialect === 'sqlite'))('rows on $name', (kind) => {
  const place = placeOf(kind);
  const { rows, run } = place;

  it('have dates as text with milliseconds', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    await adapter.createSession(session);
    expect(await rows(sql`select emailVerified from auth_users`)).toEqual([
      { emailVerified: '2026-03-01T12:00:00.123Z' },
    ]);
    expect(await rows(sql`select expires from auth_sessions`)).toEqual([{ expires: '2099-01-01T00:00:00.001Z' }]);
  });

  it('with an invalid expiry are not a session', async () => {
    const { adapter } = place;
    await adapter.createUser(ada);
    await adapter.createSession(session);
    for (const expires of ['soon', '', '2099-13-41T00:00:00.000Z', '2099-02-31T00:00:00.000Z']) {
      await run(sql`update auth_sessions set expires = ${expires}`);
      expect(await adapter.getSessionAndUser('s'), expires).toBeNull();
    }
    await run(sql`update auth_sessions set expires = ${later.toISOString()}`);
    expect(await adapter.getSessionAndUser('s')).toEqual({ session, user: ada });
  });
});

async function thrownBy(work: unknown): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
