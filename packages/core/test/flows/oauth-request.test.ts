import { describe, expect, it } from 'vitest';
import Discord from '../../src/providers/discord.ts';
import Mastodon from '../../src/providers/mastodon.ts';
import type { OAuthChecks, OAuthUserConfig } from '../../src/providers/oauth.ts';
import type { Profile } from '../../src/types/user.ts';
import { oneDoor } from './doors.ts';
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

const combinations: OAuthChecks[][] = [
  ['pkce'],
  ['state'],
  ['nonce'],
  ['none'],
  ['pkce', 'state'],
  ['pkce', 'nonce'],
  ['state', 'nonce'],
  ['pkce', 'state', 'nonce'],
];

describe.each(oneDoor)('the authorization request through $name', (door) => {
  it.each(combinations)(
    'carries a state and what the checks %j %j %j ask for, and the sign-in succeeds',
    async (...checks) => {
      const { app, fake } = oidcScene(door, { checks: checks.filter(Boolean) });
      const started = await app.begin();
      const sent = asked(started);
      expect(sent.state).toMatch(/^[\w-]{43}$/);
      expect('code_challenge' in sent).toBe(checks.includes('pkce'));
      expect(sent.code_challenge_method).toBe(checks.includes('pkce') ? 'S256' : undefined);
      expect('nonce' in sent).toBe(checks.includes('nonce'));
      expect(started.setCookies.map(({ name }) => name).filter((name) => !/csrf|callback/.test(name))).toEqual([
        'authjs.state',
        ...(checks.includes('pkce') ? ['authjs.pkce.code_verifier'] : []),
        ...(checks.includes('nonce') ? ['authjs.nonce'] : []),
      ]);
      expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(true);
      expect(app.log.errors).toEqual([]);
    },
  );

  it('has the parameters in their usual order', async () => {
    const { app } = oidcScene(door, { checks: ['pkce', 'state', 'nonce'] });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const started = await app.browser.post('/auth/signin/fake?prompt=login', { csrfToken });
    expect(Object.keys(asked(started))).toEqual([
      'response_type',
      'client_id',
      'redirect_uri',
      'scope',
      'prompt',
      'state',
      'code_challenge',
      'code_challenge_method',
      'nonce',
    ]);
    expect(asked(started)).toMatchObject({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'http://localhost:3000/auth/callback/fake',
      scope: 'openid profile email',
    });
  });

  it('has a new state, challenge, and nonce each time, each from 32 random bytes', async () => {
    const { app } = oidcScene(door, { checks: ['pkce', 'state', 'nonce'] });
    const [one, two] = [asked(await app.begin()), asked(await app.begin())];
    for (const name of ['state', 'code_challenge', 'nonce']) {
      expect(one[name]).toMatch(/^[\w-]{43}$/);
      expect(one[name]).not.toBe(two[name]);
    }
  });

  it('takes prompt, login_hint and scope from the sign-in request, but nothing that protects the flow', async () => {
    const { app, fake } = oidcScene(door);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const hostile = {
      client_id: 'mallory',
      redirect_uri: 'https://evil.example/',
      response_type: 'token',
      response_mode: 'fragment',
      request: 'x',
      request_uri: 'https://evil.example/r',
      state: 'x',
      nonce: 'x',
      code_challenge: 'x',
      code_challenge_method: 'plain',
    };
    const wanted = { prompt: 'consent', login_hint: 'ada@example.com', scope: 'openid' };
    const query = new URLSearchParams({ ...hostile, ...wanted, callbackUrl: '/back' });
    const sent = asked(await app.browser.post(`/auth/signin/fake?${query}`, { csrfToken }));
    expect(sent).toMatchObject({
      ...wanted,
      client_id: 'client',
      redirect_uri: 'http://localhost:3000/auth/callback/fake',
      response_type: 'code',
      code_challenge_method: 'S256',
    });
    expect(sent.state).not.toBe('x');
    expect(sent.code_challenge).not.toBe('x');
    for (const name of ['response_mode', 'request', 'request_uri', 'nonce', 'callbackUrl', 'csrfToken']) {
      expect(sent).not.toHaveProperty(name);
    }
    const unprotected = scene(door, { providers: [oidc(fake, { checks: ['none'] })] });
    const theirs = asked(await unprotected.post(`signin/fake?${query}`));
    expect(Object.keys(theirs).sort()).toEqual(
      ['client_id', 'redirect_uri', 'response_type', 'state', ...Object.keys(wanted)].sort(),
    );
  });

  it('has the configured value of each parameter, although a request names all of them', async () => {
    const fake = fakeProvider();
    const configured = {
      claims: '{"id_token":{"email_verified":null}}',
      acr_values: 'gold',
      max_age: '60',
      connection: 'employees',
      kc_idp_hint: 'employees',
      identity_provider: 'employees',
      hd: 'example.com',
      audience: 'api',
      resource: 'https://api.example',
      access_type: 'offline',
    };
    const { connection, hd, ...params } = configured;
    const address = `${fake.endpoints.authorization}?${new URLSearchParams({ connection, hd })}`;
    const app = scene(door, { providers: [oidc(fake, { authorization: { url: address, params } })] });
    const names = Object.keys(asked(await app.begin()));
    expect(names).toEqual(expect.arrayContaining([...Object.keys(configured), 'client_id', 'redirect_uri']));
    const hostile = names.flatMap((name) => [name, name.toUpperCase(), name.replaceAll('_', '.')]);
    const query = new URLSearchParams(
      [...new Set(hostile)].filter((name) => name !== 'scope').map((name) => [name, 'evil']),
    );
    const { state: _, code_challenge: __, ...sent } = asked(await app.post(`signin/fake?${query}`));
    expect(sent).toEqual({
      ...configured,
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'http://localhost:3000/auth/callback/fake',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    });
  });

  it.each(['scope', 'prompt', 'login_hint', 'ui_locales', 'display', 'screen_hint'])(
    'takes %s from the sign-in request, although it is configured',
    async (name) => {
      const { app } = oidcScene(door, { authorization: { params: { [name]: 'configured' } } });
      expect(asked(await app.post(`signin/fake?${name}=requested`))[name]).toBe('requested');
    },
  );

  it('takes a parameter from the sign-in request that is not configured, with each character that RFC 6749 allows', async () => {
    const { app } = oidcScene(door);
    const sent = asked(await app.post('signin/fake?hd=example.com&ext-My_hint.1=x'));
    expect(sent).toMatchObject({ hd: 'example.com', 'ext-My_hint.1': 'x' });
  });

  it.each([
    'client_id',
    'redirect_uri',
    'response_type',
    'response_mode',
    'request',
    'request_uri',
    'state',
    'nonce',
    'code_challenge',
    'code_challenge_method',
    'claims',
    'acr_values',
    'max_age',
    'id_token_hint',
    'authorization_details',
    'resource',
    'audience',
    'dpop_jkt',
    'appid',
    'app_id',
    'clientId',
    'client_key',
  ])('never takes %s from the sign-in request, in any spelling that a server may accept', async (name) => {
    const { app } = oidcScene(door, { checks: ['none'] });
    const bare = Object.keys(asked(await app.begin()));
    for (const spelling of [
      name,
      name.toUpperCase(),
      name.replaceAll('_', '.'),
      `${name}[]`,
      `${name}[0]`,
      ` ${name}`,
    ]) {
      const sent = asked(await app.post(`signin/fake?${new URLSearchParams({ [spelling]: 'evil' })}`));
      expect(Object.keys(sent)).toEqual(bare);
      expect(Object.values(sent)).not.toContain('evil');
    }
    expect(app.log.debugged).toContainEqual(['parameters of the request were left out', { names: [name] }]);
  });

  describe("of a built-in provider, with the application's own address", () => {
    const address = 'https://discord.com/oauth2/authorize';
    it.each<[how: string, authorization: OAuthUserConfig<Profile>['authorization'], expected: object]>([
      ['a string', `${address}?scope=identify+guilds`, { scope: 'identify guilds' }],
      ['a URL', new URL(`${address}?scope=identify+guilds`), { scope: 'identify guilds' }],
      ['an object', { url: `${address}?scope=identify+guilds` }, { scope: 'identify guilds' }],
      ['an object with a URL', { url: new URL(`${address}?scope=identify+guilds`) }, { scope: 'identify guilds' }],
      ['an address with an empty scope', `${address}?scope=`, { scope: '' }],
      ['an address and parameters, which win', { url: `${address}?scope=a`, params: { scope: 'b' } }, { scope: 'b' }],
      ['an address with another parameter', `${address}?permissions=8`, { scope: 'identify email', permissions: '8' }],
      ['an address without parameters', address, { scope: 'identify email' }],
      ['parameters only', { params: { permissions: '8' } }, { scope: 'identify email', permissions: '8' }],
      ['no address', undefined, { scope: 'identify email' }],
    ])('has the parameters of that address: %s', async (_, authorization, expected) => {
      const app = scene(door, { providers: [Discord({ clientId: 'client', clientSecret: 's', authorization })] });
      const started = await app.begin('discord');
      const { response_type, client_id, redirect_uri, state, code_challenge, code_challenge_method, ...own } =
        asked(started);
      expect(own).toEqual(expected);
      expect(started.location).toContain(`${address}?`);
    });

    it('below the issuer has the parameters of that address', async () => {
      const options = { clientId: 'client', clientSecret: 's', issuer: 'https://social.test' };
      const app = scene(door, {
        providers: [Mastodon({ ...options, authorization: './oauth/authorize?scope=write' })],
      });
      expect(asked(await app.begin('mastodon')).scope).toBe('write');
    });
  });

  it('keeps each value of a parameter that the address has more than once', async () => {
    const fake = fakeProvider();
    const address = `${fake.endpoints.authorization}?resource=https://a.test&resource=https://b.test`;
    const app = scene(door, { providers: [oauth(fake, { authorization: address })] });
    const { redirect } = await app.begin('plain');
    expect(redirect?.searchParams.getAll('resource')).toEqual(['https://a.test', 'https://b.test']);
  });

  it('has the parameters of the configuration, objects as JSON', async () => {
    const fake = fakeProvider();
    const claims = { id_token: { email: { essential: true } } };
    const app = scene(door, {
      providers: [
        oidc(fake, {
          authorization: { params: { audience: 'api', max_age: 60, claims, left: undefined, out: null } },
          authorization_details: [{ type: 'payment' }],
        }),
      ],
    });
    const sent = asked(await app.begin());
    expect(sent).toMatchObject({ audience: 'api', max_age: '60', scope: 'openid profile email' });
    expect(JSON.parse(sent.claims ?? '')).toEqual(claims);
    expect(JSON.parse(sent.authorization_details ?? '')).toEqual([{ type: 'payment' }]);
    expect(sent).not.toHaveProperty('left');
    expect(sent).not.toHaveProperty('out');
  });

  it('keeps the query of an authorization URL, and an empty scope in it', async () => {
    const fake = fakeProvider();
    const address = `${fake.endpoints.authorization}?tenant=7&scope`;
    const app = scene(door, { providers: [oauth(fake, { authorization: address })] });
    const sent = asked(await app.begin('plain'));
    expect(sent).toMatchObject({ tenant: '7', scope: '' });
  });

  it('keeps a configured state if the state is not among the checks, and replaces it otherwise', async () => {
    const fake = fakeProvider();
    const authorization = { params: { state: 'the-owners' } };
    const app = scene(door, {
      providers: [oidc(fake, { authorization }), oidc(fake, { id: 'checked', authorization, checks: ['state'] })],
    });
    const started = await app.begin();
    expect(asked(started).state).toBe('the-owners');
    expect(started.cookie('authjs.state')).toBeUndefined();
    expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(true);
    expect(asked(await app.begin('checked')).state).toMatch(/^[\w-]{43}$/);
    expect(asked(await app.post('signin/fake?state=planted')).state).toBe('the-owners');
  });

  it('adds and checks a nonce if the provider does not say that it supports PKCE', async () => {
    const fake = fakeProvider();
    fake.overrides.discovery = (metadata) => ({ ...metadata, code_challenge_methods_supported: undefined });
    const plain = oauth(fake, { issuer: fake.issuer, authorization: undefined, checks: ['pkce'] });
    const app = scene(door, { providers: [oidc(fake), oidc(fake, { id: 'none', checks: ['none'] }), plain] });
    const started = await app.begin();
    expect(asked(started)).toMatchObject({ nonce: expect.any(String), code_challenge: expect.any(String) });
    expect(startsSession(await app.finish(await fake.authorize(started.location ?? '')))).toBe(true);
    fake.overrides.idToken = { claims: (claims) => ({ ...claims, nonce: 'another' }) };
    expect(leadsTo(await app.signIn(fake))).toBe('/auth/signin?error=OAuthCallbackError');
    expect(asked(await app.begin('none'))).not.toHaveProperty('nonce');
    // There is no ID token to come back in.
    expect(asked(await app.begin('plain'))).toMatchObject({ state: expect.any(String) });
    expect(asked(await app.begin('plain'))).not.toHaveProperty('nonce');
  });

  it('is not started by GET, which leads to the sign-in page', async () => {
    const { app, fake } = oidcScene(door);
    const page = await app.browser.get('/auth/signin/fake?callbackUrl=/private');
    expect(leadsTo(page)).toBe('/auth/signin');
    expect(page.setCookies.map(({ name }) => name).sort()).toEqual(['authjs.callback-url', 'authjs.csrf-token']);
    expect(fake.count()).toBe(0);
  });

  it('ends at the sign-in page while the provider is down, and works again afterwards', async () => {
    const { app, fake } = oidcScene(door);
    fake.faults.discovery = { throw: true, times: 1 };
    expect(leadsTo(await app.begin())).toBe('/auth/signin?error=OAuthSignin');
    expect(app.log.types()).toEqual(['OAuthSignInError']);
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('reports a missing client id in the log only', async () => {
    const { app } = oidcScene(door, { clientId: undefined });
    expectConfiguration(app, await app.begin());
    expect(app.log.errors[0]?.message).toMatch(/no client id.*clientId/);
  });
});
