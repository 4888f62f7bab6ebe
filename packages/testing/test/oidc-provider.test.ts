import * as oauth from 'oauth4webapi';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../test/services/port.ts';
import { Browser } from '../src/browser.ts';
import { type OidcProvider, startOidcProvider } from '../src/oidc-provider.ts';
import { beginSignIn, type RelyingPartyOptions } from './relying-party.ts';

const callback = 'http://localhost:1/callback';
const clients = [
  {
    client_id: 'client',
    client_secret: 'secret',
    redirect_uris: [callback],
    post_logout_redirect_uris: ['http://localhost:1/'],
  },
];
const printed = [vi.spyOn(console, 'info'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];
let provider: OidcProvider;
let party: RelyingPartyOptions;

beforeAll(async () => {
  provider = await startOidcProvider({ clients });
  party = { issuer: provider.issuer, authentication: oauth.ClientSecretBasic('secret') };
});

afterEach(() => {
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});

afterAll(async () => {
  await provider.close();
  for (const spy of printed) spy.mockRestore();
});

describe('the real provider', () => {
  it('signs in a visitor who types login and password', async () => {
    const browser = new Browser(fetch);
    const { url, finish } = await beginSignIn(party, callback);
    const page = await browser.follow(await browser.get(url), { until: 'page' });
    expect(page.text()).toContain('<strong>client</strong> wants to know: <code>profile</code>, <code>email</code>');
    const back = await browser.follow(
      await browser.submit(browser.form(page), { login: 'Ada', password: 'password' }),
      {
        until: 'other-origin',
      },
    );
    const { claims, userinfo } = await finish(back.location ?? '');
    const person = { sub: 'user-ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true };
    expect(claims).toMatchObject(person);
    expect(userinfo).toEqual({ ...person, picture: `${provider.issuer}/avatar/user-ada.svg` });
    expect((await browser.get(String(userinfo.picture))).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('delays requests until its keys exist', async () => {
    const port = await freePort();
    const starting = startOidcProvider({ clients, host: '127.0.0.1', port });
    const ask = (): Promise<Response | undefined> => fetch(`http://127.0.0.1:${port}/jwks`).catch(() => undefined);
    const answer = await vi.waitUntil(ask, { interval: 1, timeout: 60_000 });
    expect(answer.status).toBe(200);
    await (await starting).close();
  });

  it('signs in a visitor who selects a test user, and remembers the visitor', async () => {
    const browser = new Browser(fetch);
    const first = await beginSignIn(party, callback);
    const page = await browser.follow(await browser.get(first.url), { until: 'page' });
    const kim = browser.form(page, (form) => form.value('login') === 'kim');
    const back = await browser.follow(await browser.submit(kim), { until: 'other-origin' });
    expect((await first.finish(back.location ?? '')).claims).toMatchObject({ sub: 'user-kim', email_verified: false });
    expect(browser.cookies.all().every(({ name }) => name.startsWith('op.'))).toBe(true);
    const second = await beginSignIn(party, callback);
    const again = await browser.get(second.url);
    expect((await second.finish(again.location ?? '')).claims).toMatchObject({ sub: 'user-kim' });
  });

  it('asks a signed-in visitor for consent if the client requests it', async () => {
    const browser = new Browser(fetch);
    const first = await beginSignIn({ ...party, scope: 'openid' }, callback);
    const login = await browser.follow(await browser.get(first.url), { until: 'page' });
    await browser.follow(
      await browser.submit(browser.form(login), { login: 'grace@example.com', password: 'password' }),
      {
        until: 'other-origin',
      },
    );
    const second = await beginSignIn({ ...party, scope: 'openid email' }, callback);
    const consent = await browser.follow(await browser.get(second.url), { until: 'page' });
    expect(consent.text()).toContain('Continue as Grace Hopper?');
    const back = await browser.follow(await browser.submit(browser.form(consent)), { until: 'other-origin' });
    expect((await second.finish(back.location ?? '')).claims).toMatchObject({
      sub: 'user-grace',
      email: 'grace@example.com',
    });
  });

  it('reports a wrong password, and does not sign in', async () => {
    const browser = new Browser(fetch);
    const { url } = await beginSignIn(party, callback);
    const page = await browser.follow(await browser.get(url), { until: 'page' });
    const reply = await browser.submit(browser.form(page), { login: 'ada"><b>', password: 'wrong' });
    expect(reply.status).toBe(401);
    expect(reply.text()).toContain('role="alert">Login or password is wrong.');
    expect(reply.text()).not.toContain('<b>');
    expect(browser.form(reply).value('login')).toBe('ada"><b>');
    expect(reply.redirect).toBeUndefined();
  });

  it('redirects a visitor who cancels', async () => {
    const browser = new Browser(fetch);
    const { url } = await beginSignIn(party, callback);
    const page = await browser.follow(await browser.get(url), { until: 'page' });
    const cancelled = await browser.submit(browser.form(page), {}, { button: 'Cancel' });
    const back = new URL((await browser.follow(cancelled, { until: 'other-origin' })).location ?? '');
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe(url.searchParams.get('state'));
    expect(back.searchParams.has('code')).toBe(false);
  });

  it('serves pages with a strict content security policy', async () => {
    const browser = new Browser(fetch);
    const { url } = await beginSignIn(party, callback);
    const page = await browser.follow(await browser.get(url), { until: 'page' });
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.text()).not.toMatch(/<script|https?:\/\//);
    const stale = await new Browser(fetch).get(page.url);
    expect(stale.status).toBe(400);
    url.searchParams.set('redirect_uri', 'http://localhost:1/other');
    const wrong = await browser.get(url);
    expect([wrong.status, wrong.text()]).toEqual([400, expect.stringContaining('redirect_uri')]);
  });

  it('signs out on its own page', async () => {
    const browser = new Browser(fetch);
    const { url } = await beginSignIn(party, callback);
    const login = await browser.follow(await browser.get(url), { until: 'page' });
    await browser.follow(await browser.submit(browser.form(login), { login: 'ada', password: 'password' }), {
      until: 'other-origin',
    });
    const question = await browser.get(
      `${provider.issuer}/session/end?client_id=client&post_logout_redirect_uri=http://localhost:1/`,
    );
    expect(question.text()).toContain('Sign out of the test provider?');
    const done = await browser.submit(browser.form(question), { logout: 'yes' });
    expect(done.location).toBe('http://localhost:1/');
    expect((await browser.get(url)).location).toMatch(/^\/interaction\//);
  });

  it('can stop and start again', async () => {
    const own = await startOidcProvider({ clients, requirePkce: true });
    const discovery = `${own.issuer}/.well-known/openid-configuration`;
    expect((await fetch(discovery)).status).toBe(200);
    await own.stop();
    await expect(fetch(discovery)).rejects.toThrow();
    await own.start();
    expect((await fetch(discovery)).status).toBe(200);
    const { url } = await beginSignIn({ ...party, issuer: own.issuer, pkce: false }, callback);
    expect((await new Browser(fetch).get(url)).location).toContain('error=invalid_request');
    await own.close();
  });

  it('refuses to listen on a public address', async () => {
    await expect(startOidcProvider({ clients, host: '0.0.0.0' })).rejects.toThrow('loopback');
  });
});
