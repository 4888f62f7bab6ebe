import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, UniqueViolation } from '../src/index.ts';
import { type Recorded, recorded } from './recorded.ts';
import { ada, bob, github, later, passkey, rejection } from './samples.ts';
import { type Subject, subject } from './subject.ts';

/*
 * Another client writes between the read and the write of some work. Each script is one write, and refuses to write if
 * the rows that were read have changed.
 */
describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)(
  'writes of another client in between, tag %s',
  (tag) => {
    const redis = subject();
    const make = (client = redis().client): RedisAdapter => RedisAdapter(client, { prefix: redis().prefix, tag });

    const slow = (script: number, work: () => unknown): RedisAdapter => make(pausing(redis(), script, work));

    it('deleting a user deletes accounts that were linked in between', async () => {
      const other = make();
      await other.createUser(ada);
      const linking = slow(1, async () => {
        await other.linkAccount(github);
        await other.createAuthenticator(passkey);
      });
      expect(await linking.deleteUser('ada')).toStrictEqual(ada);
      expect(await redis().keys()).toEqual([]);
    });

    it('deleting a user keeps a session that now belongs to another user', async () => {
      const other = make();
      for (const user of [ada, bob]) await other.createUser(user);
      const session = { sessionToken: 's', userId: 'ada', expires: later };
      await other.createSession(session);
      await slow(1, () => other.updateSession({ sessionToken: 's', userId: 'bob' })).deleteUser('ada');
      expect((await other.getSessionAndUser('s'))?.user).toStrictEqual(bob);
    });

    it('deleting a user returns the members as they were changed in between', async () => {
      const other = make();
      await other.createUser(ada);
      const changed = await slow(1, () => other.updateUser({ id: 'ada', email: 'new@example.com' })).deleteUser('ada');
      expect(changed?.email).toBe('new@example.com');
      expect(await redis().keys()).toEqual([]);
    });

    it('an update of a user keeps an update in between', async () => {
      const other = make();
      await other.createUser(ada);
      const both = { ...ada, name: 'Countess', email: 'new@example.com' };
      const changing = slow(1, () => other.updateUser({ id: 'ada', name: 'Countess' }));
      expect(await changing.updateUser({ id: 'ada', email: 'new@example.com' })).toStrictEqual(both);
      expect(await other.getUserByEmail('new@example.com')).toStrictEqual(both);
      expect(await other.getUserByEmail(ada.email)).toBeNull();
    });

    it('an address belongs to a user who takes it twice at once', async () => {
      const other = make();
      await other.createUser(ada);
      const email = 'new@example.com';
      // With several steps: the address is reserved, and the user has not changed yet.
      const taking = slow(tag === 'all' ? 1 : 2, () => other.updateUser({ id: 'ada', email }));
      expect(await taking.updateUser({ id: 'ada', email })).toStrictEqual({ ...ada, email });
      expect((await other.getUserByEmail(email))?.id).toBe('ada');
      expect(await other.getUserByEmail(ada.email)).toBeNull();
    });

    it('an address belongs to a user who leaves it and takes it again', async () => {
      const other = make();
      await other.createUser(ada);
      // With several steps: the user has the new address, and the old one is not released yet.
      const leaving = slow(tag === 'all' ? 1 : 3, () => other.updateUser({ id: 'ada', email: ada.email }));
      await leaving.updateUser({ id: 'ada', email: 'new@example.com' });
      const { email } = (await other.getUser('ada')) ?? {};
      expect((await other.getUserByEmail(email ?? ''))?.id).toBe('ada');
      expect(await rejection(() => other.createUser({ ...bob, email: email ?? '' }))).toBeInstanceOf(UniqueViolation);
    });

    it('an account that is unlinked and linked at once is deleted with its user', async () => {
      const other = make();
      await other.createUser(ada);
      await other.linkAccount(github);
      // With several steps: the account is in the user's list, and does not exist yet.
      await slow(tag === 'all' ? 1 : 2, () => other.unlinkAccount(github)).linkAccount(github);
      expect(await other.getUserByAccount(github)).toStrictEqual(ada);
      await other.deleteUser('ada');
      expect(await redis().keys()).toEqual([]);
    });

    it('an update of tokens does not restore an unlinked account', async () => {
      const other = make();
      await other.createUser(ada);
      await other.linkAccount(github);
      expect(await slow(1, () => other.unlinkAccount(github)).updateAccount({ ...github, scope: 'new' })).toBeNull();
      expect(await other.getAccount('1', 'github')).toBeNull();
    });

    it('unlinking returns the account with tokens that were updated in between', async () => {
      const other = make();
      await other.createUser(ada);
      await other.linkAccount(github);
      const ending = slow(1, () => other.updateAccount({ ...github, scope: 'new' }));
      expect(await ending.unlinkAccount(github)).toStrictEqual({ ...github, scope: 'new' });
      expect(await other.getAccount('1', 'github')).toBeNull();
    });

    it('deleting a session deletes it and its entries, although it was extended in between', async () => {
      const other = make();
      await other.createUser(ada);
      await other.createSession({ sessionToken: 's', userId: 'ada', expires: later });
      const to = new Date(later.getTime() + 1);
      const ending = slow(1, () => other.extendSession({ sessionToken: 's', from: later, to }));
      expect((await ending.deleteSession('s'))?.userId).toBe('ada');
      expect(await redis().keys()).toHaveLength(2);
    });

    it('a session is replaced, although it was extended or deleted in between', async () => {
      const other = make();
      await other.createUser(ada);
      const session = { sessionToken: 'old', userId: 'ada', expires: later };
      const works = [
        () => other.extendSession({ sessionToken: 'old', from: later, to: new Date(later.getTime() + 1) }),
        () => other.deleteSession('old'),
      ];
      for (const [index, work] of works.entries()) {
        await other.createSession(session);
        const sessionToken = `new${index}`;
        await slow(1, work).replaceSession('old', { ...session, sessionToken });
        expect(await other.getSessionAndUser('old')).toBeNull();
        expect(await other.getSessionAndUser(sessionToken)).not.toBeNull();
      }
    });

    it('cleanup keeps a session that is extended in between', async () => {
      const other = make();
      await other.createUser(ada);
      const from = new Date(Date.now() - 1000);
      await other.createSession({ sessionToken: 's', userId: 'ada', expires: from });
      const cleaning = slow(1, () => other.extendSession({ sessionToken: 's', from, to: later }));
      expect(await cleaning.cleanup()).toBe(0);
      expect((await other.getSessionAndUser('s'))?.session.expires).toEqual(later);
      // A later cleanup deletes it.
      const much = new Date(later.getTime() + 1);
      expect(await RedisAdapter(redis().client, { prefix: redis().prefix, tag, now: () => much }).cleanup()).toBe(1);
    });

    it('an expired key is spent once', async () => {
      const other = make();
      await other.spendOnce('k', new Date(Date.now() - 1000));
      expect(await slow(2, () => other.spendOnce('k', later)).spendOnce('k', later)).toBe(false);
    });

    it('the last counter of an authenticator is kept', async () => {
      const other = make();
      await other.createUser(ada);
      await other.createAuthenticator(passkey);
      const { credentialID } = passkey;
      await slow(1, () => other.updateAuthenticatorCounter(credentialID, 1)).updateAuthenticatorCounter(
        credentialID,
        2,
      );
      expect((await other.getAuthenticator(credentialID))?.counter).toBe(2);
    });

    it('an address is not taken from a user who did not exist and exists again', async () => {
      const other = make();
      await other.createUser(ada);
      const [user] = (await redis().keys()).filter((key) => /(^|:)user:/.test(key));
      const key = redis().prefix + user;
      const row = String(await redis().send('GET', key));
      await redis().send('DEL', key);
      const taking = slow(2, () => redis().send('SET', key, row));
      expect(await rejection(() => taking.createUser({ ...bob, email: ada.email }))).toBeInstanceOf(UniqueViolation);
      expect((await other.getUserByEmail(ada.email))?.id).toBe('ada');
      expect(await other.getUser('bob')).toBeNull();
    });
  },
);

/** Returns a client that does other work before one of its scripts. Scripts count from 1. */
function pausing(connection: Subject, script: number, work: () => unknown): Recorded['client'] {
  const client = recorded(connection);
  let count = 0;
  client.before = async ([name]) => {
    if (name !== 'EVALSHA') return;
    count += 1;
    if (count === script) await work();
  };
  return client.client;
}

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('reservations, tag %s', (tag) => {
  const redis = subject();
  const make = (client = redis().client): RedisAdapter => RedisAdapter(client, { prefix: redis().prefix, tag });
  const { userId: _, ...account } = github;

  it('are released if one of them is refused', async () => {
    const adapter = make();
    await adapter.createUser(ada);
    const before = await redis().keys();
    const error = await rejection(() => adapter.createUserWithAccount({ ...bob, email: ada.email }, account));
    expect(error).toBeInstanceOf(UniqueViolation);
    expect(await rejection(() => adapter.createUser({ ...bob, id: 'ada' }))).toBeInstanceOf(UniqueViolation);
    expect(await redis().keys()).toEqual(before);
  });

  it('that are left over are replaced by the same user', async () => {
    const client = recorded(redis());
    // With several steps: after the reservations, before the user.
    client.before = ([name, ...args]) => {
      if (name === 'EVALSHA' && args.some((arg) => /[:}]user:/.test(arg))) client.cut({ at: 1, when: 'before' });
    };
    await rejection(() => make(client.client).createUserWithAccount(ada, account));
    expect(await make().createUserWithAccount(ada, account)).toStrictEqual(ada);
    expect(await make().getUserByAccount(github)).toStrictEqual(ada);
  });
});

describe.skipIf(!(await available('redis')))('reservations in several steps', () => {
  const redis = subject();
  const make = (client = redis().client): RedisAdapter => RedisAdapter(client, { prefix: redis().prefix, tag: 'user' });
  const slow = (script: number, work: () => unknown): RedisAdapter => make(pausing(redis(), script, work));
  const { userId: _, ...account } = github;

  it('delay a second sign-up until the first one is done', async () => {
    const client = recorded(redis());
    let second: Promise<unknown> = Promise.resolve();
    client.before = async ([name, ...args]) => {
      if (name !== 'EVALSHA' || !args.some((arg) => arg.includes(':user:'))) return;
      client.before = () => undefined;
      const watched = recorded(redis());
      second = rejection(() => make(watched.client).createUserWithAccount({ ...bob, email: ada.email }, account));
      // The second sign-up has read the reservation of the first.
      while (watched.seen() < 5) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const first = await make(client.client).createUserWithAccount(ada, account);
    expect(await second).toBeInstanceOf(UniqueViolation);
    expect(await make().getUserByEmail(ada.email)).toStrictEqual(first);
    expect(await make().getUserByAccount(github)).toStrictEqual(first);
    expect(await make().getUser('bob')).toBeNull();
  });

  it('are restored if an update that replaced them is refused', async () => {
    await make().createUser(ada);
    const change = { id: 'ada', email: 'new@example.com' };
    let second: Promise<unknown> = Promise.resolve();
    // The first update pauses with the address reserved, the second one replaces the reservation; then the first one
    // succeeds.
    const first = Promise.resolve(
      slow(
        2,
        () =>
          new Promise<void>((resume) => {
            second = Promise.resolve(
              slow(3, async () => {
                resume();
                await first;
              }).updateUser(change),
            );
          }),
      ).updateUser(change),
    );
    await first;
    await second;
    expect((await make().getUserByEmail('new@example.com'))?.id).toBe('ada');
  });
});
