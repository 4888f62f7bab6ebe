import type { Adapter } from '@latchkey/core/adapters';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { Clock } from '../src/clock.ts';
import type { UserFields } from '../src/index.ts';
import { memoryAdapter } from '../src/memory-adapter.ts';

const ada = { id: 'ada', email: 'ada@example.com', emailVerified: null };
const account = { provider: 'github', providerAccountId: '1', type: 'oauth', userId: 'ada' } as const;

describe('memoryAdapter', () => {
  it('has all methods, or those of Auth.js v5', () => {
    const all: Adapter = memoryAdapter();
    const contract: Adapter = memoryAdapter({ optional: false });
    const beyond = [
      'updateAccount',
      'createUserWithAccount',
      'replaceSession',
      'extendSession',
      'spendOnce',
      'deleteVerificationTokens',
      'deleteSessionsByUserId',
      'deleteAuthenticator',
      'updateAuthenticator',
      'listAccountsByUserId',
      'unlinkAccountIfNotLast',
      'updateUserEmail',
      'cleanup',
    ];
    const methods = Object.keys(all).filter((name) => !['store', 'calls', 'dump', 'fail'].includes(name));
    expect(methods).toHaveLength(32);
    expect(methods).toEqual(expect.arrayContaining(beyond));
    expect(methods.filter((name) => !(name in contract)).sort()).toEqual(beyond.sort());
  });

  it('returns copies of its rows', async () => {
    const adapter = memoryAdapter();
    await adapter.createUser(ada);
    await adapter.linkAccount(account);
    const dump = adapter.dump();
    expect(dump).toEqual({
      users: [ada],
      accounts: [account],
      sessions: [],
      verificationTokens: [],
      authenticators: [],
      spent: [],
    });
    for (const user of dump.users) user.email = 'changed';
    expect(adapter.dump().users).toEqual([ada]);
    expect(adapter.store.users.get('ada')).toEqual(ada);
  });

  it('keeps members that are not listed', async () => {
    const adapter = memoryAdapter();
    await adapter.createUser({ ...ada, role: 'admin' } as typeof ada);
    expect(await adapter.getUser('ada')).toEqual({ ...ada, role: 'admin' });
  });

  it('leaves out members that are not in `userFields`, with one warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const adapter = memoryAdapter({ userFields: { role: 'text' } });
    expectTypeOf<UserFields<typeof adapter>>().toEqualTypeOf<{ role?: string | null }>();
    const user = { ...ada, role: 'admin', plan: 'free' };
    await adapter.createUser(user);
    await adapter.updateUser(user);
    expect(adapter.dump().users).toEqual([{ ...ada, role: 'admin' }]);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/\[user-field-dropped\] memoryAdapter: user\.plan is not in/)],
    ]);
    warn.mockRestore();
    await expect(adapter.updateUser({ id: 'ada', role: 5 } as Partial<typeof ada> & { id: string })).rejects.toThrow(
      'user.role must be a value of the kind text',
    );
  });

  it('records its calls', async () => {
    const adapter = memoryAdapter();
    const given = { ...ada };
    await adapter.createUser(given);
    given.email = 'changed';
    await adapter.getUser('ada');
    expect(adapter.calls).toEqual([
      { method: 'createUser', args: [ada] },
      { method: 'getUser', args: ['ada'] },
    ]);
  });

  it('fails before writing, once', async () => {
    const adapter = memoryAdapter();
    adapter.fail('createUser');
    await expect(adapter.createUser(ada)).rejects.toThrow('createUser failed on demand');
    expect(adapter.dump().users).toEqual([]);
    await adapter.createUser(ada);
    expect(adapter.dump().users).toEqual([ada]);
  });

  it('fails after writing', async () => {
    const adapter = memoryAdapter();
    adapter.fail('createUser', 'after');
    await expect(adapter.createUser(ada)).rejects.toThrow('createUser failed on demand');
    expect(adapter.dump().users).toEqual([ada]);
  });

  it('fails with the given error, as often as requested, in order', async () => {
    const adapter = memoryAdapter();
    adapter.fail('getUser', new Error('first'));
    adapter.fail('getUser', { error: new Error('then'), times: 2 });
    await expect(adapter.getUser('ada')).rejects.toThrow('first');
    await expect(adapter.getUser('ada')).rejects.toThrow('then');
    await expect(adapter.getUser('ada')).rejects.toThrow('then');
    expect(await adapter.getUser('ada')).toBeNull();
  });

  it('does not apply a fault to another method, or count a rejection as a fault', async () => {
    const adapter = memoryAdapter();
    await adapter.createUser(ada);
    adapter.fail('createUser', 'after');
    expect(await adapter.getUser('ada')).toEqual(ada);
    await expect(adapter.createUser({ ...ada, id: 'bob' })).rejects.toMatchObject({ name: 'UniqueViolation' });
    expect(adapter.dump().users).toEqual([ada]);
  });

  it('waits before each call, so that calls interleave', async () => {
    let turn: () => void = () => undefined;
    const adapter = memoryAdapter({ latency: () => new Promise<void>((resolve) => (turn = resolve)) });
    const creating = adapter.createUser(ada);
    expect(adapter.dump().users).toEqual([]);
    turn();
    await creating;
    expect(adapter.dump().users).toEqual([ada]);
  });

  it('compares expiries with the given clock', async () => {
    const clock = new Clock();
    const adapter = memoryAdapter({ now: clock.now });
    await adapter.createUser(ada);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: clock.now() });
    expect(await adapter.cleanup()).toBe(0);
    clock.advance(0.001);
    expect(await adapter.cleanup()).toBe(1);
  });

  it('refuses sessions and accounts of users who do not exist', async () => {
    const adapter = memoryAdapter();
    await expect(adapter.linkAccount(account)).rejects.toThrow('the user does not exist');
    await expect(adapter.createSession({ sessionToken: 's', userId: 'ada', expires: new Date() })).rejects.toThrow();
    await expect(adapter.updateUser({ id: 'ada', name: 'Ada' })).rejects.toThrow('the user does not exist');
    expect(adapter.dump()).toMatchObject({ users: [], accounts: [], sessions: [] });
  });
});
