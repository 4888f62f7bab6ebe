import { describe, expect, it } from 'vitest';
import type { OAuthChecks } from '../../src/providers/oauth.ts';
import { doors } from './doors.ts';
import { asked, expectConfiguration, fakeProvider, leadsTo, oauth, oidc, scene, startsSession } from './scene.ts';

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

describe.each(doors)('the authorization request through $name', (door) => {
  it.each(combinations)(
    'carries a state and what the checks %j %j %j ask for, and the sign-in succeeds',
    async (...checks) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake, { checks: checks.filter(Boolean) })] });
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
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: ['pkce', 'state', 'nonce'] })] });
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

  it('draws state, challenge and nonce anew each time, each from 32 random bytes', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { checks: ['pkce', 'state', 'nonce'] })] });
    const [one, two] = [asked(await app.begin()), asked(await app.begin())];
    for (const name of ['state', 'code_challenge', 'nonce']) {
      expect(one[name]).toMatch(/^[\w-]{43}$/);
      expect(one[name]).not.toBe(two[name]);
    }
  });

  it('takes prompt, login_hint and scope from the sign-in request, but nothing that protects the flow', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
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

  it('keeps the query of an authorization address, and an empty scope in it', async () => {
    const fake = fakeProvider();
    const address = `${fake.endpoints.authorization}?tenant=7&scope`;
    const app = scene(door, { providers: [oauth(fake, { authorization: address })] });
    const sent = asked(await app.begin('plain'));
    expect(sent).toMatchObject({ tenant: '7', scope: '' });
  });

  it("leaves the owner's own state alone where the state is no check, and replaces it where it is one", async () => {
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

  it('adds a nonce where the provider does not promise to support PKCE, and checks it', async () => {
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

  it('is not made by GET, which leads to the sign-in page instead', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const page = await app.browser.get('/auth/signin/fake?callbackUrl=/private');
    expect(leadsTo(page)).toBe('/auth/signin');
    expect(page.setCookies.map(({ name }) => name).sort()).toEqual(['authjs.callback-url', 'authjs.csrf-token']);
    expect(fake.count()).toBe(0);
  });

  it('ends at the sign-in page when the provider is down, and works again when it is back', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    fake.faults.discovery = { throw: true, times: 1 };
    expect(leadsTo(await app.begin())).toBe('/auth/signin?error=OAuthSignin');
    expect(app.log.types()).toEqual(['OAuthSignInError']);
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('tells only the log that the client id is missing', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake, { clientId: undefined })] });
    expectConfiguration(app, await app.begin());
    expect(app.log.errors[0]?.message).toMatch(/no client id.*clientId/);
  });
});
