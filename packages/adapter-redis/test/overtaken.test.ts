import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { RedisAdapter, UniqueViolation } from '../src/index.ts';
import { type Recorded, recorded } from './recorded.ts';
import { ada, bob, github, later, passkey, rejection } from './samples.ts';
import { type Subject, subject } from './subject.ts';

/*
 * Work that has read and is about to write, and somebody else writes in between. Each script is one write; the others find out
 * that what they have read is outdated.
 */
describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('overtaken, tag %s', (tag) => {
  const redis = subject();
  const make = (client = redis().client): RedisAdapter => RedisAdapter(client, { prefix: redis().prefix, tag });

  const slow = (script: number, work: () => unknown): RedisAdapter => make(pausing(redis(), script, work));

  it('the end of a user takes along what was linked in between', async () => {
    const other = make();
    await other.createUser(ada);
    const linking = slow(1, async () => {
      await other.linkAccount(github);
      await other.createAuthenticator(passkey);
    });
    expect(await linking.deleteUser('ada')).toStrictEqual(ada);
    expect(await redis().keys()).toEqual([]);
  });

  it('the end of a user leaves alone what has become somebody else’s', async () => {
    const other = make();
    for (const user of [ada, bob]) await other.createUser(user);
    const session = { sessionToken: 's', userId: 'ada', expires: later };
    await other.createSession(session);
    await slow(1, () => other.updateSession({ sessionToken: 's', userId: 'bob' })).deleteUser('ada');
    expect((await other.getSessionAndUser('s'))?.user).toStrictEqual(bob);
  });

  it('the end of a user has the last word on their members', async () => {
    const other = make();
    await other.createUser(ada);
    const changed = await slow(1, () => other.updateUser({ id: 'ada', email: 'new@example.com' })).deleteUser('ada');
    expect(changed?.email).toBe('new@example.com');
    expect(await redis().keys()).toEqual([]);
  });

  it('a change of a user keeps the change of somebody else', async () => {
    const other = make();
    await other.createUser(ada);
    const both = { ...ada, name: 'Countess', email: 'new@example.com' };
    const changing = slow(1, () => other.updateUser({ id: 'ada', name: 'Countess' }));
    expect(await changing.updateUser({ id: 'ada', email: 'new@example.com' })).toStrictEqual(both);
    expect(await other.getUserByEmail('new@example.com')).toStrictEqual(both);
    expect(await other.getUserByEmail(ada.email)).toBeNull();
  });

  it('an address is kept by a user who takes it twice at once', async () => {
    const other = make();
    await other.createUser(ada);
    const email = 'new@example.com';
    // With several steps: the address is claimed, the user not yet changed.
    const taking = slow(tag === 'all' ? 1 : 2, () => other.updateUser({ id: 'ada', email }));
    expect(await taking.updateUser({ id: 'ada', email })).toStrictEqual({ ...ada, email });
    expect((await other.getUserByEmail(email))?.id).toBe('ada');
    expect(await other.getUserByEmail(ada.email)).toBeNull();
  });

  it('an address is kept by a user who comes back to it at once', async () => {
    const other = make();
    await other.createUser(ada);
    // With several steps: the user has the new address, the old one is not yet given back.
    const leaving = slow(tag === 'all' ? 1 : 3, () => other.updateUser({ id: 'ada', email: ada.email }));
    await leaving.updateUser({ id: 'ada', email: 'new@example.com' });
    const { email } = (await other.getUser('ada')) ?? {};
    expect((await other.getUserByEmail(email ?? ''))?.id).toBe('ada');
    expect(await rejection(() => other.createUser({ ...bob, email: email ?? '' }))).toBeInstanceOf(UniqueViolation);
  });

  it('an account that is linked again while its link ends goes with its user', async () => {
    const other = make();
    await other.createUser(ada);
    await other.linkAccount(github);
    // With several steps: it is in the list of the user, and not yet there.
    await slow(tag === 'all' ? 1 : 2, () => other.unlinkAccount(github)).linkAccount(github);
    expect(await other.getUserByAccount(github)).toStrictEqual(ada);
    await other.deleteUser('ada');
    expect(await redis().keys()).toEqual([]);
  });

  it('fresh tokens do not bring an account back', async () => {
    const other = make();
    await other.createUser(ada);
    await other.linkAccount(github);
    expect(await slow(1, () => other.unlinkAccount(github)).updateAccount({ ...github, scope: 'new' })).toBeNull();
    expect(await other.getAccount('1', 'github')).toBeNull();
  });

  it('the end of a link ends the account with its fresh tokens', async () => {
    const other = make();
    await other.createUser(ada);
    await other.linkAccount(github);
    const ending = slow(1, () => other.updateAccount({ ...github, scope: 'new' }));
    expect(await ending.unlinkAccount(github)).toStrictEqual({ ...github, scope: 'new' });
    expect(await other.getAccount('1', 'github')).toBeNull();
  });

  it('a sign-out ends a session that is extended meanwhile, and its entries', async () => {
    const other = make();
    await other.createUser(ada);
    await other.createSession({ sessionToken: 's', userId: 'ada', expires: later });
    const to = new Date(later.getTime() + 1);
    const ending = slow(1, () => other.extendSession({ sessionToken: 's', from: later, to }));
    expect((await ending.deleteSession('s'))?.userId).toBe('ada');
    expect(await redis().keys()).toHaveLength(2);
  });

  it('a session is replaced though it was extended, or has ended', async () => {
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

  it('cleanup spares a session that is extended meanwhile', async () => {
    const other = make();
    await other.createUser(ada);
    const from = new Date(Date.now() - 1000);
    await other.createSession({ sessionToken: 's', userId: 'ada', expires: from });
    const cleaning = slow(1, () => other.extendSession({ sessionToken: 's', from, to: later }));
    expect(await cleaning.cleanup()).toBe(0);
    expect((await other.getSessionAndUser('s'))?.session.expires).toEqual(later);
    // It is swept when its time has come.
    const much = new Date(later.getTime() + 1);
    expect(await RedisAdapter(redis().client, { prefix: redis().prefix, tag, now: () => much }).cleanup()).toBe(1);
  });

  it('a key that had expired is spent by one', async () => {
    const other = make();
    await other.spendOnce('k', new Date(Date.now() - 1000));
    expect(await slow(2, () => other.spendOnce('k', later)).spendOnce('k', later)).toBe(false);
  });

  it('counts of an authenticator are kept beside each other', async () => {
    const other = make();
    await other.createUser(ada);
    await other.createAuthenticator(passkey);
    const { credentialID } = passkey;
    await slow(1, () => other.updateAuthenticatorCounter(credentialID, 1)).updateAuthenticatorCounter(credentialID, 2);
    expect((await other.getAuthenticator(credentialID))?.counter).toBe(2);
  });

  it('an address is not taken from a user who was gone and is back', async () => {
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
});

/** A client that is overtaken before one of its scripts; they count from 1. */
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

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('claims, tag %s', (tag) => {
  const redis = subject();
  const make = (client = redis().client): RedisAdapter => RedisAdapter(client, { prefix: redis().prefix, tag });
  const { userId: _, ...account } = github;

  it('are given back by who does not get all of them', async () => {
    const adapter = make();
    await adapter.createUser(ada);
    const before = await redis().keys();
    const error = await rejection(() => adapter.createUserWithAccount({ ...bob, email: ada.email }, account));
    expect(error).toBeInstanceOf(UniqueViolation);
    expect(await rejection(() => adapter.createUser({ ...bob, id: 'ada' }))).toBeInstanceOf(UniqueViolation);
    expect(await redis().keys()).toEqual(before);
  });

  it('that were left over are used by the same user again', async () => {
    const client = recorded(redis());
    // Where there are several steps: after the claims, before the user.
    client.before = ([name, ...args]) => {
      if (name === 'EVALSHA' && args.some((arg) => /[:}]user:/.test(arg))) client.cut({ at: 1, when: 'before' });
    };
    await rejection(() => make(client.client).createUserWithAccount(ada, account));
    expect(await make().createUserWithAccount(ada, account)).toStrictEqual(ada);
    expect(await make().getUserByAccount(github)).toStrictEqual(ada);
  });
});

describe.skipIf(!(await available('redis')))('claims in several steps', () => {
  const redis = subject();
  const make = (client = redis().client): RedisAdapter => RedisAdapter(client, { prefix: redis().prefix, tag: 'user' });
  const slow = (script: number, work: () => unknown): RedisAdapter => make(pausing(redis(), script, work));
  const { userId: _, ...account } = github;

  it('are waited for: who comes second joins the first, who is not done yet', async () => {
    const client = recorded(redis());
    let second: Promise<unknown> = Promise.resolve();
    client.before = async ([name, ...args]) => {
      if (name !== 'EVALSHA' || !args.some((arg) => arg.includes(':user:'))) return;
      client.before = () => undefined;
      const watched = recorded(redis());
      second = rejection(() => make(watched.client).createUserWithAccount({ ...bob, email: ada.email }, account));
      // It has seen the claim of the first.
      while (watched.seen() < 5) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const first = await make(client.client).createUserWithAccount(ada, account);
    expect(await second).toBeInstanceOf(UniqueViolation);
    expect(await make().getUserByEmail(ada.email)).toStrictEqual(first);
    expect(await make().getUserByAccount(github)).toStrictEqual(first);
    expect(await make().getUser('bob')).toBeNull();
  });

  it('are put back by who took them over from another change of the same user', async () => {
    await make().createUser(ada);
    const change = { id: 'ada', email: 'new@example.com' };
    let second: Promise<unknown> = Promise.resolve();
    // The first stops with the address claimed, the second takes the claim over; then the first comes through.
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
