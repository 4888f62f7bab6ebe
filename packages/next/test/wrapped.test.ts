import { NextResponse } from 'next/server.js';
import { describe, expect, it } from 'vitest';
import { cookieOf, requestOf, site } from './site.ts';

const context = { params: Promise.resolve({ id: '7' }) };

describe('auth around a handler', () => {
  it('gives it the session and what Next gives', async () => {
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

  it('lets pass what a handler does not answer', async () => {
    const response = await site().auth(() => undefined)(requestOf('/'), context);
    expect(response.headers.get('x-middleware-next')).toBe('1');
  });

  it('runs it though `authorized` says no, and gives it no session then', async () => {
    const { auth } = site({ callbacks: { authorized: () => false } });
    const response = await auth((request) => Response.json({ auth: request.auth }))(requestOf('/private'), context);
    expect(await response.json()).toEqual({ auth: null });
  });

  it('does not run it where `authorized` answers itself', async () => {
    const { auth } = site({ callbacks: { authorized: () => NextResponse.json({}, { status: 401 }) } });
    const response = await auth(() => expect.unreachable())(requestOf('/private'), context);
    expect(response.status).toBe(401);
  });

  it('lets its exceptions through', async () => {
    const handler = site().auth(() => {
      throw new Error('of the handler');
    });
    await expect(handler(requestOf('/'), context)).rejects.toThrow('of the handler');
  });
});
