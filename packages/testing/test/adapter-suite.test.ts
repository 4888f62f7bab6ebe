import type { Adapter } from '@latchkey/core/adapters';
import { describe, expect, it } from 'vitest';
import { type AdapterSuiteOptions, adapterSuite } from '../src/adapter-suite.ts';
import { type MemoryAdapter, memoryAdapter } from '../src/memory-adapter.ts';

/** Titles of the cases that an adapter fails. */
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

/** A memory adapter with some methods done wrong. */
function broken(faults: (right: MemoryAdapter) => Adapter): () => Adapter {
  return () => {
    const right = memoryAdapter();
    return { ...right, ...faults(right) };
  };
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('adapterSuite', () => {
  it('has nothing to object to in a right adapter, whatever the options', async () => {
    expect(await failures(memoryAdapter, { optional: true, authenticators: true })).toEqual([]);
    expect(await failures(memoryAdapter, { sessions: false, unique: false })).toEqual([]);
  });

  it('closes each subject, also after a failure', async () => {
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
    adapterSuite(make, { describe: (_, body) => body(), it: (_, body) => works.push(body) });
    const results = await Promise.allSettled(works.map((work) => work()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    expect(open).toBe(0);
  });

  it('asks for no session method where sessions are left out', async () => {
    const {
      createSession: _,
      getSessionAndUser: __,
      updateSession: ___,
      deleteSession: ____,
      ...rest
    } = memoryAdapter();
    expect(await failures(() => rest, { sessions: false })).toEqual([]);
  });

  it('names the method that is missing', async () => {
    const messages: unknown[] = [];
    adapterSuite(() => ({ adapter: {} }), {
      describe: (_, body) => body(),
      it: (_, body) => messages.push(body().catch(String)),
    });
    expect(await messages[0]).toContain('the adapter has no `createUser`');
  });

  const flaws: [string, (right: MemoryAdapter) => Adapter, string[]][] = [
    [
      'gives a verification token to whoever asks at the same time',
      ({ store, useVerificationToken }) => ({
        useVerificationToken: async (params) => {
          const found = store.verificationTokens.get(JSON.stringify([params.identifier, params.token])) ?? null;
          await pause();
          await useVerificationToken(params);
          return found;
        },
      }),
      ['gives a token to one of fifty who use it at once'],
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
      ['tells a token by both parts of its key, and spends none for a wrong one'],
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
      ['tells addresses apart byte by byte'],
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
      ['tells an account by both parts of its key'],
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
      ['creates neither user nor account when one of them is there'],
    ],
    [
      'extends whatever the expiry is by now',
      ({ updateSession }) => ({
        extendSession: async ({ sessionToken, to }) => {
          await updateSession({ sessionToken, expires: to });
          return true;
        },
      }),
      ['extends a session for one of fifty who try at once', 'never extends a session that has ended'],
    ],
    [
      'takes an update for the whole user',
      ({ store }) => ({
        updateUser: (user) => {
          store.users.set(user.id, user as never);
          return user as never;
        },
      }),
      ['updates the members that are given and leaves the others'],
    ],
    [
      'leaves the accounts of a deleted user',
      ({ store }) => ({
        deleteUser: async (id) => void store.users.delete(id),
      }),
      ['deletes a user with their accounts, and nobody else'],
    ],
  ];

  for (const [flaw, faults, titles] of flaws) {
    it(`notices an adapter that ${flaw}`, async () => {
      expect(await failures(broken(faults))).toEqual(expect.arrayContaining(titles));
    });
  }
});
