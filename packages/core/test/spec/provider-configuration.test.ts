import { describe, expect, it } from 'vitest';
import { asked, expectRefused, fakeProvider, oauth, oidc, startsSession } from '../flows/scene.ts';
import { oidcSite, site, storeSite, told } from './site.ts';

describe('provider configuration', () => {
  it('id | unique among providers', async () => {
    const app = site({ providers: [oidc(fakeProvider()), oidc(fakeProvider())] });
    expect((await app.browser.get('/auth/providers')).status).toBe(500);
    expect(app.log.errors[0]?.message).toContain('more than one provider has the id "fake"');
  });

  it('id | part of the URL; used when signing in to a specific provider', async () => {
    const app = oidcSite({}, { id: 'mine' });
    expect(asked(await app.begin('mine')).redirect_uri).toBe('http://localhost:3000/auth/callback/mine');
    expectRefused(app, await app.begin('other'), 'InvalidProvider');
  });

  it("name | label of the sign-in button: 'Sign in with <name>'", async () => {
    const page = await oidcSite({}, { name: 'My company' }).browser.get('/auth/signin');
    expect(page.text().replace(/<[^>]+>/g, '')).toContain('Sign in with My company');
  });

  it('type | `oauth` or `oidc`', async () => {
    const fake = fakeProvider();
    const app = site({ providers: [oidc(fake), oauth(fake)] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(startsSession(await app.signIn(fake, { id: 'plain', browser: app.visitor() }))).toBe(true);
  });

  it('clientId?, clientSecret?', async () => {
    const fake = fakeProvider({ clients: [{ client_id: 'me', client_secret: 'hush' }] });
    const app = site({ providers: [oidc(fake, { clientId: 'me', clientSecret: 'hush' })] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
    expect(fake.requestsTo('token')[0]?.headers.get('authorization')).toBe(`Basic ${btoa('me:hush')}`);
  });

  it('issuer?', async () => {
    const app = oidcSite();
    await app.enter();
    expect(app.fake.requestsTo('discovery')[0]?.url).toBe(`${app.fake.issuer}/.well-known/openid-configuration`);
  });

  it('wellKnown? | discovery address; removes the need for authorization/token/userinfo', async () => {
    const fake = fakeProvider({ endpoints: { discovery: '/elsewhere' } });
    const app = site({ providers: [oidc(fake, { issuer: undefined, wellKnown: `${fake.issuer}/elsewhere` })] });
    expect(startsSession(await app.signIn(fake))).toBe(true);
  });

  it('authorization?, token?, userinfo? | string: the address', async () => {
    const fake = fakeProvider({ oidc: false });
    const { authorization, token, userinfo } = fake.endpoints;
    const app = site({ providers: [oauth(fake, { authorization, token, userinfo })] });
    const started = await app.begin('plain');
    expect(started.location).toMatch(`${authorization}?`);
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
    expect([fake.count('token'), fake.count('userinfo')]).toEqual([1, 1]);
  });

  it('authorization? | endpoint handler: address and parameters', async () => {
    const authorization = { params: { prompt: 'consent', scope: 'openid' } };
    const app = oidcSite({}, { authorization });
    expect(asked(await app.begin())).toMatchObject({ prompt: 'consent', scope: 'openid', response_type: 'code' });
  });

  it('token?, userinfo? | endpoint handler: a request of its own', async () => {
    const fake = fakeProvider();
    const tokens = { access_token: 'own' };
    const app = site({
      providers: [
        oauth(fake, {
          token: { request: () => ({ tokens }) },
          userinfo: { request: (context) => ({ sub: 'x', name: `by ${context.tokens.access_token}` }) },
        }),
      ],
    });
    await app.signIn(fake, { id: 'plain' });
    expect(await app.session()).toMatchObject({ user: { name: 'by own' } });
    expect([fake.count('token'), fake.count('userinfo')]).toEqual([0, 0]);
  });

  it('jwks_endpoint', async () => {
    const app = oidcSite({}, { jwks_endpoint: 'https://idp.test/jwks' });
    app.fake.overrides.discovery = (metadata) => ({ ...metadata, jwks_uri: undefined });
    expect(startsSession(await app.enter())).toBe(true);
    expect(app.fake.count('jwks')).toBe(1);
    expect(app.log.warnings).toEqual([]);
  });

  it('idToken? (oidc only) | when false the userinfo endpoint is fetched; an id token must still be returned', async () => {
    const app = oidcSite({}, { idToken: false });
    app.fake.overrides.userinfo = (user) => ({ ...user, name: 'From userinfo' });
    await app.enter();
    expect(await app.session()).toMatchObject({ user: { name: 'From userinfo' } });
    app.fake.overrides.token = ({ id_token: _, ...answer }) => answer;
    const other = app.visitor();
    expectRefused(app, await app.signIn(app.fake, { browser: other }), 'OAuthCallbackError', other);
  });

  it('client? | passed to the underlying OAuth library', async () => {
    const app = oidcSite({}, { client: { token_endpoint_auth_method: 'client_secret_post' } });
    await app.enter();
    expect(app.fake.requestsTo('token')[0]?.form.get('client_id')).toBe('client');
  });

  it('profile? | callback(profile, tokens) returning a User', async () => {
    const app = oidcSite({}, { profile: ({ sub }, { scope }) => ({ id: sub ?? '', name: `${sub} may ${scope}` }) });
    await app.enter();
    expect(await app.session()).toMatchObject({ user: { name: 'ada-1815 may openid profile email' } });
  });

  it('profile? | default output fields: `id`, `email`, `name`, `image`', async () => {
    const app = storeSite();
    await app.enter();
    expect(
      Object.keys(app.calledWith('createUser')[0]?.[0] ?? {})
        .filter((key) => key !== 'emailVerified')
        .sort(),
    ).toEqual(['email', 'id', 'image', 'name']);
  });

  it('account? | callback(tokens) returning a subset of the tokens', async () => {
    const app = storeSite({}, { account: ({ access_token }) => ({ access_token }) });
    await app.enter();
    const [account] = app.adapter.store.accounts.values();
    expect(account).toMatchObject({ access_token: expect.any(String) });
    expect(account).not.toHaveProperty('refresh_token');
  });

  it('allowDangerousEmailAccountLinking? | default off', async () => {
    const app = storeSite();
    await app.enter();
    const other = app.visitor();
    const consent = { user: { sub: 'another', email: 'ada@example.com' } };
    expectRefused(app, await app.signIn(app.fake, { consent, browser: other }), 'OAuthAccountNotLinked', other);
  });

  it('allowDangerousEmailAccountLinking? | when true, linked automatically to an existing account with the same email', async () => {
    const app = storeSite({}, { allowDangerousEmailAccountLinking: true });
    await app.enter();
    const consent = { user: { sub: 'another', email: 'ada@example.com' } };
    expect(startsSession(await app.signIn(app.fake, { consent, browser: app.visitor() }))).toBe(true);
    expect([app.adapter.store.users.size, app.adapter.store.accounts.size]).toEqual([1, 2]);
  });

  it('redirectProxyUrl? | per-provider override', async () => {
    const app = oidcSite(
      { redirectProxyUrl: 'https://stable.example/auth' },
      { redirectProxyUrl: 'https://own.example/auth' },
    );
    expect(asked(await app.begin()).redirect_uri).toBe('https://own.example/auth/callback/fake');
  });

  it('style? | brandColor?, logo?, text? (deprecated), bg? (deprecated)', async () => {
    const style = { brandColor: '#123456', logo: 'https://logo.test/a.png', text: '#fff' };
    const page = await oidcSite({}, { style }).browser.get('/auth/signin');
    expect(page.text()).toContain('#123456');
    expect(page.text()).toContain('src="https://logo.test/a.png"');
    expect((await oidcSite({}, { style: { bg: '#654321' } }).browser.get('/auth/signin')).text()).toContain('#654321');
  });
});

describe('provider configuration: checks?', () => {
  it("default for oauth: ['pkce']", async () => {
    const fake = fakeProvider({ oidc: false, requirePkce: true });
    const app = site({ providers: [oauth(fake)] });
    expect(asked(await app.begin('plain'))).toMatchObject({ code_challenge_method: 'S256' });
    expect(startsSession(await app.signIn(fake, { id: 'plain' }))).toBe(true);
  });

  it('none | no code challenge and no nonce', async () => {
    const params = asked(await oidcSite({}, { checks: ['none'] }).begin());
    expect(params).not.toHaveProperty('code_challenge');
    expect(params).not.toHaveProperty('nonce');
  });

  it('state | an answer with another state is refused', async () => {
    const app = oidcSite({}, { checks: ['state'] });
    const back = new URL(await app.fake.authorize((await app.begin()).location ?? ''));
    back.searchParams.set('state', 'another');
    expectRefused(app, await app.finish(back.href), 'InvalidCheck');
  });

  it('pkce | an answer is refused in a browser that has no code verifier', async () => {
    const app = oidcSite({}, { checks: ['pkce'] });
    const back = await app.fake.authorize((await app.begin()).location ?? '');
    const other = app.visitor();
    expectRefused(app, await app.finish(back, other), 'InvalidCheck', other);
  });

  it('nonce (OIDC) | an id token with another nonce is refused', async () => {
    const app = oidcSite({}, { checks: ['nonce'] });
    expect(asked(await app.begin())).toHaveProperty('nonce');
    app.fake.overrides.idToken = { claims: (right) => ({ ...right, nonce: 'another' }) };
    expectRefused(app, await app.enter(), 'OAuthCallbackError');
  });

  it('when a redirect proxy is set, `state` is added automatically', async () => {
    const app = oidcSite({ redirectProxyUrl: 'http://localhost:3000/auth' }, { checks: ['pkce'] });
    const back = new URL(await app.fake.authorize((await app.begin()).location ?? ''));
    back.searchParams.delete('state');
    expectRefused(app, await app.finish(back.href), 'InvalidCheck');
    expect(told(app, 'signIn')).toBeUndefined();
  });
});
