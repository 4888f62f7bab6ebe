import { application, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { available, startable, startRedis } from '../../../test/services/index.ts';
import { combine, RedisAdapter, RedisSessions } from '../src/index.ts';
import { countKinds, nodeRedis } from './clients.ts';
import { recorded } from './recorded.ts';
import { subject } from './subject.ts';

const day = 86_400;

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('an application, tag %s', (tag) => {
  const redis = subject();

  function app() {
    const client = recorded(redis());
    const adapter = RedisAdapter(client.client, { prefix: redis().prefix, tag });
    return { ...application({ adapter }), commands: client.commands };
  }

  const kinds = async (): Promise<Record<string, number>> => countKinds(await redis().keys(), '');

  it('signs in, shows the session, and signs out', async () => {
    const { log, signIn, signOut, session } = app();
    await signIn();
    expect(await session()).toMatchObject({ user: { email: 'ada@example.com' } });
    const user = { user: 1, email: 1, account: 1, accounts: 1 };
    // The spent key is the state of the sign-in.
    expect(await kinds()).toEqual({ ...user, session: 1, sessions: 1, expiring: 1, spent: 1 });
    await signOut();
    expect(await session()).toBeNull();
    expect(await kinds()).toEqual({ ...user, spent: 1 });
    expect(log.errors).toEqual([]);
  });

  it('signs in by mail, once per link', async () => {
    const { log, visitor, mailedLink, open, session } = app();
    const link = await mailedLink('bob@example.com');
    await open(link);
    expect(await session()).toMatchObject({ user: { email: 'bob@example.com' } });
    const another = visitor();
    await open(link, another);
    expect(await session(another)).toBeNull();
    expect(log.types()).toEqual(['Verification']);
  });

  it('starts a new session at each sign-in, and ends the previous one', async () => {
    const { browser, signIn, session } = app();
    await signIn();
    const old = browser.cookies.get('authjs.session-token')?.value;
    await signIn();
    expect(browser.cookies.get('authjs.session-token')?.value).not.toBe(old);
    expect(await session()).not.toBeNull();
    expect(await kinds()).toMatchObject({ session: 1 });
  });

  it('ends a session that has expired', async () => {
    const { browser, clock, visitor, signIn, session } = app();
    await signIn();
    const token = browser.cookies.get('authjs.session-token')?.value ?? '';
    clock.advance(30 * day + 1);
    // A browser that keeps cookies beyond their expiry.
    const late = visitor();
    late.cookies.set('authjs.session-token', token);
    expect(await session(late)).toBeNull();
    expect(await kinds()).not.toHaveProperty('session');
  });

  it('sends few commands, and none that scans keys', async () => {
    const { commands, clock, visitor, signIn, session, mailedLink, open, signOut } = app();
    const second = visitor();
    await signIn();
    commands();
    await session();
    expect(commands()).toEqual(tag === 'all' ? ['EVALSHA'] : ['GET', 'GET']);
    await signIn({ browser: second });
    expect(commands().length).toBeLessThanOrEqual(tag === 'all' ? 7 : 14);
    clock.advance(2 * day);
    await session(second);
    await signOut(second);
    await open(await mailedLink('bob@example.com', {}, second), second);
    const used = [...new Set(commands())].sort();
    expect(used).toEqual(expect.arrayContaining(['EVALSHA', 'GET', 'GETDEL']));
    expect(used.filter((name) => !['EVAL', 'EVALSHA', 'GET', 'GETDEL'].includes(name))).toEqual([]);
  });
});

describe.skipIf(!(await startable('redis'))).each(['all', 'user'] as const)(
  'an application with a server alone, tag %s',
  (tag) => {
    it('never scans keys, not even in scripts', async () => {
      const server = await startRedis();
      const { client, send, close } = await nodeRedis(server.url);
      const adapter = RedisAdapter(client, { tag });
      const { mailedLink, open, signIn, signOut, session } = application({ adapter });
      await signIn();
      await session();
      await open(await mailedLink('bob@example.com'));
      await signOut();
      await adapter.cleanup();
      // The server counts calls by name, also those of scripts.
      const called = String(await send('INFO', 'commandstats')).match(/(?<=cmdstat_)\w+/g) ?? [];
      expect(called).toEqual(expect.arrayContaining(['evalsha', 'get', 'set', 'zadd']));
      for (const name of ['scan', 'keys', 'sscan', 'zscan', 'hscan', 'randomkey']) expect(called).not.toContain(name);
      close();
      await server.stop();
    });
  },
);

describe.skipIf(!(await available('redis')))('an application with users in another store', () => {
  const redis = subject();

  it('keeps its sessions and tokens in Redis, and nothing else', async () => {
    const users = memoryAdapter();
    const sessions = RedisSessions(redis().client, { prefix: redis().prefix });
    const app = application({ adapter: combine({ users, sessions }) });
    await app.signIn();
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    const another = app.visitor();
    const link = await app.mailedLink('bob@example.com', {}, another);
    const kinds = { session: 1, sessions: 1, expiring: 1, spent: 1, token: 1, tokens: 1 };
    expect(countKinds(await redis().keys(), '')).toEqual(kinds);
    await app.open(link, another);
    expect(await app.session(another)).toMatchObject({ user: { email: 'bob@example.com' } });
    expect(users.dump()).toMatchObject({ sessions: [], verificationTokens: [], spent: [] });
    expect(
      users
        .dump()
        .users.map(({ email }) => email)
        .sort(),
    ).toEqual(['ada@example.com', 'bob@example.com']);
    await app.signOut();
    expect(await app.session()).toBeNull();
    expect(app.log.errors).toEqual([]);
  });
});
