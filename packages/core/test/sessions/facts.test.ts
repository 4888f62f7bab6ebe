import { application, FakeProvider, MemorySessionRecords } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/jwt.ts';
import Credentials from '../../src/providers/credentials.ts';
import { startTokenFacts } from '../../src/session/facts.ts';
import type { JWT } from '../../src/types/session.ts';
import type { AuthConfig, SessionFacts } from '../../src/types.ts';
import { ADA, copyTo, DAY, makeSite, onlyRecord, SESSION, type Site, stop, strategies, wholeSecond } from './scene.ts';

type App = Pick<Site['app'], 'browser' | 'config'>;

/** Returns the claims of the browser's session token. */
async function claimsOf({ browser, config }: App): Promise<JWT> {
  const token = browser.cookies.get(SESSION)?.value;
  return (await decode({ token, secret: String(config.secret), salt: SESSION })) ?? {};
}

/** Puts a session token into the browser that the application has not issued. */
async function setToken({ browser, config }: App, token: JWT): Promise<void> {
  browser.cookies.set(SESSION, await encode({ token, secret: String(config.secret), salt: SESSION }));
}

/** An application without an adapter, and without records. */
function siteWith(config: Partial<AuthConfig>): ReturnType<typeof application> {
  return application({ config, clock: wholeSecond() });
}

const MAX_LIFETIME = { session: { maxLifetime: 90 * DAY } };

describe('the claim of a JWT session', () => {
  it('says how the session began', async () => {
    const site = makeSite({ strategy: 'jwt' });
    await site.app.signIn();
    const { latchkey, sid } = await claimsOf(site.app);
    const start = site.app.clock.now().getTime();
    const id = onlyRecord(site).id;
    expect(latchkey, 'without defaults').toEqual({ sid: id, start, provider: 'fake' });
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(sid, 'the id of every session is another claim').toMatch(/^[\da-f-]{36}$/);
  });

  it('has at most 200 characters: methods that do not fit are left out', () => {
    const { settings, app } = makeSite({ strategy: 'jwt' });
    const account = { provider: 'fake', providerAccountId: 'ada', type: 'oidc' } as const;
    const amr = Array.from({ length: 100 }, (_, index) => `m${index}`);
    const authentication = { amr, authTime: app.clock.now().getTime() / 1000 - 60 };
    const facts = startTokenFacts(settings, app.clock.now(), { user: { id: '7' }, account, authentication });
    const { latchkey } = facts.mark({});
    const { length } = JSON.stringify(latchkey);
    expect(length).toBeLessThanOrEqual(200);
    expect(length).toBeGreaterThan(190);
    expect(latchkey).toMatchObject({ auth_time: authentication.authTime });
  });

  it.each([
    [-60, -60],
    [60, 0],
    [Number.POSITIVE_INFINITY, 0],
    [Number.NaN, 0],
  ])('has an `auth_time` of %s seconds from now as one of %i', (given, expected) => {
    const { settings, app } = makeSite({ strategy: 'jwt' });
    const account = { provider: 'fake', providerAccountId: 'ada', type: 'oidc' } as const;
    const now = app.clock.now().getTime() / 1000;
    const authentication = { amr: [], authTime: now + given };
    const { facts } = startTokenFacts(settings, app.clock.now(), { user: { id: '7' }, account, authentication });
    expect(facts.authTime.getTime() / 1000 - now).toBe(expected);
  });

  it('is absent if no option needs it', async () => {
    const app = siteWith({});
    await app.signIn();
    expect(await claimsOf(app)).not.toHaveProperty('latchkey');
  });

  it('stays the same although `callbacks.jwt` returns a new object 100 times, or changes the claim', async () => {
    let call = 0;
    const site = makeSite({
      strategy: 'jwt',
      config: {
        callbacks: {
          jwt: ({ token }) => {
            call += 1;
            if (call % 3 === 0) return { sub: token.sub ?? '', sid: 'own', count: call };
            if (call % 3 === 1) return { ...token, latchkey: { sid: 'other', start: 0, provider: 'none' } };
            const claim = token['latchkey'];
            if (typeof claim === 'object' && claim) Object.assign(claim, { sid: 'changed', amr: ['x'] });
            return token;
          },
        },
      },
    });
    await site.app.signIn();
    const { latchkey } = await claimsOf(site.app);
    for (let reading = 0; reading < 100; reading++) {
      site.app.clock.advance(3600);
      expect(await site.app.session()).not.toBeNull();
      const claims = await claimsOf(site.app);
      expect(claims['latchkey']).toEqual(latchkey);
      if (claims['count'] === call) expect(claims['sid'], "the application's own `sid` stays").toBe('own');
    }
    expect(call).toBe(101);
  });

  it('is kept by the token format of the application', async () => {
    const format: AuthConfig['jwt'] = {
      encode: async ({ token, maxAge }) => JSON.stringify({ ...token, maxAge }),
      decode: async ({ token }) => JSON.parse(token ?? 'null'),
    };
    const site = makeSite({ strategy: 'jwt', session: { maxLifetime: 45 * DAY }, config: { jwt: format } });
    await site.app.signIn();
    site.app.clock.advance(20 * DAY);
    await site.app.session();
    const token = JSON.parse(decodeURIComponent(site.app.browser.cookies.get(SESSION)?.value ?? ''));
    expect(token.latchkey.sid).toBe(onlyRecord(site).id);
    expect(token.maxAge, 'until `maxLifetime` has passed').toBe(25 * DAY);
  });
});

describe('a token without the claim', () => {
  it.each([
    ['of Auth.js', { sub: '7', email: ADA.user.email, name: 'Ada' }],
    ['of an older release', { sub: '7', email: ADA.user.email, sid: 'b0a6b1fe-0bd5-4a8f-9e5e-1b7a5b0e6d3c' }],
    ['with a claim of that name that is of another kind', { sub: '7', email: ADA.user.email, latchkey: 'text' }],
  ])('%s is taken over: parallel requests agree on its id', async (_, token) => {
    const site = makeSite({ strategy: 'jwt' });
    const { app } = site;
    await setToken(app, token);
    const browsers = Array.from({ length: 10 }, () => app.browser.clone());
    const sessions = await Promise.all(browsers.map((browser) => app.session(browser)));
    expect(sessions.every((session) => session?.user?.email === ADA.user.email)).toBe(true);
    const { id, userId, startedAt } = onlyRecord(site);
    expect(userId).toBe('7');
    expect(app.clock.now().getTime() - startedAt.getTime()).toBeLessThan(2000);
    for (const browser of browsers) {
      expect(await claimsOf({ browser, config: app.config })).toMatchObject({ latchkey: { sid: id } });
    }
  });

  it('without a user has an owner of its own', async () => {
    const site = makeSite({ strategy: 'jwt' });
    for (const name of ['Ada', 'Grace']) {
      await setToken(site.app, { name });
      await site.app.session();
    }
    const owners = site.records.dump().records.map(({ userId }) => userId);
    expect(new Set(owners).size).toBe(2);
  });

  it('is not accepted if it was issued before all sessions of its user ended', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const { app } = site;
    await setToken(app, { sub: '7', name: 'Ada' });
    const now = app.clock.advance(60);
    await site.records.endBefore('7', { before: now, expires: new Date(now.getTime() + 1e9) });
    expect(await app.session()).toBeNull();
    expect(site.records.dump().records).toEqual([]);
  });

  it('is signed out', async () => {
    const site = makeSite({ strategy: 'jwt' });
    await setToken(site.app, { sub: '7', name: 'Ada' });
    await site.app.signOut();
    expect(site.app.browser.cookies.has(SESSION)).toBe(false);
    expect(site.app.events.map(([name]) => name)).toEqual(['signOut']);
  });
});

describe('`maxLifetime` without records', () => {
  it('limits the cookie and the token, however often the session is read', async () => {
    const app = siteWith(MAX_LIFETIME);
    await app.signIn();
    const end = new Date(app.clock.now().getTime() + 90 * DAY * 1000);
    for (let day = 0; day < 89; day++) {
      app.clock.advance(DAY);
      expect(await app.session()).toMatchObject(ADA);
      expect(app.browser.cookies.get(SESSION)?.expires?.getTime()).toBeLessThanOrEqual(end.getTime());
      expect(Number((await claimsOf(app))['exp']) * 1000).toBeLessThanOrEqual(end.getTime());
    }
    expect((await app.session())?.expires).toBe(end.toISOString());
    const cookie = app.browser.cookies.get(SESSION)?.value ?? '';
    app.clock.advance(DAY);
    app.browser.cookies.set(SESSION, cookie);
    expect(await app.session()).toBeNull();
    expect(app.browser.cookies.has(SESSION)).toBe(false);
  });

  it('is shorter than `maxAge` from the sign-in on', async () => {
    const app = siteWith({ session: { maxLifetime: 60 } });
    await app.signIn();
    const cookie = app.browser.cookies.get(SESSION);
    expect(cookie?.expires?.getTime()).toBe(app.clock.now().getTime() + 60_000);
    app.clock.advance(60);
    app.browser.cookies.set(SESSION, cookie?.value ?? '');
    expect(await app.session()).toBeNull();
  });

  it('counts from `iat` for a token without the claim', async () => {
    const app = siteWith({ session: { maxLifetime: 3600 } });
    await setToken(app, { sub: '7', name: 'Ada' });
    app.clock.advance(1800);
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    const copy = app.browser.cookies.get(SESSION)?.value ?? '';
    app.clock.advance(1800);
    app.browser.cookies.set(SESSION, copy);
    expect(await app.session()).toBeNull();
  });

  it('lets no account be linked after it', async () => {
    const site = makeSite({ strategy: 'jwt', session: { maxLifetime: 3600 } });
    const { app } = site;
    await app.signIn();
    const late = app.browser.clone();
    const started = await app.startSignIn('second', {}, late);
    const token = late.cookies.get(SESSION)?.value ?? '';
    await app.signIn({ id: 'second' });
    expect(app.adapter.dump().accounts).toHaveLength(2);
    app.adapter.store.accounts.clear();
    app.clock.advance(3600);
    late.cookies.set(SESSION, token);
    await app.open(await app.provider.authorize(started.redirect ?? ''), late);
    expect(app.adapter.dump().accounts).toEqual([]);
  });
});

describe('`maxLifetime` of database sessions', () => {
  it('limits the row, however often it is extended, with few calls of the store', async () => {
    const site = makeSite({ strategy: 'database', session: { maxLifetime: 45 * DAY } });
    const { app } = site;
    await app.signIn();
    const end = new Date(app.clock.now().getTime() + 45 * DAY * 1000);
    for (let half = 0; half < 88; half++) {
      app.clock.advance(DAY / 2);
      expect(await app.session()).toMatchObject(ADA);
      expect(await app.session()).toMatchObject(ADA);
    }
    expect(app.adapter.dump().sessions[0]?.expires).toEqual(end);
    expect(site.records.calls.filter(({ step }) => step === 'check').length).toBeLessThanOrEqual(46);
    const copy = copyTo(app, app.browser);
    app.clock.advance(DAY + 1);
    expect(await app.session(copy)).toBeNull();
    expect(app.adapter.dump().sessions).toEqual([]);
  });

  it('that was lowered ends a session at its next extension', async () => {
    const site = makeSite({ strategy: 'database', session: { maxLifetime: 10 * DAY } });
    const { app } = site;
    await app.signIn();
    for (const record of site.records.store.records.values()) {
      record.startedAt = new Date(app.clock.now().getTime() - 11 * DAY * 1000);
    }
    app.clock.advance(DAY);
    expect(await app.session()).toBeNull();
    expect(app.adapter.dump().sessions).toEqual([]);
  });
});

describe('`facts()` of `callbacks.session`', () => {
  interface Seen {
    readonly seen: (SessionFacts | null)[];
    readonly callbacks: AuthConfig['callbacks'];
  }

  function watch(): Seen {
    const seen: (SessionFacts | null)[] = [];
    return {
      seen,
      callbacks: {
        session: async ({ session, facts }) => {
          seen.push(await facts(), await facts());
          return session;
        },
      },
    };
  }

  it.each(strategies)('says how a session with a record began (%s)', async (strategy) => {
    const { seen, callbacks } = watch();
    const site = makeSite({ strategy, config: { callbacks } });
    await site.app.signIn();
    const { id, startedAt, authTime, amr } = onlyRecord(site);
    const before = site.records.calls.length;
    await site.app.session();
    expect(seen).toEqual(Array(2).fill({ id, startedAt, authTime, amr, provider: 'fake' }));
    expect(site.records.calls.length - before).toBe(strategy === 'jwt' ? 0 : 1);
  });

  it('says it with `maxLifetime` alone, for JWT sessions', async () => {
    const { seen, callbacks } = watch();
    const app = siteWith({ ...MAX_LIFETIME, callbacks: callbacks ?? {} });
    await app.signIn();
    await app.session();
    expect(seen[0]).toMatchObject({ startedAt: app.clock.now(), provider: 'fake' });
  });

  it('says the methods and the time of the provider that the token has', async () => {
    const { seen, callbacks } = watch();
    const app = siteWith({ ...MAX_LIFETIME, callbacks: callbacks ?? {} });
    const start = app.clock.now().getTime();
    const latchkey = { sid: 'abc', start, auth_time: start / 1000 - 60, amr: ['pwd', 7, 'otp'], provider: 'fake' };
    await setToken(app, { sub: '7', iat: start / 1000, latchkey });
    await app.session();
    const authTime = new Date(start - 60_000);
    expect(seen[0]).toEqual({ id: 'abc', startedAt: new Date(start), authTime, amr: ['pwd', 'otp'], provider: 'fake' });
  });

  it.each([{ sid: 'abc' }, { start: 1 }, 'abc'])(
    'are those of a token without the claim if it is %j',
    async (latchkey) => {
      const { seen, callbacks } = watch();
      const app = siteWith({ ...MAX_LIFETIME, callbacks: callbacks ?? {} });
      const startedAt = app.clock.now();
      await setToken(app, { sub: '7', iat: startedAt.getTime() / 1000, latchkey });
      await app.session();
      expect(seen[0]).toEqual({ id: expect.stringMatching(/^[\w-]{22}$/), startedAt, authTime: startedAt, amr: [] });
    },
  );

  it('returns null if no option needs facts, and for a database session without a record', async () => {
    const { seen, callbacks } = watch();
    const app = siteWith({ callbacks: callbacks ?? {} });
    await app.signIn();
    await app.session();
    const site = makeSite({ strategy: 'database', config: { callbacks: callbacks ?? {} } });
    await site.app.signIn();
    site.records.store.records.clear();
    await site.app.session();
    expect(seen).toEqual([null, null, null, null]);
  });

  it('throws for a database session while the record store fails', async () => {
    const site = makeSite({
      strategy: 'database',
      config: {
        callbacks: {
          session: async ({ session, facts }) => {
            await expect(facts()).rejects.toThrow('the record store');
            return session;
          },
        },
      },
    });
    await site.app.signIn();
    stop(site);
    expect(await site.app.session()).not.toBeNull();
  });
});

describe('the owner of a session without an adapter', () => {
  it.each(['oidc', 'oauth'])('is the account for %s, so that it is the same at each sign-in', async (type) => {
    const site = makeSite({ strategy: 'jwt' });
    const isPlain = type === 'oauth';
    const provider = new FakeProvider({ signingAlgorithm: 'ES256', oidc: !isPlain, now: site.app.clock.now });
    const app = application({
      provider,
      clock: site.app.clock,
      config: {
        providers: [isPlain ? provider.plainProvider() : provider.provider()],
        session: { records: { store: site.records } },
      },
    });
    await app.signIn();
    await app.signIn({ browser: app.visitor() });
    const owners = site.records.dump().records.map(({ userId }) => userId);
    expect(owners).toHaveLength(2);
    expect(new Set(owners)).toEqual(new Set([expect.stringMatching(/^fake:./)]));
  });

  it.each([
    ['ada', 'ada'],
    ['urn:ada', 'urn:ada'],
    ['fake:ada', 'credentials:fake:ada'],
    ['credentials:fake:ada', 'credentials:credentials:fake:ada'],
  ])(
    'is never the account of another provider: a user of `authorize()` with the id %s becomes %s',
    async (id, owner) => {
      const records = MemorySessionRecords();
      const app = application({
        config: ({ provider }) => ({
          providers: [provider.provider(), Credentials({ credentials: { id: {} }, authorize: () => ({ id }) })],
          session: { records: { store: records } },
        }),
      });
      await app.post('callback/credentials');
      expect(records.dump().records.map(({ userId }) => userId)).toEqual([owner]);
    },
  );

  it('is never an account that the token of a session from before records names', async () => {
    const records = MemorySessionRecords();
    const app = application({ config: { session: { records: { store: records } } } });
    await app.signIn();
    const [account] = records.dump().records.map(({ userId }) => userId);
    const visitor = app.visitor();
    await setToken({ browser: visitor, config: app.config }, { sub: account });
    const page = await visitor.get('/auth/sessions', { headers: { accept: 'application/json' } });
    expect(page.json<{ sessions: object[] }>().sessions).toEqual([expect.objectContaining({ current: true })]);
  });
});
