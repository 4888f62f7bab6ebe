import type { Adapter } from '@latchkey/core/adapters';
import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { combine, RedisAdapter, RedisSessions, type SessionStore, type Stores } from '../src/index.ts';
import { ada, bob, github, later, rejection } from './samples.ts';
import { subject } from './subject.ts';

const session = { sessionToken: 's', userId: 'ada', expires: later };
const token = { identifier: 'i', token: 't', expires: later };

describe.skipIf(!(await available('redis')))('combine', () => {
  const redis = subject();
  const sessionsOf = (): SessionStore => RedisSessions(redis().client, { prefix: redis().prefix });

  it('uses the sessions of a RedisAdapter, and the users of another store', async () => {
    const users = memoryAdapter();
    const whole = RedisAdapter(redis().client, { prefix: redis().prefix });
    const adapter = combine({ users, sessions: whole });
    await adapter.createUser?.(ada);
    await adapter.createSession?.(session);
    expect(await adapter.getSessionAndUser?.('s')).toStrictEqual({ session, user: ada });
    expect(await whole.getUser('ada')).toBeNull();
    expect(await whole.getSessionAndUser('s')).toBeNull();
    expect(users.dump().sessions).toEqual([]);
  });

  it('accepts a session while its user exists', async () => {
    const users = memoryAdapter();
    const adapter = combine({ users, sessions: sessionsOf() });
    await adapter.createUser?.(ada);
    await adapter.createSession?.(session);
    users.store.users.delete('ada');
    expect(await adapter.getSessionAndUser?.('s')).toBeNull();
    expect(await adapter.getSessionAndUser?.('another')).toBeNull();
  });

  it('ends the sessions of a deleted user in both stores, and no other sessions', async () => {
    const users = memoryAdapter();
    const sessions = sessionsOf();
    const adapter = combine({ users, sessions });
    for (const user of [ada, bob]) await adapter.createUser?.(user);
    await users.createSession({ ...session, sessionToken: 'in the store of users' });
    for (const [sessionToken, userId] of [
      ['1', 'ada'],
      ['2', 'ada'],
      ['3', 'bob'],
    ] as const)
      await adapter.createSession?.({ ...session, sessionToken, userId });
    expect(await adapter.deleteUser?.('ada')).toStrictEqual(ada);
    for (const one of ['1', '2']) expect(await sessions.readSession(one)).toBeNull();
    expect(await sessions.readSession('3')).not.toBeNull();
    expect(users.dump().sessions).toEqual([]);
    expect(await adapter.deleteUser?.('ada')).toBeNull();
  });

  it('ends a session that begins while its user is deleted, so that another user with the id does not get it', async () => {
    const users = memoryAdapter();
    const sessions = sessionsOf();
    const deleteUser = async (id: string) => {
      await sessions.createSession(session);
      return users.deleteUser(id);
    };
    const adapter = combine({ users: { ...users, deleteUser }, sessions });
    await adapter.createUser?.(ada);
    await adapter.deleteUser?.('ada');
    await adapter.createUser?.({ ...bob, id: 'ada' });
    expect(await adapter.getSessionAndUser?.('s')).toBeNull();
  });

  it('keeps a user whose sessions cannot be deleted', async () => {
    const users = memoryAdapter();
    const broken = { ...sessionsOf(), deleteSessionsOfUser: () => Promise.reject(new Error('down')) };
    const adapter = combine({ users, sessions: broken });
    await adapter.createUser?.(ada);
    expect(String(await rejection(() => adapter.deleteUser?.('ada')))).toContain('down');
    expect(await users.getUser('ada')).toEqual(ada);
  });

  it('keeps the old session when the token of the new one is taken', async () => {
    const adapter = combine({ users: memoryAdapter(), sessions: sessionsOf() });
    await adapter.createUser?.(ada);
    for (const sessionToken of ['old', 'taken']) await adapter.createSession?.({ ...session, sessionToken });
    await rejection(() => adapter.replaceSession?.('old', { ...session, sessionToken: 'taken', userId: 'bob' }));
    expect((await adapter.getSessionAndUser?.('old'))?.user).toEqual(ada);
    expect((await adapter.getSessionAndUser?.('taken'))?.user).toEqual(ada);
  });

  it('keeps tokens in the store of tokens, and spent keys with the sessions', async () => {
    const users = memoryAdapter();
    const adapter = combine({ users, sessions: sessionsOf(), tokens: users });
    await adapter.createVerificationToken?.(token);
    expect(users.dump().verificationTokens).toEqual([token]);
    expect(await adapter.useVerificationToken?.(token)).toEqual(token);
    expect(await adapter.spendOnce?.('k', later)).toBe(true);
    expect(await adapter.spendOnce?.('k', later)).toBe(false);
    expect(users.dump()).toMatchObject({ spent: [], verificationTokens: [] });
  });

  it('cleans up each store once, even if another one fails', async () => {
    const expires = new Date(Date.now() - 1000);
    const [users, tokens] = [memoryAdapter(), memoryAdapter()];
    const adapter = combine({ users, sessions: sessionsOf(), tokens });
    await users.createUser(ada);
    await users.createSession({ ...session, expires });
    await tokens.createVerificationToken({ ...token, expires });
    await adapter.createSession?.({ ...session, expires });
    expect(await adapter.cleanup?.()).toBe(3);
    expect(await combine({ users, sessions: sessionsOf(), tokens: users }).cleanup?.()).toBe(0);
    expect(users.calls.filter(({ method }) => method === 'cleanup')).toHaveLength(2);

    await adapter.createSession?.({ ...session, sessionToken: 'again', expires });
    users.fail('cleanup', new Error('down'));
    expect(String(await rejection(() => adapter.cleanup?.()))).toContain('down');
    expect(await sessionsOf().readSession('again')).toBeNull();
  });

  it('binds the methods of class instances', async () => {
    class Users implements Adapter {
      readonly #user = ada;
      getUser(id: string) {
        return id === this.#user.id ? this.#user : null;
      }
      deleteUser() {
        return Promise.resolve(this.#user);
      }
      getUserByEmail() {
        return this.#user;
      }
    }
    const { createSession, deleteUser, getSessionAndUser, getUserByEmail } = combine({
      users: new Users(),
      sessions: sessionsOf(),
    });
    await createSession?.(session);
    expect((await getSessionAndUser?.('s'))?.user).toBe(ada);
    expect(await getUserByEmail?.('any')).toBe(ada);
    expect(await deleteUser?.('ada')).toBe(ada);
    expect(await getSessionAndUser?.('s')).toBeNull();
  });

  it('lacks the methods that the store of users lacks', async () => {
    const bare = Object.keys(combine({ users: {}, sessions: sessionsOf() })).sort();
    expect(bare).toEqual([
      'cleanup',
      'createSession',
      'createVerificationToken',
      'deleteSession',
      'deleteSessionsByUserId',
      'deleteVerificationTokens',
      'extendSession',
      'replaceSession',
      'sessionRecords',
      'spendOnce',
      'updateSession',
      'useVerificationToken',
    ]);
    const {
      cleanup: _,
      deleteUser: __,
      ...users
    } = memoryAdapter({ optional: false }) as Adapter & { cleanup?: never };
    const adapter = combine({ users, sessions: sessionsOf() });
    expect(adapter).not.toHaveProperty('createUserWithAccount');
    expect(adapter).not.toHaveProperty('updateAccount');
    expect(adapter).not.toHaveProperty('deleteUser');
    expect(await adapter.cleanup?.()).toBe(0);
  });

  it('does not call methods about sessions on the store of users', async () => {
    const users = memoryAdapter();
    const adapter = combine({ users, sessions: sessionsOf() });
    await adapter.createUser?.(ada);
    await adapter.linkAccount?.(github);
    await adapter.replaceSession?.(undefined, session);
    await adapter.extendSession?.({ sessionToken: 's', from: later, to: new Date(later.getTime() + 1) });
    await adapter.updateSession?.({ sessionToken: 's' });
    await adapter.deleteSession?.('s');
    await adapter.createVerificationToken?.(token);
    await adapter.useVerificationToken?.(token);
    await adapter.spendOnce?.('k', later);
    expect(users.calls.map(({ method }) => method)).toEqual(['createUser', 'linkAccount']);
  });

  it('refuses an adapter that cannot keep sessions without their users', async () => {
    for (const sessions of [memoryAdapter(), {}, { sessions: {} }, { sessions: undefined }])
      expect(String(await rejection(() => combine({ users: {}, sessions } as unknown as Stores)))).toContain(
        'TypeError: `sessions` must be a RedisSessions or a RedisAdapter',
      );
  });
});
