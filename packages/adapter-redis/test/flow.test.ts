import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { available } from '../../../test/services/index.ts';
import { combine, RedisAdapter, RedisSessions } from '../src/index.ts';
import { application } from './application.ts';
import { countKinds } from './clients.ts';
import { recorded } from './recorded.ts';
import { subject } from './subject.ts';

const day = 86_400;

describe.skipIf(!(await available('redis'))).each(['all', 'user'] as const)('an application, tag %s', (tag) => {
  const redis = subject();

  function app() {
    const client = recorded(redis());
    const adapter = RedisAdapter(client.client, { prefix: redis().prefix, tag });
    return { ...application(adapter), commands: client.commands };
  }

  const kinds = async (): Promise<Record<string, number>> => countKinds(await redis().keys(), '');

  it('signs in, shows the session, and signs out', async () => {
    const { errors, visitor, post, signIn, session } = app();
    const browser = visitor();
    await signIn(browser);
    expect(await session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    const user = { user: 1, email: 1, account: 1, accounts: 1 };
    // What was spent is the state of the sign-in, which is answered once.
    expect(await kinds()).toEqual({ ...user, session: 1, sessions: 1, expiring: 1, spent: 1 });
    await post(browser, 'signout');
    expect(await session(browser)).toBeNull();
    expect(await kinds()).toEqual({ ...user, spent: 1 });
    expect(errors).toEqual([]);
  });

  it('signs in by mail, once per link', async () => {
    const { errors, visitor, link, session } = app();
    const browser = visitor();
    const address = await link(browser, 'bob@example.com');
    await browser.get(address, { site: 'cross-site' });
    expect(await session(browser)).toMatchObject({ user: { email: 'bob@example.com' } });
    const another = visitor();
    await another.get(address, { site: 'cross-site' });
    expect(await session(another)).toBeNull();
    expect(errors.map(({ name }) => name)).toEqual(['Verification']);
  });

  it('starts a new session at each sign-in, and ends the one before', async () => {
    const { visitor, signIn, session } = app();
    const browser = visitor();
    await signIn(browser);
    const old = browser.cookies.get('authjs.session-token')?.value;
    await signIn(browser);
    expect(browser.cookies.get('authjs.session-token')?.value).not.toBe(old);
    expect(await session(browser)).not.toBeNull();
    expect(await kinds()).toMatchObject({ session: 1 });
  });

  it('ends a session that has expired', async () => {
    const { clock, visitor, signIn, session } = app();
    const browser = visitor();
    await signIn(browser);
    const token = browser.cookies.get('authjs.session-token')?.value ?? '';
    clock.advance(30 * day + 1);
    // A browser that keeps cookies for longer than it was told.
    const late = visitor();
    late.cookies.set('authjs.session-token', token);
    expect(await session(late)).toBeNull();
    expect(await kinds()).not.toHaveProperty('session');
  });

  it('needs few commands, and none that looks through keys', async () => {
    const { commands, clock, visitor, link, post, signIn, session } = app();
    const [first, second] = [visitor(), visitor()];
    await signIn(first);
    commands();
    await session(first);
    expect(commands()).toEqual(tag === 'all' ? ['EVALSHA'] : ['GET', 'GET']);
    await signIn(second);
    expect(commands().length).toBeLessThanOrEqual(tag === 'all' ? 7 : 14);
    clock.advance(2 * day);
    await session(second);
    await browse(await link(second, 'bob@example.com'), second);
    await post(second, 'signout');
    const used = [...new Set(commands())].sort();
    expect(used).toEqual(expect.arrayContaining(['EVALSHA', 'GET', 'GETDEL']));
    expect(used.filter((name) => !['EVAL', 'EVALSHA', 'GET', 'GETDEL'].includes(name))).toEqual([]);
  });

  it('never looks through keys, not even inside of scripts', async () => {
    const { visitor, link, post, signIn, session } = app();
    // The server counts calls by name, those of scripts too; nobody else uses these names meanwhile, or the test is repeated.
    const names = ['scan', 'keys', 'sscan', 'zscan', 'hscan', 'randomkey'];
    const calls = async (): Promise<string[]> => {
      const stats = String(await redis().send('INFO', 'commandstats'));
      return stats.split('\r\n').filter((line) => names.some((name) => line.startsWith(`cmdstat_${name}:`)));
    };
    for (let attempt = 0; ; attempt++) {
      const before = await calls();
      const browser = visitor();
      await signIn(browser);
      await session(browser);
      await browse(await link(browser, 'bob@example.com'), browser);
      await post(browser, 'signout');
      await RedisAdapter(redis().client, { prefix: redis().prefix, tag }).cleanup();
      const after = await calls();
      if (attempt === 9 || after.join() === before.join()) {
        expect(after).toEqual(before);
        return;
      }
    }
  });

  async function browse(address: string, browser: { get: (address: string, options: object) => unknown }) {
    await browser.get(address, { site: 'cross-site' });
  }
});

describe.skipIf(!(await available('redis')))('an application with users elsewhere', () => {
  const redis = subject();

  it('keeps its sessions and tokens in Redis, and nothing else', async () => {
    const users = memoryAdapter();
    const sessions = RedisSessions(redis().client, { prefix: redis().prefix });
    const { errors, visitor, link, post, signIn, session } = application(combine({ users, sessions }));
    const browser = visitor();
    await signIn(browser);
    expect(await session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    const another = visitor();
    const address = await link(another, 'bob@example.com');
    expect(countKinds(await redis().keys(), '')).toEqual({ session: 1, sessions: 1, expiring: 1, spent: 1, token: 1 });
    await another.get(address, { site: 'cross-site' });
    expect(await session(another)).toMatchObject({ user: { email: 'bob@example.com' } });
    expect(users.dump()).toMatchObject({ sessions: [], verificationTokens: [], spent: [] });
    expect(
      users
        .dump()
        .users.map(({ email }) => email)
        .sort(),
    ).toEqual(['ada@example.com', 'bob@example.com']);
    await post(browser, 'signout');
    expect(await session(browser)).toBeNull();
    expect(errors).toEqual([]);
  });
});
