import type { Adapter } from '@latchkey/core/adapters';
import { describe, expect, it } from 'vitest';
import { type AdapterSuiteOptions, adapterSuite } from '../src/adapter-suite.ts';
import { type MemoryAdapter, memoryAdapter } from '../src/memory-adapter.ts';

/** Returns the titles of the cases that an adapter fails. */
async function failures(make: () => Adapter, options: AdapterSuiteOptions = { optional: true }): Promise<string[]> {
  const cases: [string, () => Promise<void>][] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (title: string, body: () => Promise<void>) => cases.push([title, body]),
  };
  adapterSuite(() => ({ adapter: make() }), runner, options);
  const results = await Promise.allSettled(cases.map(([, body]) => body()));
  return cases.filter((_, index) => results[index]?.status === 'rejected').map(([title]) => title);
}

/** Makes a memory adapter with some wrong methods. */
function broken(faults: (right: MemoryAdapter) => Adapter): () => Adapter {
  return () => {
    const right = memoryAdapter();
    return { ...right, ...faults(right) };
  };
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('adapterSuite', () => {
  it('accepts a correct adapter, with each combination of options', async () => {
    expect(await failures(memoryAdapter, { optional: true, authenticators: true })).toEqual([]);
    expect(await failures(memoryAdapter, { sessions: false, unique: false })).toEqual([]);
    const contract = (): Adapter => memoryAdapter({ optional: false });
    expect(await failures(contract, { authenticators: true })).toEqual([]);
  });

  it('closes each subject, even after a failure', async () => {
    let open = 0;
    const works: (() => Promise<void>)[] = [];
    const make = (): { adapter: Adapter; close(): void } => {
      open += 1;
      return {
        adapter: {},
        close: () => {
          open -= 1;
        },
      };
    };
    const runner = {
      describe: (_: string, body: () => void) => body(),
      it: (_: string, body: () => Promise<void>) => works.push(body),
    };
    adapterSuite(make, runner, { optional: true });
    const results = await Promise.allSettled(works.map((work) => work()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    expect(open).toBe(0);
  });

  it('does not call session methods if sessions are switched off', async () => {
    const {
      createSession: _,
      getSessionAndUser: __,
      updateSession: ___,
      deleteSession: ____,
      ...rest
    } = memoryAdapter();
    expect(await failures(() => rest, { sessions: false })).toEqual([]);
  });

  it('names the missing method', async () => {
    const messages: unknown[] = [];
    adapterSuite(() => ({ adapter: {} }), {
      describe: (_, body) => body(),
      it: (_, body) => messages.push(body().catch(String)),
    });
    expect(await messages[0]).toContain('the adapter has no `createUser`');
  });

  const flaws: [string, (right: MemoryAdapter) => Adapter, string[]][] = [
    [
      'returns a verification token to simultaneous callers',
      ({ store, useVerificationToken }) => ({
        useVerificationToken: async (params) => {
          const found = store.verificationTokens.get(JSON.stringify([params.identifier, params.token])) ?? null;
          await pause();
          await useVerificationToken(params);
          return found;
        },
      }),
      ['returns a token to one of fifty simultaneous callers'],
    ],
    [
      'spends a token for a wrong address',
      ({ store, useVerificationToken }) => ({
        useVerificationToken: async (params) => {
          const found = await useVerificationToken(params);
          for (const [key, row] of store.verificationTokens)
            if (row.token === params.token) store.verificationTokens.delete(key);
          return found;
        },
      }),
      ['identifies a token by both parts of its key, and does not spend it for a wrong key'],
    ],
    [
      'cuts milliseconds off',
      ({ createSession }) => ({
        createSession: (session) =>
          createSession({ ...session, expires: new Date(Math.floor(session.expires.getTime() / 1000) * 1000) }),
      }),
      ['keeps the expiry to the millisecond, in the past as in the far future'],
    ],
    [
      'ignores case in addresses',
      ({ createUser, getUserByEmail }) => ({
        createUser: (user) => createUser({ ...user, ...(user.email && { email: user.email.toLowerCase() }) }),
        getUserByEmail: (email) => getUserByEmail(email.toLowerCase()),
      }),
      ['distinguishes addresses byte by byte'],
    ],
    [
      'cuts text at NUL',
      ({ createUser }) => ({
        createUser: (user) => createUser({ ...user, ...(user.name && { name: user.name.replace(/\0.*/, '') }) }),
      }),
      ['keeps or refuses NUL in a user'],
    ],
    [
      'finds accounts by their id alone',
      ({ store, getUser }) => ({
        getUserByAccount: ({ providerAccountId }) => {
          const account = [...store.accounts.values()].find((row) => row.providerAccountId === providerAccountId);
          return account ? getUser(account.userId) : null;
        },
      }),
      ['identifies an account by both parts of its key'],
    ],
    [
      'leaves a user behind',
      ({ store, createUserWithAccount }) => ({
        createUserWithAccount: async (user, account) => {
          store.users.set(user.id, user);
          store.users.delete(user.id);
          try {
            return await createUserWithAccount(user, account);
          } catch (error) {
            store.users.set(user.id, user);
            throw error;
          }
        },
      }),
      ['creates neither user nor account if one of them exists'],
    ],
    [
      'extends without comparing the expiry',
      ({ updateSession }) => ({
        extendSession: async ({ sessionToken, to }) => {
          await updateSession({ sessionToken, expires: to });
          return true;
        },
      }),
      ['extends a session for one of fifty simultaneous callers', 'never extends a session that has ended'],
    ],
    [
      'replaces the whole user in an update',
      ({ store }) => ({
        updateUser: (user) => {
          store.users.set(user.id, user as never);
          return user as never;
        },
      }),
      ['updates the members that are given and leaves the others'],
    ],
    [
      'counts the accounts of a user before it deletes one',
      ({ listAccountsByUserId, unlinkAccount }) => ({
        unlinkAccountIfNotLast: async ({ userId, account, otherWays }) => {
          const accounts = await listAccountsByUserId(userId);
          if (accounts.length + otherWays < 2) return 'last';
          await pause();
          return (await unlinkAccount(account)) ? 'unlinked' : 'missing';
        },
      }),
      [
        'does not unlink the last way in',
        'does not unlink an account of another user, or an unknown one',
        'leaves one way in when fifty accounts are unlinked at once',
      ],
    ],
    [
      'looks an address up before it changes one',
      ({ store, getUserByEmail }) => ({
        updateUserEmail: async ({ userId, to, emailVerified }) => {
          if (await getUserByEmail(to)) return 'taken';
          await pause();
          const user = store.users.get(userId);
          if (user) store.users.set(userId, { ...user, email: to, emailVerified });
          return user ? 'changed' : 'stale';
        },
      }),
      [
        'does not change an address that is not the old one any more',
        'lets an undo or a further change succeed, and not both',
        'gives an address to one of fifty users who want it at once',
      ],
    ],
    [
      'drops the label of an account',
      ({ linkAccount }) => ({ linkAccount: ({ label: _, ...account }) => linkAccount(account as never) }),
      ['keeps the label of an account, and the instant at which it was linked'],
    ],
    [
      'leaves the accounts of a deleted user',
      ({ store }) => ({
        deleteUser: async (id) => void store.users.delete(id),
      }),
      ['deletes a user with their accounts, and no other user'],
    ],
  ];

  for (const [flaw, faults, titles] of flaws) {
    it(`notices an adapter that ${flaw}`, async () => {
      expect(await failures(broken(faults))).toEqual(expect.arrayContaining(titles));
    });
  }
});
