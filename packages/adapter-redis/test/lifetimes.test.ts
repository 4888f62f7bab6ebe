import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, RedisSessions, type Tag } from '../src/index.ts';
import { ada, bob, github, passkey } from './samples.ts';
import { subject } from './subject.ts';

const minute = 60_000;
const hour = 60 * minute;

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('lifetimes, tag %s', (tag: Tag) => {
  const redis = subject();
  const options = (): { prefix: string; tag: Tag } => ({ prefix: redis().prefix, tag });

  /** Returns the remaining lifetimes of the keys of one kind in milliseconds; -1 means forever. */
  async function left(sort: string): Promise<number[]> {
    const keys = (await redis().keys()).filter((key) => key.replace('{latchkey}:', '').split(':')[0] === sort);
    return Promise.all(keys.map(async (key) => Number(await redis().send('PTTL', redis().prefix + key))));
  }

  it('are unlimited for users, accounts and authenticators', async () => {
    const adapter = RedisAdapter(redis().client, options());
    const { userId: _, ...account } = github;
    await adapter.createUserWithAccount(ada, account);
    await adapter.createAuthenticator(passkey);
    await adapter.updateUser({ id: 'ada', email: 'countess@example.com' });
    await adapter.updateAccount({ ...github, access_token: 'new' });
    await adapter.updateAuthenticatorCounter(passkey.credentialID, 1);
    for (const sort of ['user', 'email', 'account', 'accounts', 'authenticator', 'authenticators'])
      expect(await left(sort), sort).toEqual([-1]);
    expect(await redis().keys()).toHaveLength(6);
  });

  it('end an hour after the expiry of sessions and one-time values', async () => {
    const adapter = RedisAdapter(redis().client, options());
    await adapter.createUser(ada);
    const expires = new Date(Date.now() + 10 * minute);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires });
    await adapter.createVerificationToken({ identifier: 'i', token: 't', expires });
    await adapter.spendOnce('k', expires);
    for (const sort of ['session', 'token', 'tokens', 'spent', 'sessions', 'expiring']) {
      const lifetimes = await left(sort);
      expect(lifetimes.length, sort).toBeGreaterThan(0);
      for (const one of lifetimes) {
        expect(one, sort).toBeLessThanOrEqual(hour + 10 * minute);
        expect(one, sort).toBeGreaterThan(hour + 9 * minute);
      }
    }
  });

  it('follow the expiry when it moves in either direction', async () => {
    const adapter = RedisAdapter(redis().client, options());
    await adapter.createUser(ada);
    const from = new Date(Date.now() + 10 * minute);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: from });
    const to = new Date(Date.now() + 30 * minute);
    expect(await adapter.extendSession({ sessionToken: 's', from, to })).toBe(true);
    for (const sort of ['session', 'sessions', 'expiring']) {
      expect((await left(sort))[0], sort).toBeGreaterThan(hour + 29 * minute);
      expect((await left(sort))[0], sort).toBeLessThanOrEqual(hour + 30 * minute);
    }
    await adapter.updateSession({ sessionToken: 's', expires: new Date(Date.now() + 5 * minute) });
    expect((await left('session'))[0]).toBeLessThanOrEqual(hour + 5 * minute);
    // A session that expires sooner than its entry is still found by its entry.
    await adapter.deleteUser('ada');
    expect(await adapter.getSessionAndUser('s')).toBeNull();
    expect(await left('session')).toEqual([]);
  });

  it('are an hour for rows that have expired already', async () => {
    const adapter = RedisAdapter(redis().client, options());
    await adapter.createUser(ada);
    const expires = new Date('0001-01-01T00:00:00.001Z');
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires });
    expect((await left('session'))[0]).toBeGreaterThan(59 * minute);
    expect((await left('session'))[0]).toBeLessThanOrEqual(hour);
    expect((await adapter.getSessionAndUser('s'))?.session.expires).toEqual(expires);
  });

  it('depend on the clock of the application, not on that of the server', async () => {
    const now = new Date('2001-01-01T00:00:00.000Z');
    const adapter = RedisAdapter(redis().client, { ...options(), now: () => now });
    await adapter.createUser(ada);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: new Date(now.getTime() + minute) });
    for (const sort of ['session', 'sessions', 'expiring']) {
      expect((await left(sort))[0], sort).toBeGreaterThan(hour);
      expect((await left(sort))[0], sort).toBeLessThanOrEqual(hour + minute);
    }
    expect(await adapter.cleanup()).toBe(0);
    now.setTime(now.getTime() + 2 * minute);
    expect(await adapter.cleanup()).toBe(1);
  });

  it('remove expired entries from the lists', async () => {
    const now = new Date('2026-01-01T00:00:00.000Z');
    const sessions = RedisSessions(redis().client, { ...options(), now: () => now });
    for (let count = 0; count < 300; count++) {
      await sessions.createSession({
        sessionToken: `s${count}`,
        userId: 'ada',
        expires: new Date(now.getTime() + minute),
      });
      now.setTime(now.getTime() + minute);
    }
    const sizes = await Promise.all(
      (await redis().keys())
        .filter((key) => /sessions|expiring/.test(key))
        .map(async (key) => Number(await redis().send('ZCARD', redis().prefix + key))),
    );
    // One session a minute, each listed until an hour after its expiry, or until the next write to its list.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(63);
  });

  it('end at cleanup for thousands of rows, but not for extended ones', async () => {
    const now = new Date();
    const adapter = RedisAdapter(redis().client, { ...options(), now: () => now });
    await adapter.createUser(bob);
    const expires = new Date(now.getTime() + minute);
    const tokens = Array.from({ length: 1200 }, (_, index) => `s${index}`);
    await Promise.all(tokens.map((sessionToken) => adapter.createSession({ sessionToken, userId: 'bob', expires })));
    await adapter.extendSession({ sessionToken: 's7', from: expires, to: new Date(now.getTime() + hour) });
    // A deleted session does not change the number that cleanup returns.
    await adapter.deleteSession('s8');
    now.setTime(now.getTime() + 2 * minute);
    expect(await adapter.cleanup()).toBe(1198);
    expect(await adapter.cleanup()).toBe(0);
    expect((await left('session')).length).toBe(1);
    expect(await adapter.getSessionAndUser('s7')).not.toBeNull();
  });
});
