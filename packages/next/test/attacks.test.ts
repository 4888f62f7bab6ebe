import type { NextAuthConfig } from '@latchkey/next';
import { type NextRequest, NextResponse } from 'next/server.js';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cookieNames, cookieOf, event, leadsTo, type NextSettings, requestOf, site } from './site.ts';

type Authorized = NonNullable<NonNullable<NextAuthConfig['callbacks']>['authorized']>;

const context = { params: Promise.resolve({}) };
const languages = { i18n: { locales: ['en', 'de'], defaultLocale: 'en' } };

function ask(authorized: Authorized, path: string, overrides: Partial<NextAuthConfig> = {}, settings?: NextSettings) {
  const { auth } = site({ ...overrides, callbacks: { authorized } });
  return auth(requestOf(path, settings && { settings }), event);
}

/** Guards that redirect to the normalized address of a page. */
const tidying: [title: string, authorized: Authorized, path: string, settings?: NextSettings][] = [
  [
    'leaves out a part of the query, which goes on to name the page itself',
    ({ auth, request }) => {
      const url = request.nextUrl.clone();
      if (!url.searchParams.has('utm')) return auth !== null;
      url.searchParams.delete('utm');
      return NextResponse.redirect(url);
    },
    '/admin?utm=1&x=/admin',
  ],
  [
    'adds a slash',
    ({ auth, request }) => (request.url.endsWith('/') && auth !== null) || NextResponse.redirect(`${request.url}/`),
    '/admin',
  ],
  [
    'leaves out the language',
    ({ auth, request }) => auth !== null || NextResponse.redirect(new URL(request.nextUrl.pathname, request.url)),
    '/de/admin',
    languages,
  ],
  [
    'asks for a sign-in on the same page',
    ({ auth, request }) =>
      auth !== null ||
      NextResponse.redirect(new URL(`/?${new URLSearchParams({ login: '1', from: request.url })}`, request.url)),
    '/?doc=secret',
  ],
  [
    'says on the same page that no visitor may see it',
    ({ auth, request }) => auth !== null || NextResponse.redirect(new URL('/admin?error=forbidden', request.url)),
    '/admin?error=forbidden',
  ],
];

describe.each(tidying)('a guard that %s', (_title, authorized, path, settings) => {
  it.each([{}, { pages: { signIn: '/login', newUser: '/admin' } }])(
    'refuses the request, with %j',
    async (overrides) => {
      const response = await ask(authorized, path, overrides, settings);
      expect([response.status, response.headers.get('x-middleware-next')]).toEqual([307, null]);
    },
  );

  it('does not hand the request to a wrapped handler', async () => {
    const handler = site({ callbacks: { authorized } }).auth(() => expect.unreachable());
    expect((await handler(requestOf(path, settings && { settings }), context)).status).toBe(307);
  });
});

describe('global classes that a server has replaced', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('do not turn a refusal into a permission', async () => {
    const refusal = NextResponse.json({}, { status: 403 });
    vi.stubGlobal('Response', class extends Response {});
    expect((await ask(() => refusal, '/private')).status).toBe(403);
  });

  it('do not turn a proxy call into a session read', async () => {
    const request = requestOf('/private');
    vi.stubGlobal('Request', class extends Request {});
    const response = await site({ callbacks: { authorized: () => false } }).auth(request, event);
    expect(response.status).toBe(307);
  });
});

describe('the sign-in page', () => {
  it.each([
    ['/', 'http://localhost:3000/signin'],
    ['//', 'http://localhost:3000/signin'],
    ['/api/auth/', 'http://localhost:3000/api/auth/signin'],
    ['//evil.example/', 'http://localhost:3000/evil.example/signin'],
  ])('is on this site with the base path %s, and is open', async (basePath, page) => {
    const sent = leadsTo(await ask(() => false, '/private', { basePath }));
    expect(sent.to).toBe(page);
    const arrived = await ask(() => false, new URL(page).pathname, { basePath });
    expect(arrived.headers.get('x-middleware-next')).toBe('1');
    const session = await ask(() => false, new URL(page).pathname.replace('signin', 'session'), { basePath });
    expect(session.headers.get('x-middleware-next')).toBe('1');
  });

  it('does not depend on untrusted headers', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const { auth } = site({ trustHost: false, callbacks: { authorized: () => false } });
    const headers = { 'x-forwarded-host': 'evil.example' };
    const { to, query } = leadsTo(await auth(requestOf('/private', { headers }), event));
    expect([to, query['callbackUrl']]).toEqual([
      'http://localhost:3000/api/auth/signin',
      'http://localhost:3000/private',
    ]);
  });
});

describe('a sign-in page on another site', () => {
  const asking = { headers: { host: 'login.example', 'x-forwarded-host': 'login.example' } };
  const refuse = { callbacks: { authorized: () => false } };

  it.each([
    ['http://login.example/', {}],
    ['//login.example/', {}],
    ['/\\login.example/', {}],
    ['http://login.example/', { AUTH_URL: 'http://app.example' }],
    ['http://localhost:3000/', {}],
  ])('opens no page of this site, for any host that the request names: %j, environment %j', async (signIn, env) => {
    const { auth } = site({ ...refuse, pages: { signIn } }, env);
    for (const given of [asking, {}]) {
      const response = await auth(requestOf('/', given), event);
      expect([response.status, response.headers.get('x-middleware-next')]).toEqual([307, null]);
    }
  });

  it('is on this site if it has the origin of AUTH_URL', async () => {
    const env = { AUTH_URL: 'http://app.example/api/auth' };
    const { auth } = site({ ...refuse, pages: { signIn: 'http://app.example/login' } }, env);
    for (const given of [asking, {}]) {
      expect((await auth(requestOf('/login', given), event)).headers.get('x-middleware-next')).toBe('1');
      expect((await auth(requestOf('/', given), event)).status).toBe(307);
    }
  });

  it('is a path from the root if it is written without a slash', async () => {
    const { auth } = site({ ...refuse, pages: { signIn: 'login' } });
    expect(leadsTo(await auth(requestOf('/deep/private'), event)).to).toBe('http://localhost:3000/login');
    expect((await auth(requestOf('/login'), event)).headers.get('x-middleware-next')).toBe('1');
  });

  it('does not open a page whose path repeats the base path', async () => {
    const { auth } = site({ ...refuse, pages: { signIn: '/login' } });
    const settings = { basePath: '/shop' };
    expect((await auth(requestOf('/shop/login', { settings }), event)).headers.get('x-middleware-next')).toBe('1');
    expect((await auth(requestOf('/shop/shop/login', { settings }), event)).status).toBe(307);
  });

  it('does not open the page of this site with the same path', async () => {
    const authorized = () => NextResponse.redirect('http://localhost:3000/admin?error=1');
    const { auth } = site({ callbacks: { authorized }, pages: { error: '//login.example/admin' } });
    expect((await auth(requestOf('/admin?error=1'), event)).status).toBe(307);
  });
});

describe('an answer that a shared cache may keep', () => {
  it.each([{ 'cache-control': 'public, s-maxage=60' }, { 'cdn-cache-control': 'max-age=60' }] as Record<
    string,
    string
  >[])('carries no session and no token: %j', async (headers) => {
    const handler = site({ session: { updateAge: 0 } }).auth(() => new Response('for all', { headers }));
    const response = await handler(requestOf('/', { headers: { cookie: await cookieOf() } }), context);
    expect(cookieNames(response)).toEqual([]);
    expect(await response.text()).toBe('for all');
  });

  it.each(['private, max-age=60', 'no-store', 'Private'])('is not one with %s', async (cacheControl) => {
    const due = { session: { updateAge: 0 } };
    const handler = site(due).auth(() => new Response('', { headers: { 'cache-control': cacheControl } }));
    const response = await handler(requestOf('/', { headers: { cookie: await cookieOf() } }), context);
    expect(cookieNames(response)).toContain('authjs.session-token');
    expect(response.headers.get('cache-control')).toBe(cacheControl);
  });
});

describe('a page that a guard opens for the session', () => {
  const guarded = { callbacks: { authorized: ({ auth }: { auth: unknown }) => auth !== null } };

  /** The `Cache-Control` header for a visitor who needs no new cookies, so that Next's own header would stay. */
  async function cacheControlAt(path: string, proxy: (request: NextRequest) => Promise<Response>, session = '') {
    const { auth } = site();
    const first = await auth(requestOf('/', { headers: { cookie: session } }), event);
    const cookie = [session, ...first.headers.getSetCookie().map((line) => line.split(';')[0])].join('; ');
    const response = await proxy(requestOf(path, { headers: { cookie } }));
    expect([cookieNames(response), response.headers.get('x-middleware-next')]).toEqual([[], '1']);
    return response.headers.get('cache-control');
  }

  const ways: [way: string, proxy: (request: NextRequest) => Promise<Response>][] = [
    ['`authorized`', (request) => site(guarded).auth(request, event)],
    [
      'a handler',
      (request) => site().auth(({ auth }) => (auth ? undefined : new Response('', { status: 401 })))(request, context),
    ],
  ];

  it.each(ways)('is kept out of shared caches: %s', async (_way, proxy) => {
    expect(await cacheControlAt('/made-at-build-time', proxy, await cookieOf())).toBe('private, no-store');
  });

  it.each(ways)('is not the scripts of the build: %s', async (_way, proxy) => {
    expect(await cacheControlAt('/_next/static/chunks/main.js', proxy, await cookieOf())).toBeNull();
  });

  it('is not one that visitors without a session see, or that no guard checks', async () => {
    const open = { callbacks: { authorized: () => true } };
    expect(await cacheControlAt('/', (request) => site(open).auth(request, event))).toBeNull();
    expect(await cacheControlAt('/', (request) => site().auth(request, event), await cookieOf())).toBeNull();
  });
});
