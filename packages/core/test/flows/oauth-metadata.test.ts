import { afterEach, describe, expect, it, vi } from 'vitest';
import { customFetch } from '../../src/symbols.ts';
import { doors } from './doors.ts';
import { asked, expectConfiguration, fakeProvider, leadsTo, oauth, oidc, scene, startsSession } from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe.each(doors)("a provider's metadata through $name", (door) => {
  it('are fetched once for a hundred sign-ins at once, and not again at the callback', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const visitors = Array.from({ length: 100 }, () => app.visitor());
    const pages = await Promise.all(visitors.map((browser) => app.signIn(fake, { browser })));
    expect(pages.map(startsSession)).toEqual(pages.map(() => true));
    expect(fake.count('discovery')).toBe(1);
    expect(fake.count('jwks')).toBe(1);
    expect(fake.count('token')).toBe(100);
    expect(fake.requestsTo('discovery')[0]?.headers.get('accept')).toBe('application/json');
    expect(fake.count('userinfo')).toBe(0);
  });

  it('are fresh for an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.begin();
    vi.setSystemTime(Date.now() + 3599_000);
    await app.begin();
    expect(fake.count('discovery')).toBe(1);
    vi.setSystemTime(Date.now() + 2000);
    await app.begin();
    expect(fake.count('discovery')).toBe(2);
  });

  it('stand in for a day while the provider is down, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.begin();
    fake.faults.discovery = { status: 503, body: 'down' };
    vi.setSystemTime(Date.now() + 2 * 3600_000);
    expect((await app.begin()).location).toContain(fake.endpoints.authorization);
    vi.setSystemTime(Date.now() + 24 * 3600_000);
    expect(leadsTo(await app.begin())).toBe('/auth/signin?error=OAuthSignin');
  });

  it.each([
    ['a status', { status: 500 }],
    ['nothing', { status: 204 }],
    ['HTML', { body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['broken JSON', { body: '{"issuer":' }],
    ['an array', { body: [] }],
    ['null', { body: 'null' }],
    ['a redirect', { redirect: 'https://evil.example/' }],
    ['more than a megabyte', { padding: 2_000_000 }],
    ['no end', { endless: true }],
    ['another issuer', { body: { issuer: 'https://impostor.example' } }],
    ['no issuer', { body: { authorization_endpoint: 'https://idp.test/authorize' } }],
    ['a javascript: address', { body: { issuer: 'https://idp.test', authorization_endpoint: 'javascript:alert(1)' } }],
    ['an http address', { body: { issuer: 'https://idp.test', authorization_endpoint: 'http://idp.test/a' } }],
  ])('are refused, and not remembered, when the answer is %s', async (_, fault) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.faults.discovery = { ...fault, times: 1 };
    const page = await app.begin();
    expect(page.location).toMatch(
      /^http:\/\/localhost:3000\/auth\/(signin|error)\?error=(OAuthSignin|Configuration&reference=\w+)$/,
    );
    expect(page.setCookies.filter(({ name }) => /state|pkce/.test(name))).toEqual([]);
    expect(fake.requests.every(({ url }) => url.startsWith(fake.issuer))).toBe(true);
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([0, true, {}, null, 'S256', [[]]])(
    'with %j for the PKCE methods blame nobody: the nonce takes over',
    async (methods) => {
      const fake = fakeProvider();
      fake.overrides.discovery = { code_challenge_methods_supported: methods };
      const app = scene(door, { providers: [oidc(fake)] });
      const started = await app.begin();
      expect(asked(started)).toHaveProperty('nonce');
      expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(true);
      expect(app.log.errors).toEqual([]);
    },
  );

  it('are found below an issuer that ends with a slash', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, issuer: `${fake.issuer}/` });
    const app = scene(door, { providers: [oidc(fake, { issuer: `${fake.issuer}/` })] });
    expect((await app.begin()).location).toContain(fake.endpoints.authorization);
    expect(fake.requests.map(({ url }) => url)).toEqual([fake.endpoints.discovery]);
  });

  it('are found at `wellKnown`, without an issuer and with one of another place', async () => {
    const fake = fakeProvider({ endpoints: { discovery: '/tenants/7/metadata.json' } });
    const wellKnown = fake.endpoints.discovery;
    const app = scene(door, {
      providers: [oidc(fake, { wellKnown }), oidc(fake, { id: 'only', issuer: undefined, wellKnown })],
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(startsSession(await app.signIn(fake, { id: 'only' }))).toBe(true);
    expect(app.log.errors).toEqual([]);
  });

  it('are not asked for where all endpoints of a plain provider are configured', async () => {
    const fake = fakeProvider({ oidc: false });
    const { authorization, token, userinfo } = fake.endpoints;
    const app = scene(door, {
      providers: [oauth(fake, { issuer: fake.issuer, authorization, token, userinfo: { url: userinfo } })],
    });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    expect(fake.count('discovery')).toBe(0);
  });

  it.each([
    [404, true],
    [410, false],
    [500, false],
  ])(
    'of a provider whose endpoints are configured may be missing, then it publishes no keys: with %i it signs in, %s',
    async (status, isIn) => {
      const fake = fakeProvider();
      fake.faults.discovery = { status, body: '' };
      const { authorization, token } = fake.endpoints;
      const client = { id_token_signed_response_alg: 'ES256' };
      const app = scene(door, { providers: [oidc(fake, { authorization, token, client })] });
      expect(startsSession(await app.signIn(fake))).toBe(isIn);
      expect(app.log.warnings.map(([code]) => code)).toEqual(isIn ? ['id-token-not-verified'] : []);
      expect(app.log.types()).toEqual(isIn ? [] : ['OAuthCallbackError']);
    },
  );

  it.each([
    ['no answer', undefined],
    ['an answer to something else', { status: 404 }],
  ])('are not missing because the failure to fetch them has %s as its cause', async (_, cause) => {
    const fake = fakeProvider();
    const { authorization, token } = fake.endpoints;
    const failure = new Error('no connection', { cause });
    const fetching: typeof fetch = (input, init) =>
      String(input) === fake.endpoints.discovery ? Promise.reject(failure) : fake.fetch(input, init);
    const app = scene(door, { providers: [oidc(fake, { authorization, token, [customFetch]: fetching })] });
    expect(startsSession(await app.signIn(fake))).toBe(false);
    expect(app.log.errors[0]?.cause).toEqual({ provider: 'fake', err: failure });
  });

  it('are asked for where an OpenID provider takes the profile from a userinfo endpoint that is not configured', async () => {
    const fake = fakeProvider();
    const { authorization, token, jwks } = fake.endpoints;
    const own = { authorization, token, jwks_endpoint: jwks, idToken: false };
    const app = scene(door, { providers: [oidc(fake, own)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect([fake.count('discovery'), fake.count('userinfo')]).toEqual([1, 1]);
  });

  it.each([undefined, 7, 'no address', ['https://idp.test']])(
    'that name %j as their issuer are refused where they alone tell it, and the log says what to do',
    async (issuer) => {
      const fake = fakeProvider({ endpoints: { discovery: '/metadata.json' } });
      fake.overrides.discovery = (metadata) => ({ ...metadata, issuer });
      const wellKnown = fake.endpoints.discovery;
      const app = scene(door, { providers: [oidc(fake, { issuer: undefined, wellKnown })] });
      expectConfiguration(app, await app.begin());
      expect(app.log.types()).toEqual(['InvalidEndpoints']);
      expect(app.log.errors[0]?.message).toMatch(/its issuer is no address. Set `issuer`/);
      expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake' });
    },
  );

  it('without a token endpoint are the owner’s to mend', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, token_endpoint: undefined });
    const app = scene(door, { providers: [oidc(fake)] });
    expectConfiguration(app, await app.signIn(fake));
    expect(app.log.errors[0]?.message).toMatch(/has no token endpoint. Set `token`/);
  });

  it('without an authorization endpoint are the owner’s to mend', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, authorization_endpoint: undefined });
    const app = scene(door, { providers: [oidc(fake)] });
    expectConfiguration(app, await app.begin());
    expect(app.log.errors[0]?.message).toMatch(/have no authorization_endpoint. Set `authorization`/);
  });

  it('give way to configured endpoints and their parameters', async () => {
    const fake = fakeProvider({ oidc: false, endpoints: { token: '/own/token', userinfo: '/own/userinfo' } });
    fake.overrides.discovery = (metadata) => ({ ...metadata, token_endpoint: `${fake.issuer}/nowhere` });
    const app = scene(door, {
      providers: [
        oauth(fake, {
          issuer: fake.issuer,
          authorization: { params: { scope: 'profile', access: 'offline' } },
          token: { url: fake.endpoints.token, params: { version: '2' } },
          userinfo: { params: { fields: 'id,name' }, url: fake.endpoints.userinfo },
        }),
      ],
    });
    const started = await app.begin('plain');
    expect(asked(started)).toMatchObject({ scope: 'profile', access: 'offline' });
    expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(true);
    expect(fake.requestsTo('token')[0]?.url).toBe(`${fake.endpoints.token}?version=2`);
    expect(fake.requestsTo('userinfo')[0]?.url).toBe(`${fake.endpoints.userinfo}?fields=id%2Cname`);
  });

  it.each([
    ['status', { status: 500 }, 'OAUTH_RESPONSE_IS_NOT_CONFORM'],
    ['contents', { body: [] }, 'OAUTH_RESPONSE_IS_NOT_CONFORM'],
    ['issuer', { json: { issuer: 'https://impostor.example' } }, 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'],
  ])('that are no good for their %s are in the log by the code of the protocol library', async (_, fault, code) => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.misbehave({ discovery: fault });
    await app.begin();
    expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake', code, err: { message: expect.any(String) } });
  });

  it.each(['EAUTH_OAUTH_PROXY', 'OAUTHX', 'XERR_INVALID_ARG_TYPE', 7])(
    'that cannot be fetched are in the log with the failure as it was: its code, %j, is not the library’s',
    async (code) => {
      const failure = Object.assign(new Error('no connection'), { code, status: 1 });
      const app = scene(door, {
        providers: [{ ...oidc(fakeProvider()), [customFetch]: () => Promise.reject(failure) }],
      });
      await app.begin();
      expect(app.log.errors[0]?.cause).toEqual({ provider: 'fake', err: failure });
    },
  );

  it("the user's customFetch wins over the provider's own", async () => {
    const fake = fakeProvider();
    const broken: typeof fetch = () => Promise.reject(new Error('not this one'));
    const app = scene(door, {
      providers: [{ ...oidc(fake), [customFetch]: broken, options: { [customFetch]: fake.fetch } }],
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });
});
