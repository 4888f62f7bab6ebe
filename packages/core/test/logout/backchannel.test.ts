import { application, FakeProvider, MemorySessionRecords, memoryAdapter, type Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { logoutScene } from './scene.ts';

describe.each([
  ['a cookie', undefined],
  ['the store', memoryAdapter],
] as const)('a logout token, with sessions in %s', (_, adapterOf) => {
  const scene = (): ReturnType<typeof logoutScene> => logoutScene({ adapter: adapterOf?.() });

  it('ends the sessions of one session of the provider, and says so in an event', async () => {
    const { app, signIn, logout } = scene();
    const phone = app.visitor();
    await signIn('s1');
    await signIn('s2', phone);
    await logout({ claims: { sid: 's1' } });
    expect([await app.session(), (await app.session(phone)) !== null]).toEqual([null, true]);
    expect(app.events.filter(([name]) => name === 'sessionEnded')).toEqual([
      ['sessionEnded', { userId: expect.any(String), id: expect.any(String), reason: 'provider' }],
    ]);
    expect(app.log.errors).toEqual([]);
  });

  it('ends all sessions of a user, if it names no session of the provider', async () => {
    const { app, signIn, logout } = scene();
    const phone = app.visitor();
    await signIn('s1');
    await signIn(undefined, phone);
    await logout();
    expect([await app.session(), await app.session(phone)]).toEqual([null, null]);
  });

  it('keeps a session that began two minutes after the token was issued, by the clock of another process', async () => {
    const { app, signIn, logout } = scene();
    const before = app.visitor();
    const now = new Date(Math.floor(app.clock.now().getTime() / 1000) * 1000);
    app.clock.set(new Date(now.getTime() + 119_999));
    await signIn('s1', before);
    app.clock.set(new Date(now.getTime() + 120_000));
    await signIn('s1');
    app.clock.set(now);
    expect((await logout({ claims: { sid: 's1' } })).status).toBe(200);
    expect([await app.session(before), (await app.session()) !== null]).toEqual([null, true]);
  });
});

describe('a logout token', () => {
  it('is not accepted again by the process that has handled it, for five minutes', async () => {
    const { app, provider, signIn, post } = logoutScene();
    const iat = Math.floor(app.clock.now().getTime() / 1000) + 120;
    const token = await provider.logoutToken({ claims: { jti: 'once', iat, exp: iat + 900 } });
    expect((await post({ logout_token: token })).status).toBe(200);
    app.clock.advance(239);
    await signIn();
    expect((await post({ logout_token: token })).status).toBe(400);
    expect(app.log.errors.map(({ cause }) => cause)).toMatchObject([{ claim: 'jti' }]);
    expect(await app.session()).not.toBeNull();
  });

  it('ends the sessions of each configuration that shares the client, if their record stores differ', async () => {
    const one = logoutScene();
    const two = logoutScene({ provider: one.provider });
    await one.signIn();
    await two.signIn();
    const logout_token = await one.provider.logoutToken();
    expect([(await one.post({ logout_token })).status, (await two.post({ logout_token })).status]).toEqual([200, 200]);
    expect([await one.app.session(), await two.app.session()]).toEqual([null, null]);
  });

  it('with the `jti` of another token is accepted after five minutes', async () => {
    const { app, logout } = logoutScene();
    expect((await logout({ claims: { jti: 'used' } })).status).toBe(200);
    app.clock.advance(299);
    expect((await logout({ claims: { jti: 'used' } })).status).toBe(400);
    app.clock.advance(1);
    expect((await logout({ claims: { jti: 'used' } })).status).toBe(200);
  });

  it.each(['find', 'remove'] as const)('can be delivered again after the record store failed in `%s`', async (step) => {
    const { app, provider, records, signIn, post } = logoutScene();
    await signIn();
    const token = await provider.logoutToken();
    records.fail(step);
    const page = await post({ logout_token: token });
    expect([page.status, page.json()]).toEqual([400, { error: 'invalid_request' }]);
    expect(app.log.types()).toEqual(['LogoutTokenError']);
    expect(await app.session()).not.toBeNull();
    expect((await post({ logout_token: token })).status).toBe(200);
    expect(await app.session()).toBeNull();
  });

  it('is not about the visitor who posts it: cookies are neither read nor set', async () => {
    const { app, provider, signIn, logout } = logoutScene();
    const phone = app.visitor();
    await signIn('s1', phone);
    await signIn('s2');
    const fields = { logout_token: await provider.logoutToken({ claims: { sid: 's1' } }) };
    const page = await app.browser.post('/auth/logout/fake', fields);
    expect([page.status, page.setCookies]).toEqual([200, []]);
    expect([await app.session(phone), (await app.session()) !== null]).toEqual([null, true]);
    expect((await logout({ sign: 'none' })).setCookies).toEqual([]);
  });

  it('of another issuer ends no session, although its `sid` is the same', async () => {
    const one = new FakeProvider({ issuer: 'https://one.test', signingAlgorithm: 'ES256' });
    const two = new FakeProvider({ issuer: 'https://two.test', signingAlgorithm: 'ES256' });
    const app = application({
      provider: one,
      config: {
        providers: [one.provider({ id: 'one' }), two.provider({ id: 'two' })],
        session: { records: { store: MemorySessionRecords(), revocationLag: 0 } },
        logout: { backchannel: true },
      },
    });
    one.misbehave({ idToken: { claims: { sid: 's1' } } });
    await app.signIn({ id: 'one' });
    const token = await two.logoutToken({ claims: { sid: 's1' } });
    const ask = (id: string): Promise<Page> => app.visitor().post(`/auth/logout/${id}`, { logout_token: token });
    expect((await ask('two')).status).toBe(200);
    expect((await ask('one')).status).toBe(400);
    expect(await app.session()).not.toBeNull();
  });

  it.each([
    ['a provider that is not configured', 'other'],
    ['a provider of type "oauth"', 'plain'],
  ])('is refused at the address of %s', async (_, id) => {
    const { app, provider, post } = logoutScene();
    const config = { ...app.config, providers: [provider.provider(), provider.plainProvider({ id: 'plain' })] };
    const other = application({ provider, clock: app.clock, config });
    const page = await other.browser.post(`/auth/logout/${id}`, { logout_token: await provider.logoutToken() });
    expect([page.status, page.json()]).toEqual([400, { error: 'invalid_request' }]);
    expect((await post({ logout_token: await provider.logoutToken() })).status).toBe(200);
  });
});

describe('refused logout tokens', () => {
  const call = { clientAddress: '192.0.2.1' };

  function limited(rateLimit?: false): ReturnType<typeof logoutScene> {
    return logoutScene({ call, config: { rateLimit: rateLimit ?? { network: { limit: 2, window: 60 } } } });
  }

  it('are answered with 429 beyond the limit of the network; the correct ones of that network are accepted', async () => {
    const { app, logout, signIn } = limited();
    await signIn();
    expect((await logout({ sign: 'none' })).status).toBe(400);
    expect((await logout({ sign: 'none' })).status).toBe(400);
    const page = await logout({ sign: 'none' });
    expect([page.status, page.headers.get('retry-after'), page.headers.get('cache-control')]).toEqual([
      429,
      '60',
      'no-store',
    ]);
    expect(app.log.types()).toEqual(['LogoutTokenError', 'LogoutTokenError', 'RateLimited']);
    expect((await logout()).status).toBe(200);
    expect(await app.session()).toBeNull();
  });

  it('are the only ones that count: a provider may end many sessions at once', async () => {
    const { logout } = limited();
    const pages = await Promise.all(Array.from({ length: 50 }, () => logout()));
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    expect((await logout({ sign: 'none' })).status).toBe(400);
  });

  it('are not counted with `rateLimit: false`', async () => {
    const { logout } = limited(false);
    for (let count = 0; count < 150; count += 1) expect((await logout({ sign: 'none' })).status).toBe(400);
  });
});

describe('the address for logout tokens', () => {
  const session = { records: { store: MemorySessionRecords() } };

  it.each([
    ['no option', {}],
    ['records only', { session }],
    ['the sign-out at the provider only', { logout: { provider: true } }],
  ])('is unknown with %s', async (_, config) => {
    const app = application({ config });
    await app.signIn();
    const page = await app.browser.post('/auth/logout/fake', { logout_token: await app.provider.logoutToken() });
    expect([page.status, page.json()]).toEqual([400, 'Bad request.']);
    expect(await app.session()).not.toBeNull();
  });

  it('ends nothing when it is opened, so that a frame of the provider cannot end a session', async () => {
    const { app, signIn, provider } = logoutScene();
    await signIn('s1');
    const query = new URLSearchParams({ iss: provider.issuer, sid: 's1', logout_token: await provider.logoutToken() });
    const page = await app.browser.get(`/auth/logout/fake?${query}`, { site: 'cross-site' });
    expect([page.location, page.setCookies]).toEqual(['http://localhost:3000', []]);
    expect(await app.session()).not.toBeNull();
  });
});
