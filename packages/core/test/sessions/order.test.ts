import { describe, expect, it } from 'vitest';
import { endAllSessions, endProviderSessions, endSession } from '../../src/session/end.ts';
import { providerKey } from '../../src/session/records.ts';
import { ADA, copyTo, DAY, ended, makeSite, onlyRecord, SESSION, type Site, strategies } from './scene.ts';

const reason = 'user';

/** Signs in with a number of browsers, a second after each other. Returns copies of their cookies. */
async function signInWith(site: Site, count: number): Promise<ReturnType<typeof copyTo>[]> {
  const { app } = site;
  const browsers = [];
  for (let index = 0; index < count; index++) {
    const browser = app.visitor();
    await app.signIn({ browser });
    browsers.push(copyTo(app, browser));
    app.clock.advance(1);
  }
  return browsers;
}

function userIdOf({ records }: Site): string {
  return records.dump().records[0]?.userId ?? '';
}

/** Returns which of the browsers are signed in, when no process remembers anything of them. */
async function live({ app }: Site, browsers: readonly ReturnType<typeof copyTo>[]): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const browser of browsers) answers.push((await app.session(browser.clone())) !== null);
  return answers;
}

describe.each(strategies)('ending a session (%s)', (strategy) => {
  it('ends that session only, and reports it', async () => {
    const site = makeSite({ strategy });
    const browsers = await signInWith(site, 3);
    const userId = userIdOf(site);
    const ids = site.records.dump().records.map(({ id }) => id);
    const now = site.app.clock.now();
    expect(await endSession(site.settings, now, { userId, id: ids[1] ?? '', reason })).toBe(1);
    expect(await endSession(site.settings, now, { userId, id: ids[1] ?? '', reason }), 'a second time').toBe(0);
    expect(ended(site)).toEqual([{ userId, id: ids[1], reason }]);
    expect(await live(site, browsers)).toEqual([true, false, true]);
  });

  it('twice at once counts once, with one event', async () => {
    const site = makeSite({ strategy });
    await signInWith(site, 1);
    const { id, userId } = onlyRecord(site);
    const end = (): Promise<number> => endSession(site.settings, site.app.clock.now(), { userId, id, reason });
    expect((await Promise.all([end(), end()])).sort()).toEqual([0, 1]);
    expect(ended(site)).toHaveLength(1);
  });

  it('of another user, or of an unknown id, ends nothing', async () => {
    const site = makeSite({ strategy });
    const browsers = await signInWith(site, 1);
    const now = site.app.clock.now();
    const { id, userId } = onlyRecord(site);
    expect(await endSession(site.settings, now, { userId: 'mallory', id, reason })).toBe(0);
    expect(await endSession(site.settings, now, { userId, id: 'unknown', reason })).toBe(0);
    expect(ended(site)).toEqual([]);
    expect(await live(site, browsers)).toEqual([true]);
  });

  it('of all sessions but one ends the others', async () => {
    const site = makeSite({ strategy });
    const browsers = await signInWith(site, 3);
    const userId = userIdOf(site);
    const except = site.records.dump().records[1]?.id ?? '';
    const now = site.app.clock.now();
    expect(await endAllSessions(site.settings, now, { userId, except, reason: 'others' })).toBe(2);
    expect(ended(site).map((event) => event.reason)).toEqual(['others', 'others']);
    site.app.clock.advance(DAY * 2);
    expect(await live(site, browsers)).toEqual([false, true, false]);
    expect(site.app.adapter.dump().sessions).toHaveLength(strategy === 'database' ? 1 : 0);
  });

  it('of one provider ends those that began there, without an epoch', async () => {
    const site = makeSite({ strategy });
    const { app } = site;
    const [first] = await signInWith(site, 1);
    const linked = app.visitor();
    await app.signIn({ browser: linked });
    await app.signIn({ browser: linked, id: 'second' });
    const second = copyTo(app, linked);
    const userId = userIdOf(site);
    const before = ended(site).length;
    expect(await endAllSessions(site.settings, app.clock.now(), { userId, provider: 'second', reason })).toBe(1);
    expect(ended(site)).toHaveLength(before + 1);
    expect(site.records.dump().epochs).toEqual([]);
    expect(await live(site, [first ?? second, second])).toEqual([true, false]);
  });

  it('of more sessions than the store returns at once ends all of them', async () => {
    const site = makeSite({ strategy });
    await signInWith(site, 1);
    const record = onlyRecord(site);
    for (let index = 0; index < 450; index++) {
      await site.records.create({ ...record, id: `copy-${index}`, provider: 'other', handle: undefined });
    }
    const now = site.app.clock.now();
    const { userId } = record;
    expect(await endAllSessions(site.settings, now, { userId, provider: 'other', reason })).toBe(450);
    for (let index = 0; index < 450; index++) {
      await site.records.create({ ...record, id: `again-${index}`, handle: undefined });
    }
    expect(await endAllSessions(site.settings, now, { userId, reason })).toBe(451);
    expect(site.records.dump().records).toEqual([]);
  });

  it('of more than 2,000 sessions of a user ends all of them, and counts and reports that number', async () => {
    const site = makeSite({ strategy });
    const [browser] = await signInWith(site, 1);
    const record = onlyRecord(site);
    const now = site.app.clock.now();
    for (let index = 0; index < 2500; index++) {
      await site.records.create({ ...record, id: `copy-${index}`, seenAt: now, handle: undefined });
    }
    const { userId } = record;
    expect(await endAllSessions(site.settings, now, { userId, reason })).toBe(2000);
    expect(ended(site)).toHaveLength(2000);
    expect(await site.records.find({ userId }, now)).toEqual([]);
    // Of the sessions that are not counted, this process remembers its last check until the lag has passed.
    site.app.clock.advance(10);
    expect(await live(site, browser ? [browser] : [])).toEqual([false]);
  });

  it('by the provider ends the sessions of its session, up to an instant', async () => {
    const site = makeSite({ strategy });
    const browsers = await signInWith(site, 3);
    const providerSession = await providerKey('https://idp.test', 'session-1');
    for (const record of site.records.store.records.values()) Object.assign(record, { providerSession });
    const before = site.records.dump().records[2]?.startedAt ?? new Date();
    const now = site.app.clock.now();
    expect(await endProviderSessions(site.settings, now, { by: { providerSession }, before })).toBe(2);
    expect(ended(site).map((event) => event.reason)).toEqual(['provider', 'provider']);
    expect(await live(site, browsers)).toEqual([false, false, true]);
  });
});

describe('database sessions of an adapter without `deleteSessionsByUserId`', () => {
  it('end by the tokens in their records', async () => {
    const site = makeSite({ strategy: 'database', optional: false });
    const browsers = await signInWith(site, 3);
    const userId = userIdOf(site);
    const except = site.records.dump().records[0]?.id ?? '';
    expect(await endAllSessions(site.settings, site.app.clock.now(), { userId, except, reason })).toBe(2);
    expect(site.app.adapter.dump().sessions).toHaveLength(1);
    expect(await live(site, browsers)).toEqual([true, false, false]);
  });

  it('whose token no secret opens make the call fail; the others end', async () => {
    const site = makeSite({ strategy: 'database', optional: false });
    const browsers = await signInWith(site, 3);
    const [first, second] = site.records.dump().records;
    // The token of one session in the record of another does not open either.
    if (first && second) Object.assign(site.records.store.records.get(first.id) ?? {}, { handle: second.handle });
    const one = { userId: first?.userId ?? '', id: first?.id ?? '', reason };
    const ending = endSession(site.settings, site.app.clock.now(), one);
    await expect(ending).rejects.toThrow('Keep an old secret in `secret`');
    const call = endAllSessions(site.settings, site.app.clock.now(), { userId: userIdOf(site), reason });
    await expect(call).rejects.toThrow('Keep an old secret in `secret`');
    expect(await live(site, browsers)).toEqual([true, false, false]);
    expect(site.records.dump().records.map(({ id }) => id)).toEqual([first?.id]);
    expect(ended(site)).toHaveLength(2);
  });
});

/** A failure at a step, before or after it takes effect, as if the process were killed there. */
describe.each(['before', 'after'] as const)('a failure (%s) of', (when) => {
  it.each(['check', 'remove'] as const)('`%s` while a JWT session ends: the call can be repeated', async (step) => {
    const site = makeSite({ strategy: 'jwt' });
    const browsers = await signInWith(site, 1);
    const { id, userId } = onlyRecord(site);
    site.records.fail(step, when);
    const end = (): Promise<number> => endSession(site.settings, site.app.clock.now(), { userId, id, reason });
    await expect(end()).rejects.toThrow('the record store');
    await end();
    expect(await live(site, browsers)).toEqual([false]);
  });

  it('`deleteSession` or `remove` while a database session ends: over after the row', async () => {
    const site = makeSite({ strategy: 'database' });
    const browsers = await signInWith(site, 1);
    const { id, userId } = onlyRecord(site);
    const end = (): Promise<number> => endSession(site.settings, site.app.clock.now(), { userId, id, reason });
    site.app.adapter.fail('deleteSession', when);
    await expect(end()).rejects.toThrow('`deleteSession` failed');
    expect(site.records.dump().records, 'still listed').toHaveLength(1);
    site.records.fail('remove', when);
    await expect(end()).rejects.toThrow('`remove` failed');
    expect(await live(site, browsers)).toEqual([false]);
    await end();
    expect(site.records.dump().records).toEqual([]);
  });

  it.each(['find', 'endBefore', 'remove'] as const)('`%s` while all JWT sessions end', async (step) => {
    const site = makeSite({ strategy: 'jwt' });
    const browsers = await signInWith(site, 2);
    const userId = userIdOf(site);
    const end = (): Promise<number> => endAllSessions(site.settings, site.app.clock.now(), { userId, reason });
    site.records.fail(step, when);
    await expect(end()).rejects.toThrow('the record store');
    const isOver = step === 'remove' || (step === 'endBefore' && when === 'after');
    site.app.clock.advance(10);
    expect(await live(site, browsers), 'after the epoch').toEqual([!isOver, !isOver]);
    await end();
    site.app.clock.advance(10);
    expect(await live(site, browsers)).toEqual([false, false]);
  });

  it.each(['endBefore', 'remove'] as const)('`%s` while all database sessions end', async (step) => {
    const site = makeSite({ strategy: 'database' });
    const browsers = await signInWith(site, 2);
    const userId = userIdOf(site);
    const end = (): Promise<number> => endAllSessions(site.settings, site.app.clock.now(), { userId, reason });
    site.records.fail(step, when);
    await expect(end()).rejects.toThrow('the record store');
    expect(await live(site, browsers)).toEqual(step === 'remove' ? [false, false] : [true, true]);
    await end();
    expect(await live(site, browsers)).toEqual([false, false]);
    expect(site.app.adapter.dump().sessions).toEqual([]);
  });

  it('`deleteSession` or `endBefore` while all database sessions of another adapter end', async () => {
    const site = makeSite({ strategy: 'database', optional: false });
    const browsers = await signInWith(site, 2);
    const userId = userIdOf(site);
    const end = (): Promise<number> => endAllSessions(site.settings, site.app.clock.now(), { userId, reason });
    site.app.adapter.fail('deleteSession', when);
    await expect(end()).rejects.toThrow('`deleteSession` failed');
    site.records.fail('endBefore', when);
    await expect(end()).rejects.toThrow('`endBefore` failed');
    expect(await live(site, browsers)).toEqual([false, false]);
    await end();
    expect(site.app.adapter.dump().sessions).toEqual([]);
  });

  it('`createSession` or `deleteSession` at a sign-in: no record without a row, and both sessions are listed', async () => {
    const site = makeSite({ strategy: 'database' });
    const { app } = site;
    await app.signIn();
    const first = copyTo(app, app.browser);
    app.adapter.fail('createSession', when);
    await app.signIn();
    expect(onlyRecord(site)).toBeDefined();
    expect(await app.session()).toMatchObject(ADA);
    app.adapter.fail('deleteSession', when);
    await app.signIn();
    expect(await app.session()).toMatchObject(ADA);
    expect(site.records.dump().records).toHaveLength(2);
    expect(await live(site, [first])).toEqual([when === 'before']);
  });
});

describe.each(strategies)('a sign-in (%s)', (strategy) => {
  it('ends the session that the browser had, after the new one is stored', async () => {
    const site = makeSite({ strategy });
    const { app, records } = site;
    await app.signIn();
    const { id, userId } = onlyRecord(site);
    const old = copyTo(app, app.browser);
    app.clock.advance(60);
    const before = records.calls.length;
    await app.signIn();
    const steps = records.calls.slice(before).map(({ step }) => step);
    expect(steps).toEqual(
      strategy === 'jwt' ? ['check', 'create', 'check', 'check', 'remove'] : ['create', 'check', 'remove'],
    );
    expect(ended(site)).toEqual([{ userId, id, reason: 'replaced' }]);
    expect(await live(site, [old])).toEqual([false]);
    expect(await app.session()).toMatchObject(ADA);
  });

  it('starts although the record of the replaced session cannot be removed; both are listed', async () => {
    const site = makeSite({ strategy });
    const { app } = site;
    await app.signIn();
    site.records.fail('remove');
    await app.signIn();
    expect(await app.session()).toMatchObject(ADA);
    expect(app.log.types()).toEqual(['SessionRecordsError']);
    expect(site.records.dump().records).toHaveLength(2);
  });

  it('during the end of all sessions is refused, or ended with them', async () => {
    const site = makeSite({ strategy });
    const { app, records } = site;
    await app.signIn();
    const { userId } = onlyRecord(site);
    const { create } = records;
    // All sessions end while the record of the next one is stored.
    records.create = async (record) => {
      app.clock.advance(1);
      await endAllSessions(site.settings, app.clock.now(), { userId, reason });
      return create(record);
    };
    const browser = app.visitor();
    const page = await app.signIn({ browser });
    expect(page.location).toContain('/auth/error?error=Configuration');
    expect(app.log.errors.at(-1)?.message).toContain('were ended while this one began');
    expect(await app.session(browser)).toBeNull();
    expect(records.dump().records).toEqual([]);
    expect(app.adapter.dump().sessions).toEqual([]);
  });

  it('after the end of all sessions starts a session', async () => {
    const site = makeSite({ strategy });
    const { app } = site;
    await app.signIn();
    await endAllSessions(site.settings, app.clock.now(), { userId: userIdOf(site), reason });
    await app.signIn();
    app.clock.advance(60);
    expect(await app.session()).toMatchObject(ADA);
  });
});

describe('a sign-in that `callbacks.jwt` refuses', () => {
  it('ends the session whose cookie it clears', async () => {
    let isRefused = false;
    const site = makeSite({
      strategy: 'jwt',
      config: { callbacks: { jwt: ({ token }) => (isRefused ? null : token) } },
    });
    const { app } = site;
    await app.signIn();
    const { id, userId } = onlyRecord(site);
    isRefused = true;
    await app.signIn();
    expect(app.browser.cookies.has(SESSION)).toBe(false);
    expect(site.records.dump().records).toEqual([]);
    expect(ended(site)).toEqual([{ userId, id, reason: 'replaced' }]);
  });
});

describe.each(strategies)('a sign-out (%s)', (strategy) => {
  it('ends the session with an event', async () => {
    const site = makeSite({ strategy });
    const { app, records } = site;
    await app.signIn();
    const { id, userId } = onlyRecord(site);
    const before = records.calls.length;
    await app.signOut();
    expect(records.dump().records).toEqual([]);
    expect(ended(site)).toEqual([{ userId, id, reason: 'sign-out' }]);
    expect(app.events.filter(([name]) => name === 'signOut')).toHaveLength(1);
    const steps = records.calls.slice(before).map(({ step }) => step);
    expect(steps).toEqual(strategy === 'jwt' ? ['check', 'remove'] : ['remove']);
  });
});
