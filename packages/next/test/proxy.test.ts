import type { NextAuthConfig } from '@latchkey/next';
import GitHub from '@latchkey/next/providers/github';
import { memoryAdapter } from '@latchkey/testing';
import { NextResponse } from 'next/server.js';
import { describe, expect, it } from 'vitest';
import { cookieNames, cookieOf, event, leadsTo, type NextSettings, requestOf, site } from './site.ts';

const guarded = { callbacks: { authorized: ({ auth }) => auth !== null } } satisfies Partial<NextAuthConfig>;

type Asking = Parameters<typeof requestOf>[1];

function pass(overrides: Partial<NextAuthConfig>, path: string, asking: Asking = {}, env: Record<string, string> = {}) {
  const request = requestOf(path, asking);
  return site(overrides, env).auth(request, event);
}

const passes = (response: Response) => response.headers.get('x-middleware-next') === '1';

describe('auth as proxy', () => {
  it('lets all requests pass without `authorized`', async () => {
    expect(passes(await pass({}, '/private'))).toBe(true);
  });

  it('sends other visitors to the sign-in page, with the requested address', async () => {
    expect(leadsTo(await pass(guarded, '/private?a=1'))).toEqual({
      status: 307,
      to: 'http://localhost:3000/api/auth/signin',
      query: { a: '1', callbackUrl: 'http://localhost:3000/private?a=1' },
    });
  });

  it('moves a session to the prefix __Host- before it is due', async () => {
    const migrate = { from: new Date('2026-01-01'), until: new Date('9999-01-01') };
    const options = { useSecureCookies: true, cookies: { prefix: '__Host-', migrate } } as const;
    const headers = { cookie: await cookieOf(undefined, true) };
    const response = await pass({ ...guarded, ...options }, '/private', { headers });
    expect(passes(response)).toBe(true);
    const name = 'authjs.session-token';
    const lines = response.headers.getSetCookie().filter((line) => line.includes(name));
    expect(lines).toEqual([
      expect.stringMatching(`^__Secure-${name}=; Max-Age=0;`),
      expect.stringMatching(`^__Host-${name}=ey`),
    ]);
    const cookie = lines.at(-1)?.split(';')[0] ?? '';
    expect(passes(await pass({ ...guarded, ...options }, '/private', { headers: { cookie } }))).toBe(true);
  });

  it.each([undefined, null, false])('treats %s of `authorized` as a refusal', async (answer) => {
    const response = await pass({ callbacks: { authorized: () => answer } }, '/private');
    expect(response.status).toBe(307);
  });

  it('lets signed-in visitors pass, and `authorized` receives the session', async () => {
    const seen: unknown[] = [];
    const authorized: NonNullable<NextAuthConfig['callbacks']>['authorized'] = ({ auth, request }) => {
      seen.push(auth?.user?.name, request.nextUrl.pathname);
      return true;
    };
    const headers = { cookie: await cookieOf() };
    expect(passes(await pass({ callbacks: { authorized } }, '/private', { headers }))).toBe(true);
    expect(seen).toEqual(['Ada', '/private']);
  });

  it('sends to a sign-in page of the application, whose own query stays', async () => {
    const response = await pass({ ...guarded, pages: { signIn: '/login?lang=de' } }, '/private');
    expect(leadsTo(response)).toEqual({
      status: 307,
      to: 'http://localhost:3000/login',
      query: { lang: 'de', callbackUrl: 'http://localhost:3000/private' },
    });
  });

  it('sends to a sign-in page on another site', async () => {
    const response = await pass({ ...guarded, pages: { signIn: 'https://login.example/in' } }, '/private');
    expect(leadsTo(response)).toMatchObject({
      to: 'https://login.example/in',
      query: { callbackUrl: 'http://localhost:3000/private' },
    });
  });

  it('answers with a Response of `authorized`', async () => {
    const authorized = () => NextResponse.json({ who: 'you' }, { status: 403 });
    expect((await pass({ callbacks: { authorized } }, '/private')).status).toBe(403);
  });
});

describe('the address of the sign-in page', () => {
  const languages = { i18n: { locales: ['en', 'de'], defaultLocale: 'en' } };

  it.each<[string, string | undefined, NextSettings, string]>([
    ['/shop/private', undefined, { basePath: '/shop' }, '/shop/api/auth/signin'],
    ['/shop/private', '/login', { basePath: '/shop' }, '/shop/login'],
    ['/shop/private', '/shop/login', { basePath: '/shop' }, '/shop/login'],
    ['/private/', '/login', { trailingSlash: true }, '/login/'],
    ['/de/private', '/login', languages, '/de/login'],
    ['/de/private', undefined, languages, '/api/auth/signin'],
  ])('from %s with the page %s and %j', async (path, signIn, settings, expected) => {
    const response = await pass({ ...guarded, pages: { signIn } }, path, { settings });
    expect(new URL(response.headers.get('location') ?? '').pathname).toBe(expected);
  });
});

describe('pages of the application beside the actions', () => {
  it.each(['/account/billing', '/account/n%61me', '/account/name/x', '/sessions/x'])('%s is guarded', async (path) => {
    const account = { without: ['mails'] } as const;
    const own = { basePath: '/', adapter: memoryAdapter(), session: { strategy: 'jwt' }, account } as const;
    expect(leadsTo(await pass({ ...guarded, ...own }, path)).to).toBe('http://localhost:3000/signin');
  });

  it.each(['/callback/orders', '/signin/orders', '/code/x', '/webauthn-options/x', '/asset/logo.png'])(
    '%s is guarded, because no provider or script has this name',
    async (path) => {
      expect(leadsTo(await pass({ ...guarded, basePath: '/' }, path)).to).toBe('http://localhost:3000/signin');
    },
  );
});

describe('the sign-in page and the actions are open', () => {
  const own: [title: string, overrides: Partial<NextAuthConfig>, path: string, settings?: NextSettings][] = [
    ['the built-in page', guarded, '/api/auth/signin'],
    ['the built-in page with a trailing slash', guarded, '/api/auth/signin/', { trailingSlash: true }],
    ['the built-in page in an application below a path', guarded, '/shop/api/auth/signin', { basePath: '/shop' }],
    ['the session in an application below a path', guarded, '/shop/api/auth/session', { basePath: '/shop' }],
    ['a callback', { ...guarded, providers: [GitHub] }, '/api/auth/callback/github?code=1'],
    ['the session', guarded, '/api/auth/session'],
    ['a script of the built-in pages', guarded, '/api/auth/asset/passkey.js'],
    ['a page of the application', { ...guarded, pages: { signIn: '/login' } }, '/login?callbackUrl=%2Fprivate'],
    ['such a page with a trailing slash', { ...guarded, pages: { signIn: '/login' } }, '/login/'],
    ['such a page written with one', { ...guarded, pages: { signIn: '/login/' } }, '/login'],
    ['such a page with a query', { ...guarded, pages: { signIn: '/login?x=1' } }, '/login'],
    ['such a page below a path', { ...guarded, pages: { signIn: '/login' } }, '/shop/login', { basePath: '/shop' }],
    [
      'such a page, written with the path',
      { ...guarded, pages: { signIn: '/shop/login' } },
      '/shop/login',
      { basePath: '/shop' },
    ],
    [
      'such a page in another language',
      { ...guarded, pages: { signIn: '/login' } },
      '/de/login',
      { i18n: { locales: ['en', 'de'], defaultLocale: 'en' } },
    ],
  ];
  it.each(own)('%s', async (_title, overrides, path, settings) => {
    expect(passes(await pass(overrides, path, settings ? { settings } : {}))).toBe(true);
  });

  it('the address of a redirect is open', async () => {
    for (const settings of [
      {},
      { basePath: '/shop' },
      { trailingSlash: true },
      { i18n: { locales: ['en', 'de'], defaultLocale: 'en' } },
    ]) {
      for (const pages of [{}, { signIn: '/login' }]) {
        const prefix = 'basePath' in settings ? '/shop' : 'i18n' in settings ? '/de' : '';
        const sent = await pass({ ...guarded, pages }, `${prefix}/private/`, { settings });
        const target = new URL(sent.headers.get('location') ?? '');
        const arrived = await pass({ ...guarded, pages }, target.pathname + target.search, { settings });
        expect([target.pathname, passes(arrived)]).toEqual([target.pathname, true]);
      }
    }
  });

  it.each(['/api/auth/unknown', '/api/authors', '/signin', '/auth/session', '/login/help', '/api/auth'])(
    '%s is guarded',
    async (path) => {
      const response = await pass({ ...guarded, pages: { signIn: '/login' } }, path);
      expect(response.status).toBe(307);
    },
  );

  it('a configured page to which `authorized` redirects is open', async () => {
    const pages = { signIn: '/welcome', error: '/list' };
    const to = (path: string) => ({
      pages,
      callbacks: {
        authorized: ({ request }: { request: Request }) => NextResponse.redirect(new URL(path, request.url)),
      },
    });
    expect((await pass(to('/welcome'), '/private')).status).toBe(307);
    expect(passes(await pass(to('/welcome'), '/welcome'))).toBe(true);
    expect(passes(await pass(to('/welcome/'), '/welcome'))).toBe(true);
    const growing = {
      pages,
      callbacks: {
        authorized: ({ request }: { request: Request }) =>
          NextResponse.redirect(new URL(`/welcome?${new URLSearchParams({ from: request.url })}`, request.url)),
      },
    };
    expect(passes(await pass(growing, '/welcome?from=%2Fprivate'))).toBe(true);
    // The same page with another query is another page, as far as `authorized` is concerned.
    expect((await pass(to('/list?page=1'), '/list?page=9')).status).toBe(307);
    expect((await pass(to('https://elsewhere.example/welcome'), '/welcome')).status).toBe(307);
  });

  it('a sign-in page may redirect signed-in visitors', async () => {
    const authorized: NonNullable<NextAuthConfig['callbacks']>['authorized'] = ({ auth, request }) =>
      auth && request.nextUrl.pathname === '/login' ? NextResponse.redirect(new URL('/', request.url)) : auth !== null;
    const overrides = { pages: { signIn: '/login' }, callbacks: { authorized } };
    const response = await pass(overrides, '/login', { headers: { cookie: await cookieOf() } });
    expect(leadsTo(response)).toMatchObject({ status: 307, to: 'http://localhost:3000/' });
  });
});

describe("the visitor's address", () => {
  const behindProxy = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' };

  it.each([
    ['by the headers', behindProxy, {}, 'https://shop.example'],
    [
      'by a list of proxies',
      { 'x-forwarded-host': 'shop.example, inner', 'x-forwarded-proto': 'https,http' },
      {},
      'https://shop.example',
    ],
    ['by AUTH_URL', {}, { AUTH_URL: 'https://shop.example' }, 'https://shop.example'],
    [
      'by AUTH_URL, whatever the headers say',
      { 'x-forwarded-host': 'evil.example' },
      { AUTH_URL: 'https://shop.example' },
      'https://shop.example',
    ],
    ['by the Host header', { host: 'shop.example:8080' }, {}, 'http://shop.example:8080'],
  ])('is known %s', async (_title, headers, env, origin) => {
    const seen: string[] = [];
    const authorized: NonNullable<NextAuthConfig['callbacks']>['authorized'] = ({ request }) => {
      seen.push(request.url, request.nextUrl.href);
      return false;
    };
    const response = await pass({ callbacks: { authorized } }, '/private', { headers }, env as Record<string, string>);
    expect(seen).toEqual([`${origin}/private`, `${origin}/private`]);
    expect(leadsTo(response)).toMatchObject({
      to: `${origin}/api/auth/signin`,
      query: { callbackUrl: `${origin}/private` },
    });
  });

  it('decides on the names of cookies', async () => {
    const headers = { ...behindProxy, cookie: await cookieOf(undefined, true) };
    expect(passes(await pass(guarded, '/private', { headers }))).toBe(true);
  });

  it('keeps Next’s paths and languages', async () => {
    const seen: unknown[] = [];
    const authorized: NonNullable<NextAuthConfig['callbacks']>['authorized'] = ({ request: { nextUrl } }) => {
      seen.push(nextUrl.basePath, nextUrl.locale, nextUrl.pathname);
      return false;
    };
    const settings = { basePath: '/shop', i18n: { locales: ['en', 'de'], defaultLocale: 'en' } };
    const response = await pass({ callbacks: { authorized } }, '/shop/de/private', { headers: behindProxy, settings });
    expect(seen).toEqual(['/shop', 'de', '/private']);
    expect(leadsTo(response).query['callbackUrl']).toBe('https://shop.example/shop/de/private');
  });

  it("becomes Next's own in a rewrite of a handler", async () => {
    const { auth } = site();
    const proxy = auth((request) => NextResponse.rewrite(new URL('/other?x=1', request.url)));
    const request = requestOf('/private', { headers: behindProxy });
    const context = { params: Promise.resolve({}) };
    expect((await proxy(request, context)).headers.get('x-middleware-rewrite')).toBe('http://localhost:3000/other?x=1');
    const away = auth(() => NextResponse.rewrite('https://elsewhere.example/other'));
    const elsewhere = await away(requestOf('/private', { headers: behindProxy }), context);
    expect(elsewhere.headers.get('x-middleware-rewrite')).toBe('https://elsewhere.example/other');
  });
});

describe('cookies', () => {
  /** Sessions that are extended with each reading. */
  const due = { session: { updateAge: 0 } };

  it('of a session that is not due are not set', async () => {
    const response = await pass({}, '/', { headers: { cookie: await cookieOf() } });
    expect(cookieNames(response)).toEqual(['authjs.csrf-token', 'authjs.callback-url']);
  });

  it('of a session that a callback has changed are set', async () => {
    const jwt = ({ token }: { token: object }) => ({ ...token, rotated: true });
    const response = await pass({ callbacks: { jwt } }, '/', { headers: { cookie: await cookieOf() } });
    expect(cookieNames(response)).toContain('authjs.session-token');
  });

  it('of a renewed session go to the browser and to the rendered page', async () => {
    const response = await pass(due, '/', { headers: { cookie: await cookieOf() } });
    expect(cookieNames(response)).toEqual(['authjs.csrf-token', 'authjs.callback-url', 'authjs.session-token']);
    const forwarded = response.headers.get('x-middleware-set-cookie') ?? '';
    expect(response.headers.getSetCookie().every((line) => forwarded.includes(line))).toBe(true);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('cdn-cache-control')).toBe('no-store');
  });

  it('are added to those of a handler', async () => {
    const proxy = site(due).auth(() => {
      const response = NextResponse.next();
      response.cookies.set('theme', 'dark');
      response.headers.set('cache-control', 'private, no-cache');
      return response;
    });
    const request = requestOf('/', { headers: { cookie: await cookieOf() } });
    const response = await proxy(request, { params: Promise.resolve({}) });
    expect(cookieNames(response)).toEqual([
      'theme',
      'authjs.csrf-token',
      'authjs.callback-url',
      'authjs.session-token',
    ]);
    expect(response.headers.get('x-middleware-set-cookie')).toMatch(/theme=dark.*authjs\.session-token/);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('are added to answers with immutable headers', async () => {
    const proxy = site(due).auth(() => Response.redirect('http://localhost:3000/other'));
    const request = requestOf('/', { headers: { cookie: await cookieOf() } });
    const response = await proxy(request, { params: Promise.resolve({}) });
    expect([response.status, cookieNames(response).at(-1)]).toEqual([302, 'authjs.session-token']);
    expect(response.headers.get('cdn-cache-control')).toBe('no-store');
    expect(response.headers.has('x-middleware-set-cookie')).toBe(false);
  });

  it('are not set on answers of actions', async () => {
    const response = await pass({}, '/api/auth/signout', { method: 'POST', headers: { cookie: await cookieOf() } });
    expect(cookieNames(response)).toEqual([]);
  });
});
