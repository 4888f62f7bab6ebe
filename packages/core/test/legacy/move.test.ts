import type { AdapterUser } from '@latchkey/core/adapters';
import type { AuthConfig, LegacyReader, LegacySession } from '@latchkey/core/types';
import {
  type Application,
  application,
  type Browser,
  Clock,
  type MemoryAdapter,
  memoryAdapter,
} from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { endAllSessions } from '../../src/session/end.ts';
import { sessionsOf } from '../../src/sessions.ts';
import { DAY, makeSite, SESSION, type Strategy, strategies } from '../sessions/scene.ts';

const OLD = 'old.sid';
const START = new Date(Math.floor(Date.now() / 1000) * 1000);
const UNTIL = daysLater(170).toISOString();

function daysLater(days: number): Date {
  return new Date(START.getTime() + days * DAY * 1000);
}

interface Scene {
  readonly app: Application<MemoryAdapter>;
  readonly user: AdapterUser;
  readonly old: Map<string, LegacySession>;
  /** The names of the reader's methods that were called. */
  readonly calls: string[];
  readonly logged: () => string[];
}

interface SceneOptions {
  readonly reader?: Partial<LegacyReader>;
  readonly config?: Partial<AuthConfig>;
  readonly call?: object;
}

/** An application whose visitor has the session `1` of another library for ten more days. */
async function scene(strategy: Strategy, { reader, config, call }: SceneOptions = {}): Promise<Scene> {
  const clock = new Clock(START);
  const adapter = memoryAdapter({ now: clock.now });
  const user = await adapter.createUser({ id: '7', name: 'Ada', email: 'ada@example.com', emailVerified: null });
  const expires = daysLater(10);
  const old = new Map<string, LegacySession>([['1', { userId: user.id, expires, issuedAt: START, id: '1' }]]);
  const calls: string[] = [];
  const whole: LegacyReader = {
    name: 'old library',
    cookies: [OLD],
    until: UNTIL,
    read: (cookies) => {
      calls.push('read');
      return old.get(cookies.get(OLD) ?? '') ?? null;
    },
    end: ({ id = '' }) => {
      calls.push('end');
      old.delete(id);
    },
    ...reader,
  };
  const app = application({
    adapter,
    clock,
    call,
    config: { session: { strategy }, legacy: [whole], ...config },
  });
  app.browser.cookies.set(OLD, '1');
  const logged = (): string[] => app.log.errors.map(({ message }) => message.replace(/\. See .*$/, ''));
  return { app, user, old, calls, logged };
}

function isSignedIn(session: unknown): boolean {
  return session !== null;
}

/** Starts as a browser without cookies but the old one. */
function withOldCookie(app: Application<MemoryAdapter>, value = '1'): Browser {
  const browser = app.visitor();
  browser.cookies.set(OLD, value);
  return browser;
}

describe.each(strategies)('a session of another library becomes a %s session', (strategy) => {
  it('at the first request, and ends when the browser brings the new one', async () => {
    const { app, user, old, calls } = await scene(strategy);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(app.browser.cookies.has(SESSION)).toBe(true);
    expect([app.browser.cookies.has(OLD), calls]).toEqual([true, ['read']]);

    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect([app.browser.cookies.has(OLD), old.size, calls]).toEqual([false, 0, ['read', 'read', 'end']]);
    await app.session();
    expect(calls).toHaveLength(3);
    const names = app.events.map(([name]) => name);
    expect(names.filter((name) => name !== 'session')).toEqual(['legacySession']);
    expect(app.events[0]).toEqual(['legacySession', { user, reader: 'old library' }]);
  });

  it('which expires with the old one at first, and is extended later', async () => {
    const { app, old } = await scene(strategy);
    expect((await app.session())?.expires).toBe(old.get('1')?.expires.toISOString());
    expect(app.browser.cookies.get(SESSION)?.expires).toEqual(old.get('1')?.expires);
    app.clock.advance(2 * DAY);
    expect((await app.session())?.expires).toBe(new Date(app.clock.now().getTime() + 30 * DAY * 1000).toISOString());
  });

  it('also if a response is lost, and in parallel requests', async () => {
    const { app } = await scene(strategy);
    const lost = withOldCookie(app);
    await app.session(lost);
    const sessions = await Promise.all([1, 2, 3].map(() => app.session(withOldCookie(app))));
    expect(sessions.every(isSignedIn)).toBe(true);
    await Promise.all([app.session(lost), app.session(lost), app.session(lost)]);
    expect(await app.session(lost)).not.toBeNull();
  });

  it('unless the request has a session of this library, even one that is not valid', async () => {
    const { app, calls } = await scene(strategy, { reader: { keep: true } });
    await app.signIn();
    app.browser.cookies.set(OLD, '1');
    calls.length = 0;
    await app.session();
    expect(calls).toEqual([]);

    const other = withOldCookie(app);
    other.cookies.set(SESSION, 'invalid');
    expect(await app.session(other)).toBeNull();
    expect(other.cookies.has(OLD)).toBe(false);
  });

  it('and stays usable for the other library with `keep`, until the visitor signs out', async () => {
    const { app, old, calls } = await scene(strategy, { reader: { keep: true } });
    await app.session();
    await app.session();
    expect([app.browser.cookies.has(OLD), calls]).toEqual([true, ['read']]);
    await app.signOut();
    expect([app.browser.cookies.has(OLD), old.size]).toEqual([false, 0]);
    expect(await app.session()).toBeNull();
  });

  it('which the visitor can end at once', async () => {
    const { app, old } = await scene(strategy);
    await app.signOut();
    expect([app.browser.cookies.has(OLD), app.browser.cookies.has(SESSION), old.size]).toEqual([false, false, 0]);
    expect(app.adapter.store.sessions.size).toBe(0);
    expect(app.events.map(([name]) => name)).toContain('signOut');
  });

  it('to which no account is added, and which a sign-in replaces', async () => {
    const { app, old } = await scene(strategy, { reader: { keep: true } });
    await app.signIn({ consent: { user: { sub: 'ada', email: 'other@example.com', email_verified: true } } });
    expect(app.log.types()).toEqual(['OAuthAccountNotLinked']);

    const account = { provider: 'fake', providerAccountId: 'ada', type: 'oidc', userId: '7' } as const;
    await app.adapter.linkAccount(account);
    await app.signIn({ consent: { sub: 'ada', user: { sub: 'ada' } } });
    expect(app.events.map(([name]) => name)).toEqual(['legacySession', 'signIn']);
    expect([app.browser.cookies.has(OLD), old.size]).toEqual([false, 0]);
    expect(app.adapter.store.sessions.size).toBe(strategy === 'database' ? 1 : 0);
  });

  it('to which no account is added either if subdomains share the session, until the visitor signs in', async () => {
    const config = { cookies: { sessionToken: { options: { domain: 'localhost' } } } };
    const { app } = await scene(strategy, { config });
    await app.adapter.linkAccount({ provider: 'fake', providerAccountId: 'ada', type: 'oidc', userId: '7' });
    const other = { user: { sub: 'other', email: 'other@example.com', email_verified: true } };
    await app.signIn({ consent: other });
    expect(app.log.types()).toEqual(['OAuthAccountNotLinked']);
    await app.signIn({ consent: { sub: 'ada', user: { sub: 'ada' } } });
    await app.signIn({ consent: other });
    expect([...app.adapter.store.accounts.values()].map(({ userId }) => userId)).toEqual(['7', '7']);
  });

  it('unless it has expired, its user is gone, or the date is invalid', async () => {
    const { app, old, calls } = await scene(strategy);
    for (const change of [{ userId: '8' }, { expires: app.clock.now() }, { expires: new Date(Number.NaN) }]) {
      old.set('2', { userId: '7', expires: daysLater(10), ...change });
      const browser = withOldCookie(app, '2');
      expect(await app.session(browser)).toBeNull();
      expect([browser.cookies.has(SESSION), browser.cookies.has(OLD)]).toEqual([false, true]);
    }
    expect(await app.session(withOldCookie(app, 'forged'))).toBeNull();
    expect([app.adapter.store.sessions.size, calls.includes('end')]).toEqual([0, false]);
  });

  it('until the instant of the reader, which is not called afterwards', async () => {
    const { app, calls, old } = await scene(strategy);
    old.set('1', { userId: '7', expires: daysLater(300) });
    app.clock.set(new Date(UNTIL));
    expect(await app.session(withOldCookie(app))).not.toBeNull();
    app.clock.advance(1);
    calls.length = 0;
    expect(await app.session()).toBeNull();
    await app.signOut();
    expect([calls, app.browser.cookies.has(OLD)]).toEqual([[], false]);
  });

  it('but not while the framework allows no cookies: it is only read', async () => {
    const { app, calls } = await scene(strategy, { call: { renew: 'never' } });
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(await app.session()).not.toBeNull();
    expect([app.browser.cookies.has(SESSION), app.browser.cookies.has(OLD)]).toEqual([false, true]);
    expect([app.adapter.store.sessions.size, calls]).toEqual([0, ['read', 'read']]);
    expect(app.events.map(([name]) => name)).toEqual(['session', 'session']);
  });

  it.each<[string, Partial<LegacyReader>, string]>([
    [
      'throws',
      {
        read: () => {
          throw new Error('no connection');
        },
      },
      'the reader "old library" of `legacy` threw',
    ],
    [
      'returns no session',
      { read: () => ({ userId: 7 }) as never },
      'the reader "old library" of `legacy` must return `null`, or an object with a text `userId` and a date `expires`',
    ],
  ])('unless the reader %s, which is logged', async (_, reader, words) => {
    const { app, logged } = await scene(strategy, { reader });
    expect(await app.session()).toBeNull();
    expect([app.browser.cookies.has(SESSION), app.browser.cookies.has(OLD)]).toEqual([false, true]);
    expect(logged()).toEqual([words]);
    await app.signOut();
    expect(app.browser.cookies.has(OLD)).toBe(false);
  });

  it('unless the store fails; the next request tries again', async () => {
    const { app, logged } = await scene(strategy);
    app.adapter.fail('getUser');
    expect(await app.session()).toBeNull();
    expect(logged().at(-1)).toBe('the session of another library could not be moved');
    expect(await app.session()).not.toBeNull();
  });

  it('and is cleared even if its end fails, which is logged', async () => {
    const end = async (): Promise<void> => Promise.reject(new Error('no connection'));
    const { app, logged } = await scene(strategy, { reader: { end } });
    await app.session();
    expect(await app.session()).not.toBeNull();
    expect(app.browser.cookies.has(OLD)).toBe(false);
    expect(logged()).toEqual(['the session of the reader "old library" could not be ended']);
  });

  it('whose cookies have the domain and the path of the reader', async () => {
    const { app } = await scene(strategy, { reader: { domain: 'localhost', path: '/app' } });
    await app.session();
    await app.session();
    const cleared = app.browser.history.at(-1)?.setCookies.find(({ name }) => name === OLD);
    expect(cleared).toMatchObject({ value: '', domain: 'localhost', path: '/app', maxAge: 0 });
  });

  it('whose chunks are joined, unless they are longer than 16 KiB', async () => {
    const { app, old } = await scene(strategy);
    const value = 'x'.repeat(3000);
    old.set(value.repeat(2), { userId: '7', expires: daysLater(10) });
    const browser = app.visitor();
    for (const part of [0, 1]) browser.cookies.set(`${OLD}.${part}`, value);
    expect(await app.session(browser)).not.toBeNull();
    await app.session(browser);
    expect([0, 1].map((part) => browser.cookies.has(`${OLD}.${part}`))).toEqual([false, false]);

    const long = app.visitor();
    old.set(value.repeat(6), { userId: '7', expires: daysLater(10) });
    for (const part of [0, 1, 2, 3, 4, 5]) long.cookies.set(`${OLD}.${part}`, value);
    expect(await app.session(long)).toBeNull();
  });

  it('that the first reader finds', async () => {
    const { app } = await scene(strategy);
    const first = { name: 'first', cookies: ['other'], until: UNTIL, read: () => null };
    const legacy = [first, ...(app.config.legacy ?? [])];
    const two = application({ adapter: app.adapter, clock: app.clock, config: { session: { strategy }, legacy } });
    two.browser.cookies.set('other', '1');
    two.browser.cookies.set(OLD, '1');
    await two.session();
    expect(two.events[0]).toMatchObject(['legacySession', { reader: 'old library' }]);
  });

  it('that does not count as a recent sign-in', async () => {
    const { app } = await scene(strategy, { config: { account: { without: ['mails'] } } });
    await app.session();
    const page = await app.post('account/name', { name: 'Eve' });
    expect(page.redirect?.pathname).toBe('/auth/account/sign-in');
    expect((await app.adapter.getUser('7'))?.name).toBe('Ada');
  });

  it('that an update of the client reaches', async () => {
    const callbacks: AuthConfig['callbacks'] = {
      session: ({ session, trigger }) => ({ expires: String(session.expires), trigger }) as never,
    };
    const { app } = await scene(strategy, { config: { callbacks } });
    const page = await app.post('session', { data: { theme: 'dark' } });
    expect(page.json()).toMatchObject({ trigger: 'update' });
    expect(app.browser.cookies.has(SESSION)).toBe(true);
  });
});

describe.each(strategies)('a session of another library, as a %s session with records', (strategy) => {
  async function recorded(issuedAt?: Date): Promise<ReturnType<typeof makeSite> & { old: LegacySession }> {
    const old: LegacySession = { userId: '7', expires: new Date(Date.now() + 300 * DAY * 1000), issuedAt };
    const legacy = [
      {
        name: 'old library',
        cookies: [OLD],
        keep: true,
        until: new Date(Date.now() + 300 * DAY * 1000),
        read: () => old,
      },
    ];
    const site = makeSite({
      strategy,
      config: { legacy },
      records: { revocationLag: strategy === 'jwt' ? 0 : undefined },
    });
    await site.app.adapter.createUser({ id: '7', name: 'Ada', email: 'ada@example.com', emailVerified: null });
    return { ...site, old };
  }

  it('has a record without a provider, also for parallel requests', async () => {
    const { app } = await recorded();
    await app.session(withOldCookie(app));
    const browser = withOldCookie(app);
    await app.session(browser);
    const records = await sessionsOf(app.config).list('7');
    expect(records.map(({ provider }) => provider)).toEqual(strategy === 'jwt' ? [undefined] : [undefined, undefined]);
  });

  it('is refused if all sessions of the user were ended after it was issued', async () => {
    const { app, old, settings } = await recorded();
    const browser = withOldCookie(app);
    expect(await app.session(browser)).not.toBeNull();
    app.clock.advance(60);
    await endAllSessions(settings, app.clock.now(), { userId: '7', reason: 'user' });
    // With `keep`, the old cookie would otherwise start the session again.
    expect(await app.session(browser)).toBeNull();
    expect([browser.cookies.has(SESSION), browser.cookies.has(OLD)]).toEqual([false, false]);
    expect(await app.session(withOldCookie(app))).toBeNull();
    app.clock.advance(200 * DAY);
    expect(await app.session(withOldCookie(app))).toBeNull();

    old.issuedAt = new Date(Number.NaN);
    expect(await app.session(withOldCookie(app))).toBeNull();
    old.issuedAt = app.clock.now();
    expect(await app.session(withOldCookie(app))).not.toBeNull();
  });

  it('is refused after `session.maxLifetime`', async () => {
    const { app, old } = await recorded();
    const config = { ...app.config, session: { ...app.config.session, maxLifetime: 3600 } };
    const limited = application({ adapter: app.adapter, clock: app.clock, config });
    old.issuedAt = new Date(app.clock.now().getTime() - 3_600_000);
    expect(await limited.session(withOldCookie(limited))).toBeNull();
    old.issuedAt = new Date(app.clock.now().getTime() - 3_000_000);
    expect((await limited.session(withOldCookie(limited)))?.expires).toBe(
      new Date(app.clock.now().getTime() + 600_000).toISOString(),
    );
  });
});

describe('callbacks.jwt', () => {
  it('receives the claims of the old token with the user, and no account', async () => {
    const received: unknown[] = [];
    const jwt: NonNullable<AuthConfig['callbacks']>['jwt'] = ({ token, ...others }) => {
      received.push([{ ...token }, others]);
      return { ...token, seen: true };
    };
    const { app, old, user } = await scene('jwt', { config: { callbacks: { jwt } } });
    old.set('1', { userId: '7', expires: daysLater(10), claims: { sub: '1', role: 'admin', iat: 5, exp: 9 } });
    await app.session();
    const token = { sub: '7', name: 'Ada', email: 'ada@example.com', picture: undefined, role: 'admin' };
    expect(received).toEqual([[token, { user }]]);
    await app.session();
    expect(received[1]).toMatchObject([{ sub: '7', role: 'admin', seen: true, sid: expect.any(String) }, {}]);
  });

  it('refuses the old session with `null`, which ends it', async () => {
    const { app, old } = await scene('jwt', { config: { callbacks: { jwt: () => null } } });
    expect(await app.session()).toBeNull();
    expect([app.browser.cookies.has(SESSION), app.browser.cookies.has(OLD), old.size]).toEqual([false, false, 0]);
  });

  it('is enough without an adapter: the claims name the user', async () => {
    const expires = daysLater(1);
    const claims = { name: 'Ada', email: 'ada@example.com', picture: '/ada.png' };
    const reader = { name: 'old', cookies: [OLD], until: UNTIL, read: () => ({ userId: '7', expires, claims }) };
    const app = application({ clock: new Clock(START), config: { legacy: [reader] } });
    app.browser.cookies.set(OLD, '1');
    expect((await app.session())?.user).toEqual({ name: 'Ada', email: 'ada@example.com', image: '/ada.png' });
    expect((await app.session())?.user).toMatchObject({ name: 'Ada' });
  });
});
