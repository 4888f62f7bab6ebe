import type { Browser } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/jwt.ts';
import { endAllSessions, endSession } from '../../src/session/end.ts';
import {
  ADA,
  callsOf,
  copyTo,
  DAY,
  ended,
  makeSite,
  onlyRecord,
  SESSION,
  type Site,
  stop,
  strategies,
} from './scene.ts';

/** Reads the session. Returns it, and what becomes of the cookie. */
async function read({ app }: Site, browser: Browser = app.browser): Promise<{ session: unknown; cookie: string }> {
  const page = await browser.get('/auth/session');
  const cookie = page.cookie(SESSION);
  const state = cookie === undefined ? 'kept' : cookie.value === '' ? 'cleared' : 'issued';
  return { session: page.json(), cookie: state };
}

const NONE_CLEARED = { session: null, cookie: 'cleared' };
const NONE_KEPT = { session: null, cookie: 'kept' };
const LIVE = { session: expect.objectContaining({ user: expect.objectContaining(ADA.user) }), cookie: 'issued' };

const AWAY = DAY * 2;

describe.each(strategies)('reading a session with records (%s)', (strategy) => {
  it('that does not open, does not exist or has expired: none, cleared', async () => {
    const site = makeSite({ strategy });
    site.app.browser.cookies.set(SESSION, 'garbage');
    expect(await read(site)).toEqual(NONE_CLEARED);
    await site.app.signIn();
    const copy = copyTo(site.app, site.app.browser);
    site.app.clock.advance(31 * DAY);
    expect(await read(site, copy)).toEqual(NONE_CLEARED);
  });

  it('that has ended: none, cleared', async () => {
    const site = makeSite({ strategy });
    await site.app.signIn();
    const { id, userId } = onlyRecord(site);
    await endSession(site.settings, site.app.clock.now(), { userId, id, reason: 'user' });
    expect(await read(site)).toEqual(NONE_CLEARED);
    expect(site.app.adapter.dump().sessions).toEqual([]);
  });

  it('while the record store fails, first within the lag, then after it', async () => {
    const site = makeSite({ strategy });
    await site.app.signIn();
    stop(site);
    expect(await read(site)).toEqual(LIVE);
    expect(site.app.log.types()).toEqual([]);
    site.app.clock.advance(AWAY);
    expect(await read(site)).toEqual(strategy === 'jwt' ? NONE_KEPT : LIVE);
    expect(site.app.log.types()).toEqual(['SessionRecordsError']);
    site.records.recover();
    expect(await read(site)).toEqual(LIVE);
  });
});

describe('reading a JWT session with records', () => {
  it('whose `maxLifetime` has passed: none, cleared, without a call of the store', async () => {
    const site = makeSite({ strategy: 'jwt', session: { maxLifetime: 40 * DAY } });
    await site.app.signIn();
    for (let days = 0; days < 39; days += 13) {
      site.app.clock.advance(13 * DAY);
      expect(await read(site)).toEqual(LIVE);
    }
    const copy = copyTo(site.app, site.app.browser);
    site.app.clock.advance(DAY);
    const before = callsOf(site);
    expect(await read(site, copy)).toEqual(NONE_CLEARED);
    expect(callsOf(site)).toBe(before);
  });

  it('that was checked within the lag: the session, without a call of the store', async () => {
    const site = makeSite({ strategy: 'jwt' });
    await site.app.signIn();
    const before = callsOf(site);
    site.app.clock.advance(9);
    expect(await read(site)).toEqual(LIVE);
    expect(callsOf(site)).toBe(before);
    site.app.clock.advance(1);
    expect(await read(site)).toEqual(LIVE);
    expect(callsOf(site)).toBe(before + 1);
  });

  it('that started before the end of all sessions: none, cleared', async () => {
    const site = makeSite({ strategy: 'jwt' });
    await site.app.signIn();
    const { userId } = onlyRecord(site);
    // As a process does that is killed after its first step.
    const now = site.app.clock.advance(60);
    await site.records.endBefore(userId, { before: now, expires: new Date(now.getTime() + AWAY * 1000) });
    expect(await read(site)).toEqual(NONE_CLEARED);
  });

  it('with a claim, without a record: none, cleared', async () => {
    const site = makeSite({ strategy: 'jwt' });
    await site.app.signIn();
    site.records.store.records.clear();
    site.app.clock.advance(60);
    expect(await read(site)).toEqual(NONE_CLEARED);
    expect(site.records.dump().records).toEqual([]);
  });

  it('without a claim and without a record: the record is created', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const { app } = site;
    const secret = String(app.config.secret);
    app.browser.cookies.set(
      SESSION,
      await encode({ token: { sub: '7', email: ADA.user.email }, secret, salt: SESSION }),
    );
    expect(await read(site)).toEqual(LIVE);
    expect(onlyRecord(site)).toMatchObject({ userId: '7', amr: [] });
    app.clock.advance(60);
    expect(await read(site), 'the issued token has the same id').toEqual(LIVE);
    expect(onlyRecord(site)).toMatchObject({ userId: '7' });
  });

  it('that `callbacks.jwt` ends: none, the record is removed, cleared', async () => {
    const site = makeSite({
      strategy: 'jwt',
      config: { callbacks: { jwt: ({ token, trigger }) => (trigger ? token : null) } },
    });
    await site.app.signIn();
    const { id, userId } = onlyRecord(site);
    expect(await read(site)).toEqual(NONE_CLEARED);
    expect(site.records.dump().records).toEqual([]);
    expect(ended(site)).toEqual([{ userId, id, reason: 'callback' }]);
  });

  it('after the lag: the session', async () => {
    const site = makeSite({ strategy: 'jwt' });
    await site.app.signIn();
    site.app.clock.advance(AWAY);
    expect(await read(site)).toEqual(LIVE);
  });
});

describe('reading a database session with records', () => {
  it('while the adapter fails: none, kept', async () => {
    const site = makeSite({ strategy: 'database' });
    await site.app.signIn();
    site.app.adapter.fail('getSessionAndUser');
    expect(await read(site)).toEqual(NONE_KEPT);
  });

  it('that is not due for extension: the session, without a call of the store', async () => {
    const site = makeSite({ strategy: 'database' });
    await site.app.signIn();
    const before = callsOf(site);
    site.app.clock.advance(DAY - 1);
    expect(await read(site)).toEqual(LIVE);
    expect(callsOf(site)).toBe(before);
  });

  it('that is due: the session, extended, with one call of the store', async () => {
    const site = makeSite({ strategy: 'database' });
    await site.app.signIn();
    const before = callsOf(site);
    const now = site.app.clock.advance(AWAY);
    expect(await read(site)).toEqual(LIVE);
    expect(callsOf(site)).toBe(before + 1);
    expect(site.app.adapter.dump().sessions[0]?.expires).toEqual(new Date(now.getTime() + 30 * DAY * 1000));
    expect(onlyRecord(site).seenAt).toEqual(now);
  });

  it('that is due while the record store fails: extended, unless it has a `maxLifetime`', async () => {
    for (const maxLifetime of [undefined, 90 * DAY]) {
      const site = makeSite({ strategy: 'database', session: { maxLifetime } });
      await site.app.signIn();
      const from = site.app.adapter.dump().sessions[0]?.expires;
      stop(site);
      site.app.clock.advance(AWAY);
      expect(await read(site)).toEqual(LIVE);
      const isExtended = site.app.adapter.dump().sessions[0]?.expires.getTime() !== from?.getTime();
      expect(isExtended).toBe(maxLifetime === undefined);
    }
  });

  it('whose record has ended: none, the row is deleted, cleared', async () => {
    // The adapter cannot delete the rows of a user, so this row stays until it is due.
    const site = makeSite({ strategy: 'database', optional: false });
    await site.app.signIn();
    const { userId } = onlyRecord(site);
    const now = site.app.clock.advance(AWAY);
    await site.records.endBefore(userId, { before: now, expires: new Date(now.getTime() + AWAY * 1000) });
    expect(await read(site)).toEqual(NONE_CLEARED);
    expect(site.app.adapter.dump().sessions).toEqual([]);
  });

  it('without a record: the record is created when the row is due', async () => {
    const site = makeSite({ strategy: 'database' });
    await site.app.signIn();
    const { id, startedAt, userId } = onlyRecord(site);
    site.records.store.records.clear();
    expect(await read(site)).toEqual(LIVE);
    expect(site.records.dump().records).toEqual([]);
    site.app.clock.advance(AWAY);
    expect(await read(site)).toEqual(LIVE);
    expect(onlyRecord(site)).toMatchObject({ id, startedAt, userId, handle: expect.any(String) });
  });

  it('without a record, that started before the end of all sessions: none, the row is deleted, cleared', async () => {
    const site = makeSite({ strategy: 'database', optional: false });
    await site.app.signIn();
    const { userId } = onlyRecord(site);
    site.records.store.records.clear();
    site.app.clock.advance(60);
    await endAllSessions(site.settings, site.app.clock.now(), { userId, reason: 'user' });
    site.app.clock.advance(AWAY);
    expect(await read(site)).toEqual(NONE_CLEARED);
    expect(site.app.adapter.dump().sessions).toEqual([]);
    expect(site.records.dump().records).toEqual([]);
  });

  it('creates no record if the row was deleted before the extension', async () => {
    const site = makeSite({ strategy: 'database' });
    const { app, records } = site;
    await app.signIn();
    records.store.records.clear();
    app.clock.advance(AWAY);
    const { check } = records;
    // The row is deleted while this request asks the record store.
    records.check = async (...args) => {
      app.adapter.store.sessions.clear();
      return check(...args);
    };
    expect(await read(site)).toEqual(NONE_CLEARED);
    expect(records.dump().records).toEqual([]);
  });
});
