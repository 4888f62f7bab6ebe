import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { doors } from './doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, oidcScene, scene } from './scene.ts';

const statuses: [method: string, path: string, status: number, location?: string][] = [
  ['GET', 'providers', 200],
  ['GET', 'session', 200],
  ['GET', 'csrf', 200],
  ['GET', 'signin', 200],
  ['GET', 'signin/fake', 302, '/auth/signin'],
  ['GET', 'signin/unknown', 302, '/auth/signin'],
  ['GET', 'signin/undefined', 200],
  ['GET', 'signin///', 200],
  ['GET', 'signout', 200],
  ['GET', 'verify-request', 200],
  ['GET', 'error', 200],
  ['GET', 'error?error=Configuration', 500],
  ['GET', 'error?error=AccessDenied', 403],
  ['GET', 'error?error=Verification', 403],
  ['GET', 'error?error=whatever', 200],
  ['GET', 'error?error=constructor', 200],
  ['GET', 'callback', 302, '/auth/signin?error=InvalidProvider'],
  ['GET', 'callback/unknown', 302, '/auth/signin?error=InvalidProvider'],
  ['GET', 'callback/__proto__', 302, '/auth/signin?error=InvalidProvider'],
  ['GET', 'callback/credentials', 302, '/auth/signin?error=InvalidProvider'],
  ['POST', 'callback', 302, '/auth/signin?error=InvalidProvider'],
  ['POST', 'callback/unknown', 302, '/auth/signin?error=InvalidProvider'],
  ['POST', 'signin', 302, '/auth/signin'],
  ['POST', 'signin/credentials', 302, '/auth/signin'],
  ['POST', 'signin/unknown', 302, '/auth/signin?error=InvalidProvider'],
  ['POST', 'signin/constructor', 302, '/auth/signin?error=InvalidProvider'],
  ['POST', 'signout', 302, '/'],
  ['POST', 'session', 200],
  ['POST', 'providers', 400],
  ['POST', 'csrf', 400],
  ['POST', 'error', 400],
  ['POST', 'verify-request', 400],
  ['GET', 'webauthn-options', 302, '/auth/signin?error=InvalidProvider'],
  ['GET', 'webauthn-options/fake', 302, '/auth/signin?error=InvalidProvider'],
  ['POST', 'webauthn-options/fake', 400],
  ['GET', 'asset/passkey.js', 200],
  ['GET', 'asset/passkey.ts', 400],
  ['GET', 'asset/__proto__', 400],
  ['POST', 'asset/passkey.js', 400],
];

const nowhere = [
  '/auth',
  '/auth/',
  '/auth/foo',
  '/authsession',
  '/auth-session',
  '/auuth/signin',
  '/api/auth/signin',
  '/auth/auth/signin/fake',
  '/auth/session/fake',
  '/auth/signin/a/b',
  '/auth/Session',
  '/auth/asset',
  '/auth/asset/',
  '/auth/asset/a/passkey.js',
  '/auth/__proto__',
  '/auth/constructor',
  '/auth/toString',
  '/axth/session',
  '/',
  '//auth/session',
  '/auth%2Fsession',
];

describe.each(doors)('the actions through $name', (door) => {
  const providers = [oidc(fakeProvider()), Credentials({ authorize: () => null })];

  it.each(statuses)('%s %s answers %i %s', async (method, path, status, location) => {
    const app = scene(door, { providers });
    const page = method === 'GET' ? await app.browser.get(`/auth/${path}`) : await app.post(path);
    expect(page.status).toBe(status);
    expect(leadsTo(page)).toBe(location);
    if (status === 400) {
      expect(page.json()).toBe('Bad request.');
      expect(page.setCookies).toEqual([]);
    }
  });

  it.each(nowhere)('no action answers at %s', async (path) => {
    const app = scene(door, { providers });
    const page = await app.browser.get(path.startsWith('//') ? `http://localhost:3000${path}` : path);
    expect(page.status).toBe(400);
    expect(page.json()).toBe('Bad request.');
    expect(page.setCookies).toEqual([]);
    expect(app.log.errors).toEqual([]);
  });

  it.each(['account', 'sessions', 'offer', 'nowhere'])('a visit to %s without its option gets a page', async (path) => {
    const headers = { accept: 'text/html,application/xhtml+xml' };
    for (const development of [false, true]) {
      const app = scene(door, { providers }, { call: { development } });
      const page = await app.browser.get(`/auth/${path}`, { headers });
      expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.text().includes('<style>')).toBe(true);
      expect(page.text().includes('needs the option')).toBe(development && path !== 'nowhere');
      expect(page.setCookies).toEqual([]);
    }
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])('%s has no effect', async (method) => {
    const app = scene(door, { providers });
    for (const path of ['session', 'signout', 'signin/fake', 'callback/credentials']) {
      const page = await app.browser.open(`/auth/${path}`, { method, headers: { 'x-http-method-override': 'POST' } });
      expect(page.status).toBe(400);
      expect(page.setCookies).toEqual([]);
    }
  });

  it.each([
    ['/', '/session'],
    ['', '/session'],
    ['auth', '/auth/session'],
    ['/auth/', '/auth/session'],
    ['/api/v1/auth', '/api/v1/auth/session'],
    ['/a.b+c', '/a.b+c/session'],
  ])('with the base path "%s" are at %s', async (basePath, path) => {
    const app = scene(door, { providers, basePath });
    expect((await app.browser.get(path)).status).toBe(200);
    expect((await app.browser.get(path.replace('session', 'providers'))).text()).not.toMatch(/[^:]\/\//);
    expect((await app.browser.get(`/elsewhere${path}`)).status).toBe(400);
  });

  it('do not answer where the base path matches only as a pattern', async () => {
    const app = scene(door, { providers, basePath: '/a.b+c' });
    for (const path of ['/axb+c/session', '/a.bbc/session', '/a.b/session']) {
      expect((await app.browser.get(path)).status).toBe(400);
    }
  });

  it('answer where the host framework has mounted them', async () => {
    const app = scene(door, { providers }, { call: { basePath: '/mounted/here', origin: 'https://app.example' } });
    const page = await app.browser.get('/mounted/here/providers');
    expect(page.json<Record<string, { signinUrl: string }>>().fake?.signinUrl).toBe(
      'https://app.example/mounted/here/signin/fake',
    );
    expect((await app.browser.get('/auth/providers')).status).toBe(400);
  });

  it('list the providers by id, with only their URLs, and set no cookie', async () => {
    const app = scene(door, { providers });
    const page = await app.browser.get('/auth/providers');
    expect(page.json()).toEqual({
      fake: {
        id: 'fake',
        name: 'Fake',
        type: 'oidc',
        signinUrl: 'http://localhost:3000/auth/signin/fake',
        callbackUrl: 'http://localhost:3000/auth/callback/fake',
      },
      credentials: {
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        signinUrl: 'http://localhost:3000/auth/signin/credentials',
        callbackUrl: 'http://localhost:3000/auth/callback/credentials',
      },
    });
    expect(page.headers.get('content-type')).toBe('application/json');
    expect(page.setCookies).toEqual([]);
  });

  it('answer a script that asks for a URL with JSON instead of a redirect', async () => {
    const { app, fake } = oidcScene(door);
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const headers = { 'x-auth-return-redirect': '' };
    const wants = { 'x-auth-return-redirect': '1' };
    const started = await app.browser.post('/auth/signin/fake', { csrfToken }, { headers: wants });
    expect(started.status).toBe(200);
    expect(started.headers.get('content-type')).toBe('application/json');
    expect(started.json<{ url: string }>().url).toContain(fake.endpoints.authorization);
    expect(started.location).toBe(started.json<{ url: string }>().url);
    expect(started.cookie('authjs.state')?.value).not.toBe('');
    const refused = await app.browser.post('/auth/signin/fake', {}, { headers: wants });
    expect(refused.status).toBe(200);
    expect(refused.json()).toEqual({ url: 'http://localhost:3000/auth/signin?error=MissingCSRF' });
    expect(refused.setCookies).toEqual([]);
    expect((await app.browser.get('/auth/session', { headers })).json()).toBeNull();
  });

  it('refuse a body that is broken, too long, or not an object', async () => {
    const app = scene(door, { providers });
    const bodies: [string, string, number][] = [
      ['{"csrfToken":', 'application/json', 400],
      ['[1]', 'application/json', 400],
      ['null', 'application/json', 400],
      ['"text"', 'application/json; charset=utf-8', 400],
      [`{"x":"${'x'.repeat(300_000)}"}`, 'application/json', 413],
      [`x=${'x'.repeat(300_000)}`, 'application/x-www-form-urlencoded', 413],
    ];
    for (const [body, type, status] of bodies) {
      const page = await app.browser.open('/auth/signin/fake', { body, headers: { 'content-type': type } });
      expect(page.status).toBe(status);
      expect(page.json()).toBe('Bad request.');
      expect(page.setCookies).toEqual([]);
    }
  });

  it('read a body only if its media type matches exactly', async () => {
    const app = scene(door, { providers });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const types = [
      'text/plain',
      'application/jsonp',
      'text/application/json',
      'x-application/x-www-form-urlencoded',
      'multipart/form-data',
    ];
    for (const type of types) {
      const body =
        type.includes('json') || type === 'text/plain' ? JSON.stringify({ csrfToken }) : `csrfToken=${csrfToken}`;
      const page = await app.browser.open('/auth/signin/fake', { body, headers: { 'content-type': type } });
      expectRefused(app, page, 'MissingCSRF');
    }
  });
});
