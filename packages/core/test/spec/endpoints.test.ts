import type { Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { skipCSRFCheck } from '../../src/symbols.ts';
import { leadsTo, type Scene, sessionCookies, startsSession } from '../flows/scene.ts';
import { claims, credentialsSite, mailSite, oidcSite, site, storeSite, update } from './site.ts';

const html = 'text/html; charset=utf-8';

async function page(app: Scene, path: string): Promise<Page> {
  const answer = await app.browser.get(`/auth/${path}`);
  expect(answer.headers.get('content-type')).toBe(html);
  return answer;
}

describe('HTTP actions', () => {
  it('each action is at `{base_url}{basePath}/<action>`', async () => {
    const app = site({ basePath: '/deep/auth' }, { origin: 'https://app.test' });
    expect((await app.browser.get('https://app.test/deep/auth/session')).json()).toBeNull();
    expect((await app.browser.get('https://app.test/auth/session')).status).toBe(400);
  });

  it('the callback action adds the provider id: `{base_url}{basePath}/callback/<provider_id>`', async () => {
    const app = oidcSite();
    const started = await app.begin();
    expect(started.redirect?.searchParams.get('redirect_uri')).toBe('http://localhost:3000/auth/callback/fake');
  });

  it.each([
    ['GET', ['callback', 'csrf', 'error', 'providers', 'session', 'signin', 'signout', 'verify-request']],
    ['POST', ['callback', 'session', 'signin', 'signout']],
  ])('%s | %s', async (method, actions) => {
    for (const action of actions) {
      const answer = await oidcSite({ skipCSRFCheck }).browser.open(`/auth/${action}`, { method });
      expect(answer.text(), action).not.toBe('Bad request.');
    }
  });

  it('actions that change server state are POST', async () => {
    const app = storeSite();
    await app.enter();
    for (const path of ['signout', 'signin/fake']) await app.browser.get(`/auth/${path}`);
    expect(app.adapter.store.sessions.size).toBe(1);
    for (const path of ['csrf', 'error', 'providers', 'verify-request'])
      expect((await app.browser.post(`/auth/${path}`)).status).toBe(400);
  });
});

describe('HTTP actions: callback', () => {
  it('GET | OAuth/OIDC provider redirect back | handles the provider callback, then redirects', async () => {
    const app = oidcSite();
    const back = await app.fake.authorize((await app.begin('fake', { callbackUrl: '/in' })).location ?? '');
    const answer = await app.finish(back);
    expect([answer.status, leadsTo(answer), startsSession(answer)]).toEqual([302, '/in', true]);
  });

  it('POST | credentials fields (as declared by the provider) | handles the Credentials provider callback', async () => {
    const app = credentialsSite(({ name }) => ({ id: '1', name: String(name) }));
    const form = app.browser.form(await page(app, 'signin'), 'callback/credentials');
    expect(startsSession(await app.browser.submit(form, { name: 'Grace' }))).toBe(true);
    expect(await claims(app)).toMatchObject({ name: 'Grace' });
  });
});

describe('HTTP actions: csrf', () => {
  // The cookie holds token and hash, as observed (contract 22), and not an encrypted token.
  it('GET | the raw CSRF token; also saved in a cookie (double-submit cookie technique)', async () => {
    const app = site();
    const answer = await app.browser.get('/auth/csrf');
    const { csrfToken } = answer.json<{ csrfToken: string }>();
    expect(csrfToken).toMatch(/^[\da-f]{64}$/);
    expect(answer.cookie('authjs.csrf-token')?.value).toMatch(new RegExp(`^${csrfToken}(\\||%7C)[\\da-f]{64}$`));
    expect((await app.browser.get('/auth/csrf')).json()).toEqual({ csrfToken });
  });

  it('GET | HTTP 404 when CSRF protection is disabled by the framework', async () => {
    expect((await site({ skipCSRFCheck }).browser.get('/auth/csrf')).status).toBe(404);
    expect((await site({}, { call: { skipCSRF: true } }).browser.get('/auth/csrf')).status).toBe(404);
  });
});

describe('HTTP actions: pages', () => {
  it('error | GET | optional query parameter `error` | the built-in error page', async () => {
    expect((await page(site(), 'error')).text()).toContain('<h1>Error</h1>');
    expect((await page(site(), 'error?error=AccessDenied')).text()).toContain('<h1>Access denied</h1>');
  });

  it('signin | GET | optional query parameter `error` | the built-in sign-in page', async () => {
    expect((await page(oidcSite(), 'signin')).text()).not.toContain('role="alert"');
    expect((await page(oidcSite(), 'signin?error=SessionRequired')).text()).toContain('role="alert"');
  });

  it('signout | GET | the built-in sign-out page', async () => {
    const app = oidcSite();
    await app.enter();
    await app.browser.submit(app.browser.form(await page(app, 'signout')));
    expect(await app.session()).toBeNull();
  });

  it('verify-request | GET | the built-in verification page', async () => {
    const app = mailSite();
    const sent = await app.browser.follow(await app.ask('ada@example.com'));
    expect(sent.url).toBe('http://localhost:3000/auth/verify-request?provider=mail&type=email');
    expect(sent.text()).toContain('Check your email');
  });
});

describe('HTTP actions: providers and session', () => {
  // An object by id, as observed (contract 22).
  it('providers | GET | list of PublicProvider', async () => {
    const list = (await oidcSite().browser.get('/auth/providers')).json<Record<string, object>>();
    expect(Object.keys(list.fake ?? {})).toEqual(['id', 'name', 'type', 'signinUrl', 'callbackUrl']);
  });

  it('session | GET | session cookie | the session object, or `null` when there is none', async () => {
    const app = oidcSite();
    const none = await app.browser.get('/auth/session');
    expect([none.status, none.headers.get('content-type'), none.json()]).toEqual([200, 'application/json', null]);
    await app.enter();
    expect(await app.session()).toEqual({ user: expect.any(Object), expires: expect.any(String) });
  });

  it('session | POST | data for the update | updated session', async () => {
    const app = oidcSite({
      callbacks: { jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, ...session } : token) },
    });
    await app.enter();
    expect((await update(app, { name: 'Countess' })).json()).toMatchObject({ user: { name: 'Countess' } });
    expect(await app.session()).toMatchObject({ user: { name: 'Countess' } });
  });
});

describe('HTTP actions: signin and signout', () => {
  it('signin | POST | `csrfToken` plus provider fields | initiates the sign-in flow', async () => {
    const oidc = oidcSite();
    expect((await oidc.begin()).location).toMatch(oidc.fake.endpoints.authorization);
    const mail = mailSite();
    await mail.ask('ada@example.com');
    expect(mail.sent[0]?.identifier).toBe('ada@example.com');
  });

  it('signin | POST | without `csrfToken` it is refused', async () => {
    const app = oidcSite();
    expect(leadsTo(await app.browser.post('/auth/signin/fake'))).toBe('/auth/signin?error=MissingCSRF');
  });

  it('signout | POST | `csrfToken` | invalidates the session, deletes the cookie and the stored session', async () => {
    const app = storeSite();
    await app.enter();
    await app.browser.post('/auth/signout');
    expect(app.adapter.store.sessions.size).toBe(1);
    await app.post('signout');
    expect(app.adapter.store.sessions.size).toBe(0);
    expect(sessionCookies(app.browser)).toEqual([]);
  });
});
