import { NextResponse } from 'next/server.js';
import { describe, expect, it } from 'vitest';
import { cookieOf, requestOf, site } from './site.ts';

const context = { params: Promise.resolve({ id: '7' }) };

describe('auth around a handler', () => {
  it('passes the session and the parameters of Next', async () => {
    const handler = site().auth(async (request, { params }) =>
      Response.json({ auth: request.auth, id: (await params)['id'], body: await request.text() }),
    );
    const headers = { cookie: await cookieOf(), 'x-forwarded-host': 'shop.example' };
    const response = await handler(requestOf('/api/x', { method: 'POST', body: 'sent', headers }), context);
    expect(await response.json()).toMatchObject({ auth: { user: { name: 'Ada' } }, id: '7', body: 'sent' });
  });

  it('is a handler at once, also with a configuration that is a function', async () => {
    const { default: NextAuth } = await import('@latchkey/next');
    const { configuration } = await import('./site.ts');
    const { auth } = NextAuth(async () => configuration(), {});
    const handler = auth((request) => Response.json(request.auth));
    expect(handler).toBeTypeOf('function');
    const response = await handler(requestOf('/', { headers: { cookie: await cookieOf() } }), context);
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } });
  });

  it('lets a request pass that a handler does not answer', async () => {
    const response = await site().auth(() => undefined)(requestOf('/'), context);
    expect(response.headers.get('x-middleware-next')).toBe('1');
  });

  it('runs it although `authorized` refuses, without a session', async () => {
    const { auth } = site({ callbacks: { authorized: () => false } });
    const response = await auth((request) => Response.json({ auth: request.auth }))(requestOf('/private'), context);
    expect(await response.json()).toEqual({ auth: null });
  });

  it('does not run it if `authorized` returns a Response', async () => {
    const { auth } = site({ callbacks: { authorized: () => NextResponse.json({}, { status: 401 }) } });
    const response = await auth(() => expect.unreachable())(requestOf('/private'), context);
    expect(response.status).toBe(401);
  });

  it.each<[title: string, answer: () => Response, cacheControl: string | null]>([
    ['the answer of the handler', () => Response.json({}), 'private, no-store'],
    ['a redirect of the handler', () => Response.redirect('http://localhost:3000/x'), 'private, no-store'],
    [
      'an answer whose caching the handler decides',
      () => Response.json({}, { headers: { 'cache-control': 'public, max-age=60' } }),
      'public, max-age=60',
    ],
    ['a page of Next', () => NextResponse.next(), 'private, no-store'],
    ['a page of Next at another path', () => NextResponse.rewrite('http://localhost:3000/x'), 'private, no-store'],
  ])('keeps caches from %s, also if no cookie is due', async (_title, answer, cacheControl) => {
    const handler = site().auth(answer);
    const cookies = ['authjs.callback-url=http%3A%2F%2Flocalhost%3A3000', await csrfCookie(), await cookieOf()];
    const response = await handler(requestOf('/', { headers: { cookie: cookies.join('; ') } }), context);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('cache-control')).toBe(cacheControl);
  });

  it('passes its exceptions on', async () => {
    const handler = site().auth(() => {
      throw new Error('of the handler');
    });
    await expect(handler(requestOf('/'), context)).rejects.toThrow('of the handler');
  });
});

/** The cookie of a CSRF token. */
async function csrfCookie(): Promise<string> {
  const response = await site().handlers.GET(requestOf('/api/auth/csrf'));
  const line = response.headers.getSetCookie().find((each) => each.startsWith('authjs.csrf-token='));
  return line?.split(';')[0] ?? '';
}
