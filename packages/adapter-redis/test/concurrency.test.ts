import { application } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { available, redis as server } from '../../../test/services/index.ts';
import { RedisAdapter, UniqueViolation } from '../src/index.ts';
import { countKinds, nodeRedis } from './clients.ts';
import { type Recorded, recorded } from './recorded.ts';
import { ada, bob, github, later, rejection } from './samples.ts';
import { subject } from './subject.ts';

const day = 86_400;
const { userId: _, ...account } = github;

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('at once, tag %s', (tag) => {
  const redis = subject();
  const make = (client = redis().client): RedisAdapter => RedisAdapter(client, { prefix: redis().prefix, tag });
  const kinds = async (): Promise<Record<string, number>> => countKinds(await redis().keys(), '');
  const fifty = <T>(work: (index: number) => T): T[] => Array.from({ length: 50 }, (_, index) => work(index));

  it('fifty open one magic link: one is signed in', async () => {
    const { visitor, mailedLink, open, session } = application({ adapter: make() });
    const link = await mailedLink('ada@example.com');
    const browsers = fifty(visitor);
    await Promise.all(browsers.map((browser) => open(link, browser)));
    const sessions = await Promise.all(browsers.map(session));
    expect(sessions.filter((one) => one)).toHaveLength(1);
    expect(await kinds()).toMatchObject({ user: 1, email: 1, session: 1 });
    expect(await kinds()).not.toHaveProperty('token');
  });

  it('fifty first sign-ins of one account: one user, one account, fifty sessions', async () => {
    const { log, visitor, signIn, session } = application({ adapter: make() });
    const browsers = fifty(visitor);
    await Promise.all(browsers.map((browser) => signIn({ browser })));
    const sessions = await Promise.all(browsers.map(session));
    expect(sessions.filter((one) => one === null)).toEqual([]);
    expect(await kinds()).toMatchObject({ user: 1, email: 1, account: 1, accounts: 1, session: 50, sessions: 1 });
    expect(log.errors).toEqual([]);
  });

  it('fifty read a session that is due: its expiry moves once per updateAge', async () => {
    const client = recorded(redis());
    const { clock, signIn, session } = application({ adapter: make(client.client) });
    await signIn();
    for (let round = 0; round < 3; round++) {
      clock.advance(day);
      const before = await versionOf();
      const read = await Promise.all(fifty(() => session()));
      expect(new Set(read.map((one) => one?.expires)).size).toBe(1);
      expect(read[0]?.expires).toBe(new Date(clock.now().getTime() + 30 * day * 1000).toISOString());
      expect(await versionOf()).not.toBe(before);
    }
    // Within the update age nothing is written.
    clock.advance(day / 2);
    const quiet = await versionOf();
    await Promise.all(fifty(() => session()));
    expect(await versionOf()).toBe(quiet);
  });

  async function versionOf(): Promise<string> {
    const keys = (await redis().keys()).filter((key) => key.replace('{latchkey}:', '').startsWith('session:'));
    return String(await redis().send('GET', redis().prefix + keys[0]));
  }

  it('fifty extend a session: one succeeds', async () => {
    const adapter = make();
    await adapter.createUser(ada);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: later });
    const to = fifty((index) => new Date(later.getTime() + 1000 + index));
    const moved = await Promise.all(
      to.map((one) => adapter.extendSession({ sessionToken: 's', from: later, to: one })),
    );
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect((await adapter.getSessionAndUser('s'))?.session.expires).toEqual(to[moved.indexOf(true)]);
  });

  it('a sign-out during reads that extend the session ends it', async () => {
    // Two connections, so that the commands interleave.
    const other = await nodeRedis((await server()).url);
    const [here, there] = [make(), make(other.client)];
    for (let round = 0; round < 10; round++) {
      const app = application({ adapter: here, config: { session: { updateAge: 0 } } });
      await app.signIn();
      const token = app.browser.cookies.get('authjs.session-token')?.value ?? '';
      app.clock.advance(1);
      const reads = fifty(async (index) => {
        const adapter = index % 2 ? here : there;
        const found = await adapter.getSessionAndUser(token);
        if (!found) return;
        const from = found.session.expires;
        await adapter.extendSession({ sessionToken: token, from, to: new Date(from.getTime() + index + 1) });
      });
      const out = there.deleteSession(token);
      await Promise.all([...reads, out]);
      expect(await here.getSessionAndUser(token)).toBeNull();
      expect(await kinds()).not.toHaveProperty('session');
    }
    other.close();
  });

  it('a sign-out between the reading of a session and its extension wins', async () => {
    const slow = recorded(redis());
    const [adapter, reader] = [make(), make(slow.client)];
    await adapter.createUser(ada);
    await adapter.createSession({ sessionToken: 's', userId: 'ada', expires: later });
    slow.before = async ([name]) => {
      // The row has been read, and the change has not been sent.
      if (name !== 'EVALSHA') return;
      slow.before = () => undefined;
      await adapter.deleteSession('s');
    };
    expect(await reader.extendSession({ sessionToken: 's', from: later, to: new Date(later.getTime() + 1) })).toBe(
      false,
    );
    expect(await adapter.getSessionAndUser('s')).toBeNull();
    expect(await kinds()).not.toHaveProperty('session');
  });

  it('fifty change different members of a user: all changes are kept', async () => {
    const adapter = make();
    await adapter.createUser(ada);
    await Promise.all(fifty((index) => adapter.updateUser({ id: 'ada', [`m${index}`]: index })));
    const user = await adapter.getUser('ada');
    expect(user).toStrictEqual({ ...ada, ...Object.fromEntries(fifty((index) => [`m${index}`, index])) });
  });

  it('fifty take one address: one succeeds', async () => {
    const adapter = make();
    const users = fifty((index) => ({ ...ada, id: `u${index}`, email: `u${index}@example.com` }));
    await Promise.all(users.map((user) => adapter.createUser(user)));
    const taken = await Promise.allSettled(
      users.map(async ({ id }, index) =>
        index % 2
          ? adapter.updateUser({ id, email: 'x' })
          : adapter.createUser({ ...ada, id: `new${index}`, email: 'x' }),
      ),
    );
    const winners = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    expect(winners).toHaveLength(1);
    expect((await adapter.getUserByEmail('x'))?.id).toBe(winners[0]);
    for (const one of taken) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(UniqueViolation);
    const all = await Promise.all(
      [...users, ...users.map((_, i) => ({ id: `new${i}` }))].map(({ id }) => adapter.getUser(id)),
    );
    expect(all.filter((user) => user?.email === 'x')).toHaveLength(1);
  });

  it('an account that is linked while its user is deleted does not exist afterwards', async () => {
    for (let round = 0; round < 10; round++) {
      const adapter = make();
      await adapter.createUser(ada);
      await Promise.allSettled([
        adapter.linkAccount(github),
        ...fifty((index) => adapter.linkAccount({ ...github, providerAccountId: `${round}-${index}` })),
        adapter.deleteUser('ada'),
      ]);
      await adapter.deleteUser('ada');
      expect(await adapter.getUserByAccount(github)).toBeNull();
      // With several slots, rows that came too late remain, and count for nothing.
      if (tag === 'all') expect(await redis().keys()).toEqual([]);
      await adapter.createUserWithAccount(bob, account);
      expect((await adapter.getUserByAccount(github))?.id).toBe('bob');
      await adapter.deleteUser('bob');
    }
  });
});

describe.skipIf(!(await available('redis')))('a first sign-in that pauses midway, tag user', () => {
  const redis = subject();

  it('fails if another sign-up has replaced its reservations, and changes nothing', async () => {
    const slow = recorded(redis());
    const options = { prefix: redis().prefix, tag: 'user' as const };
    const [late, other] = [RedisAdapter(slow.client, options), RedisAdapter(redis().client, options)];
    // Account and address are reserved; the user does not exist yet.
    beforeUserIsWritten(slow, () => other.createUserWithAccount({ ...bob, email: ada.email }, account));
    const error = await rejection(() => late.createUserWithAccount(ada, account));
    expect(error).toBeInstanceOf(UniqueViolation);
    expect(await other.getUser('ada')).toBeNull();
    expect((await other.getUserByEmail(ada.email))?.id).toBe('bob');
    expect((await other.getUserByAccount(github))?.id).toBe('bob');
  });

  it('fails if another sign-up has taken the new address, and changes nothing', async () => {
    const slow = recorded(redis());
    const options = { prefix: redis().prefix, tag: 'user' as const };
    const [late, other] = [RedisAdapter(slow.client, options), RedisAdapter(redis().client, options)];
    await other.createUser(ada);
    beforeUserIsWritten(slow, () => other.createUser({ ...bob, email: 'new@example.com' }));
    expect(await rejection(() => late.updateUser({ id: 'ada', email: 'new@example.com' }))).toBeInstanceOf(
      UniqueViolation,
    );
    expect((await other.getUserByEmail('new@example.com'))?.id).toBe('bob');
    expect((await other.getUser('ada'))?.email).toBe(ada.email);
    expect((await other.getUserByEmail(ada.email))?.id).toBe('ada');
  });

  function beforeUserIsWritten(slow: Recorded, work: () => unknown): void {
    slow.before = async ([name, ...args]) => {
      if (name !== 'EVALSHA' || !args.some((arg) => arg.startsWith(`${redis().prefix}user:`))) return;
      slow.before = () => undefined;
      await work();
    };
  }
});
