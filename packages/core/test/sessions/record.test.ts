import { sessionsOf } from '@latchkey/core/sessions';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { openIfValid } from '../../src/crypto/seal.ts';
import type { Authentication } from '../../src/identity/proof.ts';
import { newRecord } from '../../src/session/record.ts';
import { idTokenOf, listRecords, providerKey } from '../../src/session/records.ts';
import { ADA, callsOf, copyTo, DAY, makeSite, onlyRecord, type Site, strategies } from './scene.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/** Signs in with a header in each request. */
async function signInWith({ app }: Site, name: string, value: string): Promise<void> {
  const browser = app.visitor();
  const open = browser.open.bind(browser);
  browser.open = (address, options = {}) => {
    const headers = new Headers(options.headers);
    headers.set(name, value);
    return open(address, { ...options, headers });
  };
  await app.signIn({ browser });
}

describe('the label of a record', () => {
  it('is browser and system from the User-Agent', async () => {
    const site = makeSite({ strategy: 'jwt' });
    await signInWith(site, 'user-agent', CHROME);
    expect(onlyRecord(site)).toMatchObject({ label: 'Chrome on Windows' });
    expect(onlyRecord(site)).not.toHaveProperty('network');
  });

  it.each([
    ['is absent with `false`', false, undefined],
    [
      'is what the application returns',
      (headers: Headers) => `Kiosk ${headers.get('user-agent')}`,
      `Kiosk ${CHROME.slice(0, 73)}`,
    ],
    ['has no characters that databases refuse', () => 'a\u0000b\ud800', 'a b'],
    ['is absent if the application returns nothing', () => undefined, undefined],
  ] as const)('%s', async (_, label, expected) => {
    const site = makeSite({ strategy: 'jwt', records: { label } });
    await signInWith(site, 'user-agent', CHROME);
    expect(onlyRecord(site).label).toBe(expected);
    expect(site.app.log.types()).toEqual([]);
  });

  it('is absent if the function throws, and the sign-in continues', async () => {
    const label = (): string => {
      throw new Error('no label');
    };
    const site = makeSite({ strategy: 'jwt', records: { label } });
    await site.app.signIn();
    expect(await site.app.session()).toMatchObject(ADA);
    expect(onlyRecord(site).label).toBeUndefined();
    expect(site.app.log.types()).toEqual(['SessionRecordsError']);
    expect(site.app.log.errors[0]?.cause).toMatchObject({ err: { message: 'no label' } });
  });
});

describe('the network of a record', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:12:3456::1', '2001:db8:12::/48'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['garbage', undefined],
  ])('of %s is %s', async (address, network) => {
    const rateLimit = { trustedProxyHops: 1 };
    const site = makeSite({ strategy: 'jwt', records: { network: true }, config: { rateLimit } });
    await signInWith(site, 'x-forwarded-for', `198.51.100.1, ${address}`);
    expect(onlyRecord(site).network).toBe(network);
  });
});

describe('the keys of the provider in a record', () => {
  const authentication: Authentication = {
    amr: ['pwd', 'otp'],
    authTime: 1_795_000_000,
    issuer: 'https://idp.test',
    subject: 'ada',
    sessionId: 's-1',
    idToken: 'header.payload.signature',
  };

  /** Returns the record of a sign-in with this authentication. */
  async function recordOf(site: Site, given: Authentication): Promise<ReturnType<typeof onlyRecord>> {
    const { settings, app } = site;
    const incoming = { header: () => undefined, headers: () => new Headers() };
    const context = { settings, now: app.clock.now(), incoming, call: {} } as unknown as Context;
    const account = { provider: 'fake', providerAccountId: 'ada', type: 'oidc' } as const;
    const signedIn = { user: { id: '7' }, account, authentication: given };
    const facts = { id: 'session', startedAt: app.clock.now(), authTime: app.clock.now(), amr: [], provider: 'fake' };
    return newRecord(context, facts, { userId: '7', expires: app.clock.now(), signedIn });
  }

  it('are hashes of the issuer with its session and with its user', async () => {
    const site = makeSite({ strategy: 'jwt' });
    const record = await recordOf(site, authentication);
    expect(record).toMatchObject({
      providerSession: await providerKey('https://idp.test', 's-1'),
      providerUser: await providerKey('https://idp.test', 'ada'),
    });
    expect(record.providerUser).toMatch(/^[\w-]{43}$/);
    expect(record.idToken, 'without `logout.provider`').toBeUndefined();
    expect(await providerKey('https://idp.test', 'a')).not.toBe(await providerKey('https://other.test', 'a'));
  });

  it('are absent for other sign-in methods', async () => {
    const record = await recordOf(makeSite({ strategy: 'jwt' }), { amr: ['pwd'] });
    expect([record.providerSession, record.providerUser]).toEqual([undefined, undefined]);
  });

  it('are joined by the sealed ID token with `logout.provider`, unless it is too long', async () => {
    const site = makeSite({ strategy: 'jwt', config: { logout: { provider: true } } });
    const record = await recordOf(site, authentication);
    expect(record.idToken).not.toContain('payload');
    expect(await idTokenOf(site.settings, record)).toBe('header.payload.signature');
    expect(await idTokenOf(site.settings, { ...record, id: 'other' }), 'in another record').toBeUndefined();
    expect(await idTokenOf(site.settings, { ...record, idToken: record.handle })).toBeUndefined();
    const long = await recordOf(site, { ...authentication, idToken: 'x'.repeat(4097) });
    expect(long.idToken).toBeUndefined();
  });
});

describe('the token of a database session in its record', () => {
  it('is sealed for this purpose, and sealed again when the row is extended', async () => {
    const site = makeSite({ strategy: 'database' });
    const { app } = site;
    await app.signIn();
    const token = app.adapter.dump().sessions[0]?.sessionToken ?? '';
    const { id, handle = '' } = onlyRecord(site);
    const opening = { secrets: site.settings.sealingSecrets, now: app.clock.now() };
    expect(await openIfValid(handle, { ...opening, salt: 'latchkey.session-handle' })).toMatchObject({
      id,
      value: token,
    });
    expect(await openIfValid(handle, { ...opening, salt: 'authjs.session-token' })).toBeUndefined();
    expect(JSON.stringify(site.records.dump())).not.toContain(token);
    app.clock.advance(DAY);
    await app.session();
    expect(onlyRecord(site).handle).not.toBe(handle);
  });
});

describe('`seenAt` of a JWT session', () => {
  it('moves at most once in ten minutes, and `expires` with it, so that it outlives each token', async () => {
    const site = makeSite({ strategy: 'jwt', records: { revocationLag: 60 } });
    const { app } = site;
    await app.signIn();
    // `maxAge`, the ten minutes, the lag, and a minute for clocks that differ.
    const lasts = onlyRecord(site).expires.getTime() - app.clock.now().getTime();
    expect(lasts / 1000).toBe(30 * DAY + 600 + 60 + 60);
    const moved = new Set([onlyRecord(site).seenAt.getTime()]);
    for (let minute = 0; minute < 60; minute++) {
      app.clock.advance(60);
      await app.session();
      const { seenAt, expires } = onlyRecord(site);
      moved.add(seenAt.getTime());
      const { expires: cookie } = app.browser.cookies.get('authjs.session-token') ?? {};
      expect(expires.getTime()).toBeGreaterThan(cookie?.getTime() ?? Number.POSITIVE_INFINITY);
    }
    expect(moved.size).toBeGreaterThanOrEqual(5);
    expect(moved.size).toBeLessThanOrEqual(7);
  });

  it('moves once in half of `maxAge` if that is shorter', async () => {
    const site = makeSite({ strategy: 'jwt', session: { maxAge: 60 }, records: { revocationLag: 0 } });
    const { app } = site;
    await app.signIn();
    const start = onlyRecord(site).seenAt.getTime();
    expect((onlyRecord(site).expires.getTime() - start) / 1000).toBe(60 + 30 + 60);
    for (let count = 0; count < 4; count++) {
      app.clock.advance(20);
      await app.session();
    }
    expect((onlyRecord(site).seenAt.getTime() - start) / 1000).toBe(80);
  });
});

describe.each(strategies)('the list of a user (%s)', (strategy) => {
  it('says that a session expires after `maxAge`, and at the latest after `maxLifetime`', async () => {
    const { app } = makeSite({ strategy, session: { maxAge: 30 * DAY, maxLifetime: 40 * DAY } });
    await app.signIn();
    const startedAt = app.clock.now().getTime();
    const days = async (): Promise<number> => {
      const [session] = await sessionsOf(app.config, {}).list(app.adapter.dump().users[0]?.id ?? '');
      return (Number(session?.expires) - startedAt) / 1000 / DAY;
    };
    expect(await days()).toBe(30);
    app.clock.advance(20 * DAY);
    await app.session();
    expect(await days()).toBe(40);
  });

  it('has at most 100 sessions, the last seen first', async () => {
    const site = makeSite({ strategy });
    await site.app.signIn();
    const record = onlyRecord(site);
    for (let index = 1; index < 150; index++) {
      const seenAt = new Date(record.seenAt.getTime() - index * 1000);
      await site.records.create({ ...record, id: `session-${index}`, seenAt });
    }
    const list = await listRecords(site.settings, site.app.clock.now(), record.userId);
    expect(list).toHaveLength(100);
    expect(list[0]?.id).toBe(record.id);
  });
});

describe.each(strategies)('`maxPerUser` (%s)', (strategy) => {
  it('ends the sessions that were seen longest ago', async () => {
    const site = makeSite({ strategy, records: { maxPerUser: 2 } });
    const { app } = site;
    // The limit is one for each user.
    const bob = app.visitor();
    await app.signIn({ browser: bob, consent: { user: { sub: 'bob', email: 'bob@example.com' } } });
    const browsers = [];
    for (let index = 0; index < 4; index++) {
      const browser = app.visitor();
      await app.signIn({ browser });
      browsers.push(copyTo(app, browser));
      app.clock.advance(60);
    }
    const answers = [];
    for (const browser of browsers) answers.push((await app.session(browser)) !== null);
    expect(answers).toEqual([false, false, true, true]);
    const reasons = app.events.flatMap((event) => (event[0] === 'sessionEnded' ? [event[1].reason] : []));
    expect(reasons).toEqual(['limit', 'limit']);
    expect(await app.session(bob)).toMatchObject({ user: { email: 'bob@example.com' } });
  });

  it('leaves the exact number of sessions after parallel sign-ins', async () => {
    const site = makeSite({ strategy, records: { maxPerUser: 3 } });
    const { app } = site;
    await app.signIn();
    await Promise.all(Array.from({ length: 12 }, () => app.signIn({ browser: app.visitor() })));
    expect(site.records.dump().records).toHaveLength(3);
    if (strategy === 'database') expect(app.adapter.dump().sessions).toHaveLength(3);
  });

  it('does not keep a sign-in from succeeding if the store fails to list', async () => {
    const site = makeSite({ strategy, records: { maxPerUser: 1 } });
    site.records.fail('find');
    await site.app.signIn();
    expect(await site.app.session()).toMatchObject(ADA);
    expect(site.app.log.types()).toEqual(['SessionRecordsError']);
  });

  it('needs one more call of the store', async () => {
    const site = makeSite({ strategy, records: { maxPerUser: 2 } });
    await site.app.signIn();
    expect(callsOf(site)).toBe(3);
  });
});
