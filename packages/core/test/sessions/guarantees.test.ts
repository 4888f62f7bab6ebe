import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endAllSessions, endSession } from '../../src/session/end.ts';
import {
  ADA,
  callsOf,
  copyTo,
  DAY,
  DOWN,
  ended,
  makeSite,
  onlyRecord,
  SESSION,
  type Site,
  secondProcess,
  stop,
  strategies,
} from './scene.ts';

/** The ways to end the only session of a site. */
const ways = {
  end: (site: Site) => endSession(site.settings, site.app.clock.now(), { ...onlyRecord(site), reason: 'user' }),
  endAll: (site: Site) => endAllSessions(site.settings, site.app.clock.now(), { ...userOf(site), reason: 'user' }),
  signOut: (site: Site) => site.app.signOut(),
};

function userOf(site: Site): { userId: string } {
  return { userId: onlyRecord(site).userId };
}

describe.each(Object.entries(ways))('after %s, a copy of the cookie', (_, end) => {
  it('of a JWT session is refused by other processes as soon as the lag has passed', async () => {
    const site = makeSite({ strategy: 'jwt', records: { revocationLag: 30 } });
    const { app } = site;
    const other = secondProcess(site);
    await app.signIn();
    const copy = copyTo(other, app.browser);
    app.clock.advance(100);
    expect(await other.session(copy.clone())).toMatchObject(ADA);
    await end(site);
    expect(await app.session(copyTo(app, copy)), 'in the process that has ended it').toBeNull();
    app.clock.advance(29.9);
    expect(await other.session(copy.clone()), 'within the lag').toMatchObject(ADA);
    app.clock.advance(0.1);
    expect(await other.session(copy.clone())).toBeNull();
  });

  it('of a JWT session is refused at once without a lag', async () => {
    const site = makeSite({ strategy: 'jwt', records: { revocationLag: 0 } });
    const other = secondProcess(site);
    await site.app.signIn();
    const copy = copyTo(other, site.app.browser);
    expect(await other.session(copy.clone())).toMatchObject(ADA);
    await end(site);
    expect(await other.session(copy.clone())).toBeNull();
  });

  it('of a database session is refused at once', async () => {
    const site = makeSite({ strategy: 'database' });
    const other = secondProcess(site);
    await site.app.signIn();
    const copy = copyTo(other, site.app.browser);
    expect(await other.session(copy.clone())).toMatchObject(ADA);
    await end(site);
    expect(await other.session(copy.clone())).toBeNull();
  });
});

describe.each(strategies)('an ended session (%s)', (strategy) => {
  it('does not come back while the record store fails, nor after it', async () => {
    const site = makeSite({ strategy });
    const { app } = site;
    await app.signIn();
    const copy = copyTo(app, app.browser);
    await ways.end(site);
    stop(site);
    expect(await app.session(copy.clone())).toBeNull();
    app.clock.advance(DAY * 2);
    expect(await app.session(copy.clone())).toBeNull();
    site.records.recover();
    expect(await app.session(copy.clone())).toBeNull();
  });

  it('does not come back by a request that was answered late', async () => {
    const late: (() => void)[] = [];
    const wait = (): Promise<void> => new Promise((resolve) => late.push(resolve));
    const site = makeSite({
      strategy,
      session: { updateAge: 0 },
      records: { revocationLag: 0 },
      config: {
        callbacks: {
          session: async ({ session }) => {
            await wait();
            return session;
          },
        },
      },
    });
    const { app } = site;
    await app.signIn();
    const slow = app.browser.clone();
    const answer = app.session(slow);
    await vi.waitFor(() => expect(late).toHaveLength(1));
    await ways.end(site);
    late[0]?.();
    expect(await answer).not.toBeNull();
    expect(await app.session(slow), 'with the cookie of the late answer').toBeNull();
  });

  it('beside a live one in a second cookie does not hide it', async () => {
    const site = makeSite({ strategy });
    const { app } = site;
    await app.signIn();
    const old = app.browser.cookies.get(SESSION)?.value ?? '';
    await app.signIn();
    app.browser.cookies.set(SESSION, old, { path: '/auth' });
    expect(await app.session()).toMatchObject(ADA);
    expect(await app.session()).toMatchObject(ADA);
  });

  it('links no account, although it was checked a moment ago', async () => {
    const site = makeSite({ strategy, optional: false });
    const { app } = site;
    await app.signIn();
    const started = await app.startSignIn('second');
    expect(await app.session()).toMatchObject(ADA);
    // Another process ends it: neither the memory of this process nor the row is touched.
    const { userId } = onlyRecord(site);
    app.clock.advance(1);
    await site.records.endBefore(userId, {
      before: app.clock.now(),
      expires: new Date(app.clock.now().getTime() + 1e9),
    });
    await app.open(await app.provider.authorize(started.redirect ?? ''));
    expect(app.adapter.dump().accounts).toHaveLength(1);
  });
});

describe('a JWT session whose record another process has removed', () => {
  it('links no account within the lag, and gets no record again', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const { app } = site;
    await app.signIn();
    const started = await app.startSignIn('second');
    site.records.store.records.clear();
    expect(await app.session(), 'within the lag').toMatchObject(ADA);
    await app.open(await app.provider.authorize(started.redirect ?? ''));
    expect(app.adapter.dump().accounts).toHaveLength(1);
    expect(site.records.dump().records).toEqual([]);
  });
});

/** Waits without timers, because `vi.waitFor` would move them. */
async function deadlineStarted(): Promise<void> {
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('a step of the record store that does not answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(strategies)('counts as a failure after 2 seconds (%s)', async (strategy) => {
    const site = makeSite({ strategy, session: { updateAge: 0 }, records: { revocationLag: 0 } });
    const { app, records } = site;
    await app.signIn();
    app.clock.advance(60);
    records.fail('check', { hang: true });
    let answer: unknown;
    const reading = app.session().then((session) => {
      answer = session;
    });
    await deadlineStarted();
    await vi.advanceTimersByTimeAsync(1999);
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await reading;
    expect(answer).toEqual(strategy === 'jwt' ? null : expect.objectContaining({ user: expect.anything() }));
    expect(app.log.types()).toEqual(['SessionRecordsError']);
    expect(await app.session(), 'the same cookie counts again').toMatchObject(ADA);
  });

  it.each(['create', 'check'] as const)('ends a sign-in after 2 seconds (%s)', async (step) => {
    const site = makeSite({ strategy: 'jwt' });
    site.records.fail(step, { hang: true });
    const signingIn = site.app.signIn();
    await deadlineStarted();
    await vi.advanceTimersByTimeAsync(2000);
    expect((await signingIn).location).toContain('/auth/error?error=Configuration');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.each(strategies)('while the record store fails (%s)', (strategy) => {
  it.each(['create', 'check'] as const)('a sign-in fails if it fails at `%s`', async (step) => {
    const site = makeSite({ strategy });
    const { app, records } = site;
    await app.signIn();
    const before = copyTo(app, app.browser);
    records.fail(step, DOWN);
    const page = await app.signIn();
    expect(page.location).toContain('/auth/error?error=Configuration');
    expect(app.log.types()).toEqual(['SessionRecordsError']);
    records.recover();
    expect(await app.session(before), 'the session of the browser stays').toMatchObject(ADA);
    if (strategy === 'database') expect(app.adapter.dump().sessions, 'the new row is deleted').toHaveLength(1);
  });

  it('a sign-out clears the cookie', async () => {
    const site = makeSite({ strategy });
    await site.app.signIn();
    stop(site);
    await site.app.signOut();
    expect(site.app.browser.cookies.has('authjs.session-token')).toBe(false);
    expect(site.app.log.types()).toContain('SessionRecordsError');
    expect(ended(site)).toEqual([]);
  });
});

describe.each(strategies)('a record store that breaks its promise (%s)', (strategy) => {
  it('by keeping no record lets no sign-in succeed', async () => {
    const site = makeSite({ strategy });
    site.records.create = async () => undefined;
    const page = await site.app.signIn();
    expect(page.location).toContain('/auth/error?error=Configuration');
    expect(site.app.log.errors[0]?.message).toContain('has not kept a new record');
  });

  it.each([undefined, null, true, 'live'])('by answering %j counts as a failure', async (answer) => {
    const site = makeSite({ strategy });
    await site.app.signIn();
    site.app.clock.advance(DAY);
    site.records.check = async () => answer as never;
    const page = await site.app.browser.get('/auth/session');
    if (strategy === 'jwt') expect(page.json()).toBeNull();
    expect(page.cookie('authjs.session-token')?.value, 'not cleared').not.toBe('');
    expect(site.app.log.types()).toEqual(['SessionRecordsError']);
  });
});

describe('an empty record store', () => {
  it('ends JWT sessions, also those of other processes', async () => {
    const site = makeSite({ strategy: 'jwt' });
    await site.app.signIn();
    const copy = copyTo(secondProcess(site), site.app.browser);
    site.records.store.records.clear();
    site.app.clock.advance(10);
    expect(await site.app.session()).toBeNull();
    expect(await copy.get('/auth/session').then((page) => page.json())).toBeNull();
  });
});

describe('the check of a JWT session', () => {
  it('is one call for parallel requests with one session', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const { app } = site;
    await app.signIn();
    app.clock.advance(60);
    const before = callsOf(site);
    const copies = Array.from({ length: 20 }, () => app.browser.clone());
    const sessions = await Promise.all(copies.map((browser) => app.session(browser)));
    expect(sessions.every((session) => session !== null)).toBe(true);
    expect(callsOf(site) - before).toBe(1);
  });

  it('is a call for each request without a lag', async () => {
    const site = makeSite({ strategy: 'jwt', records: { revocationLag: 0 } });
    await site.app.signIn();
    const before = callsOf(site);
    for (let reading = 0; reading < 3; reading++) await site.app.session();
    await Promise.all([site.app.session(), site.app.session(site.app.browser.clone())]);
    expect(callsOf(site) - before).toBe(5);
  });

  it('counts from the instant before the call, however long the call takes', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const { app, records } = site;
    await app.signIn();
    app.clock.advance(60);
    const { check } = records;
    records.check = async (...args) => {
      const answer = await check(...args);
      app.clock.advance(9);
      return answer;
    };
    await app.session();
    records.check = check;
    app.clock.advance(1);
    const before = callsOf(site);
    await app.session();
    expect(callsOf(site) - before, '10 seconds after the call began').toBe(1);
  });

  it('does not count if it is from the future, because the clock was set back', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const { app } = site;
    await app.signIn();
    app.clock.advance(60);
    await app.session();
    app.clock.advance(-30);
    const before = callsOf(site);
    expect(await app.session()).toMatchObject(ADA);
    expect(callsOf(site) - before).toBe(1);
  });

  it('is not remembered for a session that has ended', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const { app } = site;
    await app.signIn();
    const [record] = site.records.dump().records;
    const copy = app.browser.clone();
    app.clock.advance(60);
    site.records.store.records.clear();
    expect(await app.session(copy.clone())).toBeNull();
    if (record) await site.records.create(record);
    expect(await app.session(copy.clone()), 'asks the store again').toMatchObject(ADA);
  });
});
