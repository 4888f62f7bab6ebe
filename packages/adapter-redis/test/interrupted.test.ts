import type { AdapterAccount, AdapterSession, UnlinkAccountParams } from '@latchkey/core/adapters';
import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, type Tag } from '../src/index.ts';
import { type Recorded, recorded } from './recorded.ts';
import { ada, bob, github, later, passkey, rejection } from './samples.ts';
import { subject } from './subject.ts';

const { userId: _, ...account } = github;
const session: AdapterSession = { sessionToken: 's', userId: 'ada', expires: later };
const token = { identifier: ada.email, token: 't', expires: later };

const passkeyAccount: AdapterAccount = {
  provider: 'passkey',
  providerAccountId: passkey.providerAccountId,
  type: 'webauthn',
  userId: 'ada',
};
const newAddress = { userId: 'ada', from: ada.email, to: 'new@example.com', emailVerified: null };

function unlinking({ userId, provider, providerAccountId }: AdapterAccount): UnlinkAccountParams {
  return { userId, account: { provider, providerAccountId }, providers: ['github', 'passkey'], otherWays: 0 };
}

/** Work that may stop after any of its commands. */
interface Work {
  prepare?(adapter: RedisAdapter): unknown;
  work(adapter: RedisAdapter): unknown;
  /** Checks the rows, whether the work was done or not. */
  holds(adapter: RedisAdapter): Promise<void>;
}

const works: Readonly<Record<string, Work>> = {
  'a first sign-in': {
    work: (adapter) => adapter.createUserWithAccount(ada, account),
    // Either the user is complete, or the next sign-in creates one.
    holds: async (adapter) => {
      const known = await adapter.getUserByAccount(account);
      expect(await adapter.getUserByEmail(ada.email)).toEqual(known);
      if (!known) await adapter.createUserWithAccount({ ...ada, id: 'another' }, account);
      const user = await adapter.getUserByAccount(account);
      expect(user?.email).toBe(ada.email);
      expect(await adapter.getUserByEmail(ada.email)).toEqual(user);
      expect((await adapter.getAccount('1', 'github'))?.userId).toBe(user?.id);
      await adapter.deleteUser(user?.id ?? '');
      expect(await adapter.getAccount('1', 'github')).toBeNull();
    },
  },
  'a new address': {
    prepare: (adapter) => adapter.createUser(ada),
    work: (adapter) => adapter.updateUser({ id: 'ada', email: 'new@example.com' }),
    holds: async (adapter) => {
      const { email } = (await adapter.getUser('ada')) ?? {};
      const [other] = ['ada@example.com', 'new@example.com'].filter((one) => one !== email);
      expect((await adapter.getUserByEmail(email ?? ''))?.id).toBe('ada');
      expect(await adapter.getUserByEmail(other ?? '')).toBeNull();
      await adapter.createUser({ ...bob, email: other ?? '' });
      expect((await adapter.getUserByEmail(other ?? ''))?.id).toBe('bob');
      expect((await adapter.getUserByEmail(email ?? ''))?.id).toBe('ada');
    },
  },
  'a link': {
    prepare: async (adapter) => {
      for (const user of [ada, bob]) await adapter.createUser(user);
    },
    work: (adapter) => adapter.linkAccount(github),
    holds: async (adapter) => {
      const linked = await adapter.getAccount('1', 'github');
      expect((await adapter.getUserByAccount(github))?.id).toBe(linked?.userId);
      if (!linked) await adapter.linkAccount({ ...github, userId: 'bob' });
      await adapter.deleteUser('ada');
      expect((await adapter.getAccount('1', 'github'))?.userId).toBe(linked ? undefined : 'bob');
    },
  },
  'the end of a link': {
    prepare: (adapter) => adapter.createUserWithAccount(ada, account),
    work: (adapter) => adapter.unlinkAccount(github),
    holds: async (adapter) => {
      await adapter.unlinkAccount(github);
      expect(await adapter.getUserByAccount(github)).toBeNull();
      await adapter.linkAccount(github);
      await adapter.deleteUser('ada');
      expect(await adapter.getAccount('1', 'github')).toBeNull();
    },
  },
  'the end of one of two ways in': {
    prepare: async (adapter) => {
      await adapter.createUserWithAccount(ada, account);
      await adapter.linkAccount(passkeyAccount);
      await adapter.createAuthenticator(passkey);
    },
    work: (adapter) => adapter.unlinkAccountIfNotLast(unlinking(passkeyAccount)),
    holds: async (adapter) => {
      // The user sees an account that still signs in, and can remove it by another call.
      const signsIn = (await adapter.getUserByAccount(passkeyAccount)) !== null;
      const listed = await adapter.listAccountsByUserId('ada');
      expect(listed.some(({ type }) => type === 'webauthn')).toBe(signsIn);
      // The other account stays, no matter how often the work is repeated.
      expect((await adapter.getUserByAccount(github))?.id).toBe('ada');
      for (let again = 0; again < 2; again++) await adapter.unlinkAccountIfNotLast(unlinking(passkeyAccount));
      expect(await adapter.unlinkAccountIfNotLast(unlinking(github))).toBe('last');
      expect(await adapter.listAccountsByUserId('ada')).toEqual([github]);
      expect(await adapter.getUserByAccount(passkeyAccount)).toBeNull();
      expect(await adapter.listAuthenticatorsByUserId('ada')).toEqual([]);
      await adapter.linkAccount(passkeyAccount);
      await adapter.createAuthenticator(passkey);
      expect(await adapter.listAccountsByUserId('ada')).toHaveLength(2);
      await adapter.deleteUser('ada');
      expect(await adapter.getAccount(passkeyAccount.providerAccountId, 'passkey')).toBeNull();
    },
  },
  'a change of address': {
    prepare: (adapter) => adapter.createUser(ada),
    work: (adapter) => adapter.updateUserEmail(newAddress),
    holds: async (adapter) => {
      const done = (await adapter.getUser('ada'))?.email === newAddress.to;
      expect(await adapter.updateUserEmail(newAddress)).toBe(done ? 'stale' : 'changed');
      expect((await adapter.getUserByEmail(newAddress.to))?.id).toBe('ada');
      expect(await adapter.getUserByEmail(ada.email)).toBeNull();
      await adapter.createUser({ ...bob, email: ada.email });
      expect(await adapter.updateUserEmail({ ...newAddress, from: newAddress.to, to: ada.email })).toBe('taken');
    },
  },
  'the end of a user': {
    prepare: async (adapter) => {
      await adapter.createUserWithAccount(ada, account);
      await adapter.createAuthenticator(passkey);
      await adapter.createSession(session);
    },
    work: (adapter) => adapter.deleteUser('ada'),
    holds: async (adapter) => {
      const user = await adapter.getUser('ada');
      // Either all rows are valid, or none.
      expect(await adapter.getUserByEmail(ada.email)).toEqual(user);
      expect(await adapter.getUserByAccount(github)).toEqual(user);
      expect((await adapter.getSessionAndUser('s'))?.user ?? null).toEqual(user);
      expect((await adapter.listAuthenticatorsByUserId('ada')).length).toBe(user ? 1 : 0);
      expect((await adapter.getAuthenticator(passkey.credentialID)) !== null).toBe(user !== null);
      await adapter.deleteUser('ada');
      expect(await adapter.sessions.readSession('s')).toBeNull();
      await adapter.createUserWithAccount({ ...bob, email: ada.email }, account);
      expect((await adapter.getUserByEmail(ada.email))?.id).toBe('bob');
    },
  },
  'a sign-in that replaces a session': {
    prepare: async (adapter) => {
      await adapter.createUser(ada);
      await adapter.createSession({ ...session, sessionToken: 'old' });
    },
    work: (adapter) => adapter.replaceSession('old', session),
    holds: async (adapter) => {
      const both = await Promise.all(['old', 's'].map((token) => adapter.getSessionAndUser(token)));
      expect(both.filter((one) => one).length).toBeGreaterThanOrEqual(1);
      // Each session can be deleted.
      await adapter.sessions.deleteSessionsOfUser('ada');
      for (const token of ['old', 's']) expect(await adapter.getSessionAndUser(token)).toBeNull();
    },
  },
  'the extension of a session': {
    prepare: async (adapter) => {
      await adapter.createUser(ada);
      await adapter.createSession(session);
    },
    work: (adapter) => adapter.extendSession({ sessionToken: 's', from: later, to: new Date(later.getTime() + 5) }),
    holds: async (adapter) => {
      expect((await adapter.getSessionAndUser('s'))?.user).toEqual(ada);
      expect(await adapter.sessions.deleteSessionsOfUser('ada')).toBe(1);
      expect(await adapter.getSessionAndUser('s')).toBeNull();
    },
  },
  'a mailed token': {
    work: (adapter) => adapter.createVerificationToken(token),
    // Stored or not, the token cannot be used after the tokens of its address have been deleted.
    holds: async (adapter) => {
      await adapter.deleteVerificationTokens(token);
      expect(await adapter.useVerificationToken(token)).toBeNull();
      await adapter.createVerificationToken(token);
      expect(await adapter.useVerificationToken(token)).toEqual(token);
    },
  },
  'the end of all tokens of an address': {
    prepare: async (adapter) => {
      for (const one of ['t', 'u', 'v']) await adapter.createVerificationToken({ ...token, token: one });
    },
    work: (adapter) => adapter.deleteVerificationTokens(token),
    holds: async (adapter) => {
      await adapter.deleteVerificationTokens(token);
      for (const one of ['t', 'u', 'v'])
        expect(await adapter.useVerificationToken({ ...token, token: one })).toBeNull();
    },
  },
  'the end of a passkey': {
    prepare: async (adapter) => {
      await adapter.createUser(ada);
      await adapter.createAuthenticator(passkey);
    },
    work: (adapter) => adapter.deleteAuthenticator(passkey.credentialID),
    holds: async (adapter) => {
      await adapter.deleteAuthenticator(passkey.credentialID);
      expect(await adapter.listAuthenticatorsByUserId('ada')).toEqual([]);
      await adapter.createAuthenticator(passkey);
      expect(await adapter.listAuthenticatorsByUserId('ada')).toEqual([passkey]);
      await adapter.deleteUser('ada');
      expect(await adapter.getAuthenticator(passkey.credentialID)).toBeNull();
    },
  },
  'a sign-out': {
    prepare: async (adapter) => {
      await adapter.createUser(ada);
      await adapter.createSession(session);
    },
    work: (adapter) => adapter.deleteSession('s'),
    holds: async (adapter) => {
      await adapter.deleteSession('s');
      expect(await adapter.getSessionAndUser('s')).toBeNull();
    },
  },
};

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)(
  'work that stops midway, tag %s',
  (tag: Tag) => {
    const redis = subject();

    it.each(Object.entries(works))('%s leaves valid rows', async (_, { prepare, work, holds }) => {
      const commands = await countCommands(prepare, work);
      expect(commands).toBeGreaterThan(0);
      const cuts = Array.from({ length: commands }, (_, index) => index + 1).flatMap((at) => [
        { at, when: 'before' as const },
        { at, when: 'after' as const },
      ]);
      await Promise.all(
        cuts.map(async (cut) => {
          const { adapter, client } = make(`${cut.at}${cut.when}:`);
          await prepare?.(adapter);
          client.cut(cut);
          // Without a reply the adapter cannot know whether the work was done.
          expect(String(await rejection(() => work(adapter)))).toContain('the connection was cut');
          client.cut();
          try {
            await holds(adapter);
          } catch (error) {
            throw new Error(`after the cut ${cut.when} command ${cut.at} of ${commands}`, { cause: error });
          }
        }),
      );
    });

    function make(name: string): { adapter: RedisAdapter; client: Recorded } {
      const client = recorded(redis());
      return { adapter: RedisAdapter(client.client, { prefix: redis().prefix + name, tag }), client };
    }

    async function countCommands(prepare: Work['prepare'], work: Work['work']): Promise<number> {
      const { adapter, client } = make('uncut:');
      await prepare?.(adapter);
      client.commands();
      await work(adapter);
      return client.commands().length;
    }
  },
);
