import type { Adapter } from '@latchkey/core/adapters';
import { describe, expect, it } from 'vitest';
import { Clock } from '../src/clock.ts';
import { memoryAdapter } from '../src/memory-adapter.ts';

const ada = { id: 'ada', email: 'ada@example.com', emailVerified: null };
const account = { provider: 'github', providerAccountId: '1', type: 'oauth', userId: 'ada' } as const;

describe('memoryAdapter', () => {
  it('is an adapter with all methods, or with those of the contract', () => {
    const all: Adapter = memoryAdapter();
    const contract: Adapter = memoryAdapter({ optional: false });
    const beyond = [
      'updateAccount',
      'createUserWithAccount',
      'replaceSession',
      'extendSession',
      'spendOnce',
      'cleanup',
    ];
    const methods = Object.keys(all).filter((name) => !['store', 'calls', 'dump', 'fail'].includes(name));
    expect(methods).toHaveLength(25);
    expect(methods).toEqual(expect.arrayContaining(beyond));
    expect(methods.filter((name) => !(name in contract)).sort()).toEqual(beyond.sort());
  });

  it('shows what it holds, in copies', async () => {
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

  it('keeps members that it does not know', async () => {
    const adapter = memoryAdapter();
    await adapter.createUser({ ...ada, role: 'admin' } as typeof ada);
    expect(await adapter.getUser('ada')).toEqual({ ...ada, role: 'admin' });
  });

  it('writes down its calls as they were made', async () => {
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

  it('fails with the error at hand, as often as wanted, in the order asked for', async () => {
    const adapter = memoryAdapter();
    adapter.fail('getUser', new Error('first'));
    adapter.fail('getUser', { error: new Error('then'), times: 2 });
    await expect(adapter.getUser('ada')).rejects.toThrow('first');
    await expect(adapter.getUser('ada')).rejects.toThrow('then');
    await expect(adapter.getUser('ada')).rejects.toThrow('then');
    expect(await adapter.getUser('ada')).toBeNull();
  });

  it('does not let faults of one method meet another, or rejections count as faults', async () => {
    const adapter = memoryAdapter();
    await adapter.createUser(ada);
    adapter.fail('createUser', 'after');
    expect(await adapter.getUser('ada')).toEqual(ada);
    await expect(adapter.createUser({ ...ada, id: 'bob' })).rejects.toMatchObject({ name: 'UniqueViolation' });
    expect(adapter.dump().users).toEqual([ada]);
  });

  it('gives others their turn before each call', async () => {
    let turn: () => void = () => undefined;
    const adapter = memoryAdapter({ latency: () => new Promise<void>((resolve) => (turn = resolve)) });
    const creating = adapter.createUser(ada);
    expect(adapter.dump().users).toEqual([]);
    turn();
    await creating;
    expect(adapter.dump().users).toEqual([ada]);
  });

  it('judges what has expired by the clock it is given', async () => {
    const clock = new Clock();
    const adapter = memoryAdapter({ now: clock.now });
    await adapter.createUser(ada);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: clock.now() });
    expect(await adapter.cleanup()).toBe(0);
    clock.advance(0.001);
    expect(await adapter.cleanup()).toBe(1);
  });

  it('has no session or account of a user who does not exist', async () => {
    const adapter = memoryAdapter();
    await expect(adapter.linkAccount(account)).rejects.toThrow('no user');
    await expect(adapter.createSession({ sessionToken: 's', userId: 'ada', expires: new Date() })).rejects.toThrow();
    await expect(adapter.updateUser({ id: 'ada', name: 'Ada' })).rejects.toThrow('no user');
    expect(adapter.dump()).toMatchObject({ users: [], accounts: [], sessions: [] });
  });
});
