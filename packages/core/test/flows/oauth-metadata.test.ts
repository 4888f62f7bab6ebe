import { afterEach, describe, expect, it, vi } from 'vitest';
import { customFetch } from '../../src/symbols.ts';
import { type Door, oneDoor } from './doors.ts';
import {
  asked,
  expectConfiguration,
  fakeProvider,
  leadsTo,
  oauth,
  oidc,
  oidcScene,
  scene,
  startsSession,
} from './scene.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe.each(oneDoor)("a provider's metadata through $name", (door) => {
  it('are fetched once for a hundred simultaneous sign-ins, and not again at the callback', async () => {
    const { app, fake } = oidcScene(door);
    const visitors = Array.from({ length: 100 }, () => app.visitor());
    const pages = await Promise.all(visitors.map((browser) => app.signIn(fake, { browser })));
    expect(pages.map(startsSession)).toEqual(pages.map(() => true));
    expect(fake.count('discovery')).toBe(1);
    expect(fake.count('jwks')).toBe(1);
    expect(fake.count('token')).toBe(100);
    expect(fake.requestsTo('discovery')[0]?.headers.get('accept')).toBe('application/json');
    expect(fake.count('userinfo')).toBe(0);
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
    const { app, fake } = oidcScene(door);
    fake.faults.discovery = { ...fault, times: 1 };
    const page = await app.begin();
    expect(page.location).toMatch(
      /^http:\/\/localhost:3000\/auth\/(signin|error)\?error=(OAuthSignin&provider=fake|Configuration&reference=\w+)$/,
    );
    expect(page.setCookies.filter(({ name }) => /state|pkce/.test(name))).toEqual([]);
    expect(fake.requests.every(({ url }) => url.startsWith(fake.issuer))).toBe(true);
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it.each([
    [{ status: 404 }, 'answered 404. Check AUTH_FAKE_ISSUER (`issuer`).'],
    [{ body: '<html>' }, 'answered, but the body is not a JSON object. Check'],
    [
      { body: { issuer: 'https://b.test' } },
      'answered, but the metadata\'s issuer is "https://b.test", AUTH_FAKE_ISSUER is "https://idp.test". Check',
    ],
    [{ throw: true as const }, 'failed: '],
  ])('are named in the log with their address and the outcome: %j', async (fault, words) => {
    const { app, fake } = oidcScene(door);
    fake.faults.discovery = fault;
    await app.begin();
    const url = `${fake.issuer}/.well-known/openid-configuration`;
    expect(app.log.errors[0]?.message).toContain(`provider "fake": GET ${url} ${words}`);
  });

  it('are named in the log also if only the callback needs them', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { authorization: fake.endpoints.authorization })] });
    fake.faults.discovery = { status: 503 };
    expect(leadsTo(await app.signIn(fake))).toBe('/auth/signin?error=OAuthCallbackError');
    expect(app.log.errors[0]?.message).toContain('/.well-known/openid-configuration answered 503.');
  });

  it.each([
    [true, 'javascript:alert(1)', false],
    [true, 'http://mtls.idp.test/token', false],
    [true, 7, false],
    [true, 'https://mtls.idp.test/token', true],
    [false, 'http://mtls.idp.test/token', true],
  ])('with mTLS aliases (used: %s) at %j are accepted: %s', async (isUsed, token_endpoint, isAccepted) => {
    const client = { use_mtls_endpoint_aliases: isUsed };
    const { app, fake } = oidcScene(door, { client });
    fake.overrides.discovery = (metadata) => ({ ...metadata, mtls_endpoint_aliases: { token_endpoint } });
    const page = await app.begin();
    if (isAccepted) expect(asked(page).client_id).toBe('client');
    else {
      expectConfiguration(app, page);
      expect(app.log.errors[0]?.message).toContain("the metadata's mtls_endpoint_aliases.token_endpoint must be");
    }
  });

  it.each([0, true, {}, null, 'S256', [[]]])(
    'with %j for the PKCE methods are accepted, and the nonce replaces PKCE',
    async (methods) => {
      const { app, fake } = oidcScene(door);
      fake.overrides.discovery = { code_challenge_methods_supported: methods };
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

  it('are found at `wellKnown`, without an issuer and with a different one', async () => {
    const fake = fakeProvider({ endpoints: { discovery: '/tenants/7/metadata.json' } });
    const wellKnown = fake.endpoints.discovery;
    const app = scene(door, {
      providers: [oidc(fake, { wellKnown }), oidc(fake, { id: 'only', issuer: undefined, wellKnown })],
    });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(startsSession(await app.signIn(fake, { id: 'only' }))).toBe(true);
    expect(app.log.errors).toEqual([]);
  });

  it('are not fetched if all endpoints of a plain provider are configured', async () => {
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
    'of a provider whose endpoints are configured may be missing, so that it has no keys: with %i it signs in, %s',
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

  it('are fetched if an OpenID provider uses a userinfo endpoint that is not configured', async () => {
    const fake = fakeProvider();
    const { authorization, token, jwks } = fake.endpoints;
    const own = { authorization, token, jwks_endpoint: jwks, idToken: false };
    const app = scene(door, { providers: [oidc(fake, own)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect([fake.count('discovery'), fake.count('userinfo')]).toEqual([1, 1]);
  });

  it.each([undefined, 7, 'no address', ['https://idp.test']])(
    'that name %j as their issuer are refused if no issuer is configured, and the log has the remedy',
    async (issuer) => {
      const fake = fakeProvider({ endpoints: { discovery: '/metadata.json' } });
      fake.overrides.discovery = (metadata) => ({ ...metadata, issuer });
      const wellKnown = fake.endpoints.discovery;
      const app = scene(door, { providers: [oidc(fake, { issuer: undefined, wellKnown })] });
      expectConfiguration(app, await app.begin());
      expect(app.log.types()).toEqual(['InvalidEndpoints']);
      expect(app.log.errors[0]?.message).toMatch(/the issuer must be a URL. Set `issuer`/);
      expect(app.log.errors[0]?.cause).toMatchObject({ provider: 'fake' });
    },
  );

  it.each([
    ['token_endpoint', /has no token endpoint. Set `token`/],
    ['authorization_endpoint', /has no authorization_endpoint. Set `authorization`/],
  ])('without %s are a configuration problem', async (member, message) => {
    const { app, fake } = oidcScene(door);
    fake.overrides.discovery = (metadata) => ({ ...metadata, [member]: undefined });
    const started = await app.begin();
    const isStarted = started.location?.startsWith(fake.issuer);
    expectConfiguration(app, isStarted ? await app.finish(await fake.authorize(started.location ?? '')) : started);
    expect(app.log.errors[0]?.message).toMatch(message);
  });

  it('are replaced by configured endpoints and their parameters', async () => {
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
  ])('with a wrong %s are logged with the code of the protocol library', async (_, fault, code) => {
    const { app, fake } = oidcScene(door);
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

describe("the provider's published data", () => {
  const HOUR = 3_600_000;
  const [door] = oneDoor as [Door];

  /** A visitor has signed in at a whole second: key sets are dated in seconds. */
  async function signedIn() {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
    const { app, fake } = oidcScene(door);
    await app.signIn(fake);
    const pass = (milliseconds: number): void => {
      vi.setSystemTime(Date.now() + milliseconds);
      app.clock.set(new Date());
    };
    return { fake, app, pass };
  }

  it.each([
    ['discovery', HOUR],
    ['jwks', 300_000],
  ] as const)('(%s) is fresh for %i ms, not a millisecond more', async (endpoint, fresh) => {
    const { fake, app, pass } = await signedIn();
    pass(fresh - 1);
    await app.signIn(fake);
    expect(fake.count(endpoint)).toBe(1);
    pass(1);
    await app.signIn(fake);
    expect(fake.count(endpoint)).toBe(2);
  });

  it.each([
    ['discovery', 24 * HOUR - 1, true],
    ['discovery', 24 * HOUR, false],
    ['jwks', 24 * HOUR - 1, true],
    ['jwks', 24 * HOUR, false],
  ] as const)('(%s) is used while the provider is down if it is %i ms old: %s', async (endpoint, age, isUsed) => {
    const { fake, app, pass } = await signedIn();
    fake.misbehave({ [endpoint]: { status: 503, body: 'down' } });
    pass(age);
    const started = await app.begin();
    if (isUsed || endpoint === 'jwks')
      expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(isUsed);
    else expect(leadsTo(started)).toBe('/auth/signin?error=OAuthSignin');
  });

  it('is fetched for an unknown key once a minute at most', async () => {
    const { fake, app, pass } = await signedIn();
    await fake.rotateKeys();
    pass(59_999);
    for (const _ of [1, 2]) expect(startsSession(await app.signIn(fake))).toBe(false);
    expect(fake.count('jwks')).toBe(1);
    pass(1);
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.count('jwks')).toBe(2);
  });

  it('is kept for 256 addresses; the next one replaces the least recently used', async () => {
    const fetched: string[] = [];
    const fetching: typeof fetch = async (input) => {
      const { origin } = new URL(String(input));
      fetched.push(origin);
      return Response.json({ issuer: origin, authorization_endpoint: `${origin}/authorize` });
    };
    const providers = Array.from({ length: 257 }, (_, index) => ({
      ...oidc(fakeProvider(), { id: `p${index}`, issuer: `https://idp-${index}.test` }),
      [customFetch]: fetching,
    }));
    const app = scene(door, { providers });
    for (let index = 0; index < 256; index++) await app.begin(`p${index}`);
    await app.begin('p0');
    expect(fetched).toHaveLength(256);
    for (const id of ['p256', 'p0']) await app.begin(id);
    expect(fetched).toHaveLength(257);
    await app.begin('p1');
    expect(fetched).toHaveLength(258);
  });
});
