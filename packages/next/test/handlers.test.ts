import NextAuth from '@latchkey/next';
import { Browser } from '@latchkey/testing';
import { NextRequest } from 'next/server.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configuration, requestOf, site } from './site.ts';

type Handlers = ReturnType<typeof site>['handlers'];

/** A browser before route handlers, as Next calls them. */
function browse({ GET, POST }: Handlers): Browser {
  return new Browser((request) => {
    const seen = new NextRequest(request);
    seen.headers.set('host', 'localhost:3000');
    seen.headers.set('x-forwarded-proto', 'http');
    return request.method === 'GET' ? GET(seen) : POST(seen);
  });
}

afterEach(() => void vi.unstubAllEnvs());

describe('handlers', () => {
  it('sign in, return the session, and sign out', async () => {
    const browser = browse(site().handlers);
    const page = await browser.get('/api/auth/signin?callbackUrl=%2Fprivate');
    const form = browser.form(page, 'callback/credentials');
    const signedIn = await browser.submit(form, { name: 'Ada', password: 'password' });
    expect(signedIn.redirect?.href).toBe('http://localhost:3000/private');
    expect((await browser.get('/api/auth/session')).json()).toMatchObject({ user: { name: 'Ada' } });
    const leaving = await browser.get('/api/auth/signout');
    await browser.submit(browser.form(leaving, 'signout'));
    expect((await browser.get('/api/auth/session')).json()).toBeNull();
  });

  it('set a new revision when the session changes', async () => {
    const browser = browse(site().handlers);
    const page = await browser.get('/api/auth/signin');
    const form = browser.form(page, 'callback/credentials');
    await browser.submit(form, { name: 'Ada', password: 'wrong' });
    expect(browser.cookies.get('authjs.revision')?.value).toBeUndefined();
    await browser.submit(form, { name: 'Ada', password: 'password' });
    const first = browser.cookies.get('authjs.revision')?.value;
    expect(first).toMatch(/./);
    const leaving = await browser.get('/api/auth/signout');
    await browser.submit(browser.form(leaving, 'signout'));
    expect(browser.cookies.get('authjs.revision')?.value).not.toBe(first);
  });

  it.each([
    ['AUTH_URL', {}, { AUTH_URL: 'https://shop.example' }],
    ['NEXTAUTH_URL', {}, { NEXTAUTH_URL: 'https://shop.example' }],
    ['the headers', { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' }, {}],
  ])('read the origin from %s', async (_title, headers, env) => {
    const { GET } = site({}, env as Record<string, string>).handlers;
    const response = await GET(requestOf('/api/auth/providers', { headers }));
    expect(await response.json()).toMatchObject({
      credentials: { callbackUrl: 'https://shop.example/api/auth/callback/credentials' },
    });
  });

  it('read it from the request without such headers', async () => {
    const { GET } = site().handlers;
    const response = await GET(new NextRequest('http://inner:3000/api/auth/providers'));
    expect(await response.json()).toMatchObject({
      credentials: { signinUrl: expect.stringMatching(/^http:\/\/inner:3000\//) },
    });
  });
});

describe('a configuration that is a function', () => {
  it('is called with the request, for each operation', async () => {
    const make = vi.fn(async (request: NextRequest | undefined) =>
      configuration({ theme: { logo: `${request?.url}` } }),
    );
    const { handlers, auth } = NextAuth(make, {});
    expect(make).not.toHaveBeenCalled();
    const asked = requestOf('/api/auth/session');
    await handlers.GET(asked);
    expect(make).toHaveBeenLastCalledWith(asked);
    const guarded = requestOf('/private');
    await auth(() => undefined)(guarded, { params: Promise.resolve({}) });
    expect(make).toHaveBeenLastCalledWith(guarded);
    expect(make).toHaveBeenCalledTimes(2);
  });
});

describe('below the path of an application', () => {
  const pages = { signIn: '/login', error: '/shop/oops' };

  it.each([
    ['as Next says', '/api/auth', '/shop', {}],
    ['as AUTH_URL says', '/api/auth', '', { AUTH_URL: 'http://localhost:3000/shop/api/auth' }],
    ['as AUTH_URL says it of the application', '/api/auth', '/shop', { AUTH_URL: 'http://localhost:3000/shop' }],
    ['as both say', '/api/auth', '/shop', { AUTH_URL: 'http://localhost:3000/shop/api/auth' }],
    ['as Next says, whose path is in the address', '/shop/api/auth', '/shop', {}],
  ])('actions are found %s', async (_title, path, application, env) => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', application);
    const { GET } = site({}, env as Record<string, string>).handlers;
    const response = await GET(requestOf(`${path}/providers/`));
    expect(await response.json()).toMatchObject({
      credentials: { signinUrl: 'http://localhost:3000/shop/api/auth/signin/credentials' },
    });
  });

  it('with another base path', async () => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/shop');
    for (const basePath of ['/door', '/shop/door']) {
      const response = await site({ basePath }).handlers.GET(requestOf('/door/providers'));
      expect(await response.json()).toMatchObject({
        credentials: { signinUrl: 'http://localhost:3000/shop/door/signin/credentials' },
      });
    }
  });

  it('pages of the application may be written without it', async () => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/shop');
    const { GET } = site({ pages }).handlers;
    expect((await GET(requestOf('/api/auth/signin'))).headers.get('location')).toMatch(/^\/shop\/login/);
    expect((await GET(requestOf('/api/auth/error?error=AccessDenied'))).headers.get('location')).toMatch(
      /^\/shop\/oops/,
    );
  });

  it('a sign-in without a callback URL goes to the application’s start page', async () => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/shop');
    const browser = browse(site().handlers);
    const page = await browser.get('/shop/api/auth/signin');
    const form = browser.form(page, 'callback/credentials');
    const signedIn = await browser.submit(form, { name: 'Ada', password: 'password' });
    expect(signedIn.location).toBe('http://localhost:3000/shop');
  });
});
