import type { NextAuthConfig } from '@latchkey/next';
import { describe, expect, it, vi } from 'vitest';
import { forgedHosts } from '../../core/test/attacks/forged-hosts.ts';
import { cookieOf, event, leadsTo, requestOf, site } from './site.ts';

const context = { params: Promise.resolve({}) };

/** Headers that Next, its hosts and proxies add to requests. Clients can send them, too. */
const forged: Record<string, string>[] = [
  { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
  { 'x-middleware-subrequest': 'src/middleware', 'x-middleware-next': '1' },
  { 'x-middleware-rewrite': 'http://localhost:3000/admin', 'x-middleware-override-headers': 'cookie' },
  { 'x-middleware-request-cookie': 'authjs.session-token=x', 'x-middleware-set-cookie': 'authjs.session-token=x' },
  { 'x-nextjs-data': '1', 'next-router-prefetch': '1', rsc: '1' },
  { 'x-invoke-path': '/api/auth/session', 'x-invoke-status': '200', 'x-matched-path': '/api/auth/signin' },
  { 'x-original-url': '/api/auth/signin', 'x-rewrite-url': '/api/auth/signin' },
  { authorization: 'Bearer x', 'x-auth-user': 'admin', 'x-forwarded-user': 'admin' },
];

const trust: [
  setting: string,
  config: Partial<NextAuthConfig>,
  env: Record<string, string>,
  status: number,
  origin: string,
][] = [
  ['the host is trusted', { trustHost: true }, {}, 200, 'http://localhost:3000'],
  ['the host is not trusted', { trustHost: false }, {}, 500, 'http://localhost:3000'],
  ['the host is trusted as text', { trustHost: 'false' as never }, {}, 500, 'http://localhost:3000'],
  ['AUTH_URL names the origin', {}, { AUTH_URL: 'https://shop.example' }, 200, 'https://shop.example'],
];

describe('a host that a client has forged', () => {
  it.each(trust)('is not part of an answer if %s', async (_setting, config, env, status, origin) => {
    const { handlers, auth } = site({ ...config, callbacks: { authorized: () => false } }, env);
    for (const host of forgedHosts.filter((each) => !each.includes(','))) {
      const headers = { host, 'x-forwarded-host': host };
      const response = await handlers.GET(requestOf('/api/auth/providers', { headers }));
      const text = await response.text();
      expect([host, response.status]).toEqual([host, status]);
      expect(text).not.toContain('evil');
      if (status === 200) expect(text).toContain(`${origin}/api/auth/signin/credentials`);
      const refused = await auth(requestOf('/admin', { headers }), event);
      expect([host, leadsTo(refused).to]).toEqual([host, `${origin}/api/auth/signin`]);
      expect(refused.headers.get('location')).not.toContain('evil');
    }
  });
});

it('takes no host from X-Forwarded-Host on Cloudflare Pages, which passes it on', async () => {
  const { handlers } = site({ trustHost: undefined }, { CF_PAGES: '1' });
  const headers = { host: 'shop.example', 'x-forwarded-host': 'evil.example' };
  const response = await handlers.GET(requestOf('/api/auth/providers', { headers }));
  const text = await response.text();
  expect(text).toContain('//shop.example/api/auth/signin/credentials');
  expect(text).not.toContain('evil');
});

describe('a host, if only private names are trusted', () => {
  it.each([
    ['evil.example', null],
    ['app.internal', { user: { name: 'Ada' } }],
  ])('%s has the session %j', async (host, session) => {
    const handler = site({ trustHost: 'local' }).auth((request) => Response.json({ auth: request.auth }));
    const headers = { host, 'x-forwarded-host': host, cookie: await cookieOf() };
    const response = await handler(requestOf('/api/x', { headers }), context);
    expect(await response.json()).toMatchObject({ auth: session });
  });

  it.each([
    ['evil.example', 'http://localhost:3000'],
    ['app.internal', 'http://app.internal'],
  ])('%s leads to the sign-in page of %s', async (host, origin) => {
    const { auth } = site({ trustHost: 'local', callbacks: { authorized: () => false } });
    const refused = await auth(requestOf('/admin', { headers: { host, 'x-forwarded-host': host } }), event);
    expect(leadsTo(refused).to).toBe(`${origin}/api/auth/signin`);
  });
});

describe('X-Forwarded-Host, if only private names are trusted', () => {
  const ways: [way: string, ask: (headers: Record<string, string>) => Promise<unknown>][] = [
    [
      'a wrapped handler',
      async (headers) => {
        const handler = site({ trustHost: 'local' }).auth((request) => Response.json(request.auth));
        return (await handler(requestOf('/api/x', { headers }), context)).json();
      },
    ],
    [
      'an action',
      async (headers) => {
        const { GET } = site({ trustHost: 'local' }).handlers;
        const response = await GET(requestOf('/api/auth/session', { headers }));
        return response.status === 200 ? response.json() : null;
      },
    ],
    [
      'the Pages Router',
      async (headers) => {
        const { auth } = site({ trustHost: 'local' }) as unknown as { auth(...given: object[]): Promise<unknown> };
        return auth({ headers, socket: {} }, { headers: new Headers() });
      },
    ],
  ];

  it.each(ways)('opens no public host if it is private: %s', async (_way, ask) => {
    const cookie = await cookieOf();
    for (const name of ['localhost', 'app.internal', '127.0.0.1:3000', '[::1]', 'app.internal, shop.example']) {
      const headers = { host: 'shop.example', 'x-forwarded-host': name, 'x-forwarded-proto': 'http', cookie };
      expect([name, await ask(headers)]).toEqual([name, null]);
    }
  });

  it.each(ways)('closes a private host if it is public: %s', async (_way, ask) => {
    const headers = { host: 'localhost:3000', 'x-forwarded-host': 'shop.example', cookie: await cookieOf() };
    expect(await ask({ ...headers, 'x-forwarded-proto': 'http' })).toBeNull();
  });

  it('does not name the origin if both are private', async () => {
    const { handlers } = site({ trustHost: 'local' });
    const headers = { host: 'localhost:3000', 'x-forwarded-host': 'forged.internal' };
    const text = await (await handlers.GET(requestOf('/api/auth/providers', { headers }))).text();
    expect(text).toContain('http://localhost:3000/api/auth/signin/credentials');
    expect(text).not.toContain('forged');
  });
});

describe('headers that a client has forged', () => {
  it.each(forged)('%j: the guard runs, and sends the visitor to the sign-in page', async (headers) => {
    const authorized = vi.fn(({ auth }: { auth: unknown }) => auth !== null);
    const response = await site({ callbacks: { authorized } }).auth(requestOf('/admin', { headers }), event);
    expect(authorized).toHaveBeenCalledTimes(1);
    expect([response.status, leadsTo(response).to]).toEqual([307, 'http://localhost:3000/api/auth/signin']);
    expect(response.headers.get('x-middleware-next')).toBeNull();
  });

  it.each(forged)('%j: without a guard, a handler receives no session for them', async (headers) => {
    const handler = site().auth((request) => Response.json({ auth: request.auth }));
    expect(await (await handler(requestOf('/api/x', { headers }), context)).json()).toEqual({ auth: null });
    const cookie = await cookieOf();
    const known = await handler(requestOf('/api/x', { headers: { ...headers, cookie } }), context);
    expect(await known.json()).toMatchObject({ auth: { user: { name: 'Ada' } } });
  });
});
