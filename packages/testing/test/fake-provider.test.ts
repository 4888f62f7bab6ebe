import { describe, expect, it } from 'vitest';
import { Browser } from '../src/browser.ts';
import { Clock } from '../src/clock.ts';
import { FakeProvider, type FakeProviderOptions, OAuthFailure } from '../src/index.ts';
import { beginSignIn, discover, type RelyingPartyOptions, redirectUri } from './relying-party.ts';

const clients = [{ client_id: 'client', client_secret: 'secret', redirect_uris: [redirectUri] }];

function pair(options: FakeProviderOptions = {}): { provider: FakeProvider; party: RelyingPartyOptions } {
  const provider = new FakeProvider({ clients, signingAlgorithm: 'ES256', ...options });
  return { provider, party: { issuer: provider.issuer, fetch: provider.fetch } };
}

describe('a sign-in at the fake provider', () => {
  it.each(['RS256', 'ES256', 'EdDSA'] as const)('passes a strict client with %s', async (signingAlgorithm) => {
    const { provider, party } = pair({ signingAlgorithm });
    const { url, finish } = await beginSignIn(party);
    const { tokens, claims, userinfo } = await finish(await provider.authorize(url));
    expect(claims).toMatchObject({
      iss: 'https://idp.test',
      sub: 'ada-1815',
      aud: 'client',
      email: 'ada@example.com',
      email_verified: true,
    });
    expect(userinfo).toMatchObject({ sub: 'ada-1815', name: 'Ada Lovelace' });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'openid profile email' });
    expect(provider.requests.map(({ endpoint }) => endpoint)).toEqual(['discovery', 'token', 'jwks', 'userinfo']);
  });

  it('signs in the user that the test names', async () => {
    const { provider, party } = pair({ users: [{ sub: 'a' }, { sub: 'b', groups: ['x'] }] });
    const named = await beginSignIn(party);
    expect((await named.finish(await provider.authorize(named.url, { sub: 'b' }))).claims).toMatchObject({
      sub: 'b',
      groups: ['x'],
    });
    const foreign = await beginSignIn(party);
    expect((await foreign.finish(await provider.authorize(foreign.url, { user: { sub: 'c' } }))).claims).toMatchObject({
      sub: 'c',
    });
    await expect(provider.authorize(foreign.url, { sub: 'unknown' })).rejects.toThrow(TypeError);
  });

  it('returns only the claims of the scope', async () => {
    const { provider, party } = pair();
    const { url, finish } = await beginSignIn({ ...party, scope: 'openid email' });
    const { claims, userinfo } = await finish(await provider.authorize(url));
    expect(userinfo).toEqual({ sub: 'ada-1815', email: 'ada@example.com', email_verified: true });
    expect(claims).not.toHaveProperty('name');
  });

  it('reports a visitor who refuses', async () => {
    const { provider, party } = pair();
    const { url } = await beginSignIn(party);
    const back = new URL(await provider.authorize(url, { deny: 'access_denied' }));
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: url.searchParams.get('state'),
      iss: provider.issuer,
    });
    expect(back.searchParams.has('code')).toBe(false);
  });

  it('lets the test change the callback', async () => {
    const { provider, party } = pair({ issParameter: false });
    const { url } = await beginSignIn(party);
    const back = new URL(await provider.authorize(url, { parameters: { state: undefined, user: '{}' } }));
    expect([...back.searchParams.keys()]).toEqual(['code', 'user']);
  });

  it('answers form_post with a form', async () => {
    const { provider, party } = pair();
    const { url } = await beginSignIn({ ...party, responseMode: 'form_post' });
    await expect(provider.authorize(url)).rejects.toThrow('authorizeForm');
    const { action, fields } = await provider.authorizeForm(url);
    expect(action).toBe(redirectUri);
    expect(Object.keys(fields)).toEqual(['code', 'state', 'iss']);
  });

  it('can be opened in a browser', async () => {
    const { provider, party } = pair();
    const seen: string[] = [];
    const app = async (request: Request): Promise<Response> => {
      seen.push(`${request.method} ${request.headers.get('sec-fetch-site')} ${await request.text()}`);
      return new Response('done');
    };
    const browser = new Browser(app, { origin: 'https://app.test', routes: { [provider.issuer]: provider.fetch } });
    const { url } = await beginSignIn(party);
    expect((await browser.follow(await browser.get(url))).text()).toBe('done');
    url.searchParams.set('response_mode', 'form_post');
    const page = await browser.get(url);
    await browser.submit(browser.form(page));
    expect(seen[0]).toBe('GET none ');
    expect(seen[1]).toMatch(/^POST cross-site code=code_\w+&state=/);
  });
});

describe('a strict fake provider', () => {
  it('does not redirect for a wrong client or redirect URI', async () => {
    const { provider, party } = pair();
    const { url } = await beginSignIn(party);
    for (const [name, value] of [
      ['client_id', 'stranger'],
      ['redirect_uri', `${redirectUri}/`],
      ['redirect_uri', 'nonsense'],
    ] as const) {
      const wrong = new URL(url);
      wrong.searchParams.set(name, value);
      await expect(provider.authorize(wrong)).rejects.toThrow(OAuthFailure);
      expect((await provider.fetch(wrong, { redirect: 'manual' })).status).toBe(400);
    }
  });

  it.each([
    ['response_type', 'token', 'unsupported_response_type'],
    ['code_challenge', undefined, 'invalid_request'],
    ['code_challenge_method', 'S512', 'invalid_request'],
  ])('redirects with an error for a bad %s', async (name, value, error) => {
    const { provider, party } = pair({ requirePkce: true });
    const { url } = await beginSignIn(party);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    expect(new URL(await provider.authorize(url)).searchParams.get('error')).toBe(error);
  });

  it('accepts a code once, and revokes the tokens of a code that is used twice', async () => {
    const { provider, party } = pair();
    const { url, finish } = await beginSignIn(party);
    const back = await provider.authorize(url);
    const { tokens } = await finish(back);
    await expect(finish(back)).rejects.toMatchObject({ error: 'invalid_grant', error_description: 'code is spent' });
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await provider.fetch(provider.endpoints.userinfo, { headers })).status).toBe(401);
  });

  it('refuses expired codes and access tokens', async () => {
    const clock = new Clock('2026-05-01T00:00:00Z');
    const { provider, party } = pair({ now: clock.now });
    const { url, finish } = await beginSignIn({ ...party, now: clock.now });
    const back = await provider.authorize(url);
    clock.advance(61);
    await expect(finish(back)).rejects.toMatchObject({ error_description: 'code is expired' });
  });

  it('requires the code verifier', async () => {
    const { provider, party } = pair();
    const first = await beginSignIn(party);
    const second = await beginSignIn(party);
    const crossed = new URL(await provider.authorize(first.url));
    crossed.searchParams.set('state', second.url.searchParams.get('state') ?? '');
    await expect(second.finish(crossed)).rejects.toMatchObject({
      error: 'invalid_grant',
      error_description: /does not fit/,
    });
    // An attacker who removes the challenge from the request must not succeed.
    const third = await beginSignIn(party);
    third.url.searchParams.delete('code_challenge');
    await expect(third.finish(await provider.authorize(third.url))).rejects.toMatchObject({
      error_description: 'code_verifier without a code_challenge',
    });
  });

  it('requires the redirect URI of the authorization request', async () => {
    const { provider, party } = pair({ clients: [{ client_id: 'client', client_secret: 'secret' }] });
    const { url, finish } = await beginSignIn(party);
    url.searchParams.set('redirect_uri', 'https://app.test/other');
    await expect(finish(await provider.authorize(url))).rejects.toMatchObject({
      error_description: /redirect_uri differs/,
    });
  });

  it('requires a Bearer token for userinfo', async () => {
    const { provider } = pair();
    const response = await provider.fetch(provider.endpoints.userinfo);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    const wrong = await provider.fetch(provider.endpoints.userinfo, { headers: { authorization: 'Bearer wrong' } });
    expect(wrong.headers.get('www-authenticate')).toContain('invalid_token');
  });

  it('exchanges refresh tokens, each once', async () => {
    const { provider, party } = pair();
    const { url, finish } = await beginSignIn(party);
    const { tokens } = await finish(await provider.authorize(url));
    const refresh = (): Promise<Response> =>
      provider.fetch(provider.endpoints.token, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('client:secret')}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }),
      });
    expect(await (await refresh()).json()).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String) });
    expect(await (await refresh()).json()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('addresses and keys of the fake provider', () => {
  it('can imitate another provider', async () => {
    const provider = new FakeProvider({
      issuer: 'https://github.com',
      oidc: false,
      endpoints: {
        authorization: '/login/oauth/authorize',
        token: '/login/oauth/access_token',
        userinfo: 'https://api.github.com/user',
      },
      routes: {
        'https://api.github.com/user/emails': () => Response.json([{ email: 'ada@example.com', primary: true }]),
      },
    });
    const back = await provider.authorize(
      `https://github.com/login/oauth/authorize?client_id=client&response_type=code&redirect_uri=${redirectUri}`,
    );
    expect(back).toMatch(/^https:\/\/app\.test\/callback\?code=code_/);
    expect(await (await provider.fetch('https://api.github.com/user/emails?page=1')).json()).toHaveLength(1);
    expect((await provider.fetch('https://github.com/elsewhere')).status).toBe(404);
    await expect(provider.fetch('https://other.example/')).rejects.toThrow('fetch failed');
    expect(provider.count('other')).toBe(3);
  });

  it('publishes old keys with new ones, or removes them', async () => {
    const { provider, party } = pair({ signingAlgorithm: 'ES256' });
    const keys = async (): Promise<unknown[]> =>
      ((await (await provider.fetch(provider.endpoints.jwks)).json()) as { keys: unknown[] }).keys;
    expect(await keys()).toMatchObject([{ kid: 'key-1', alg: 'ES256' }]);
    await provider.rotateKeys();
    expect(await keys()).toMatchObject([{ kid: 'key-2' }, { kid: 'key-1' }]);
    await provider.rotateKeys({ keepOld: false });
    expect(await keys()).toMatchObject([{ kid: 'key-3' }]);
    expect(JSON.stringify(await keys())).not.toContain('"d"');
    const { url, finish } = await beginSignIn(party);
    expect((await finish(await provider.authorize(url))).claims).toMatchObject({ sub: 'ada-1815' });
  });

  it('records requests with their bodies until it is reset', async () => {
    const { provider, party } = pair();
    const { url, finish } = await beginSignIn(party);
    await finish(await provider.authorize(url));
    expect(provider.requestsTo('token')[0]).toMatchObject({ method: 'POST', url: 'https://idp.test/token' });
    expect(provider.requestsTo('token')[0]?.form.get('grant_type')).toBe('authorization_code');
    expect(provider.count()).toBe(4);
    provider.reset();
    expect(provider.count()).toBe(0);
  });

  it('publishes correct metadata', async () => {
    const { party } = pair({ issParameter: false });
    expect(await discover(party)).toMatchObject({
      issuer: 'https://idp.test',
      authorization_response_iss_parameter_supported: false,
    });
  });
});
