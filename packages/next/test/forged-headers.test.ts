import { describe, expect, it, vi } from 'vitest';
import { cookieOf, event, leadsTo, requestOf, site } from './site.ts';

const context = { params: Promise.resolve({}) };

/** What Next, its hosts and proxies add to a request on their way, and clients may write themselves. */
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

describe('headers that a client has forged', () => {
  it.each(forged)('%j: the guard is asked all the same, and sends a stranger to the sign-in page', async (headers) => {
    const authorized = vi.fn(({ auth }: { auth: unknown }) => auth !== null);
    const response = await site({ callbacks: { authorized } }).auth(requestOf('/admin', { headers }), event);
    expect(authorized).toHaveBeenCalledTimes(1);
    expect([response.status, leadsTo(response).to]).toEqual([307, 'http://localhost:3000/api/auth/signin']);
    expect(response.headers.get('x-middleware-next')).toBeNull();
  });

  it.each(forged)('%j: where no guard has stood in front, a handler is given no session for them', async (headers) => {
    const handler = site().auth((request) => Response.json({ auth: request.auth }));
    expect(await (await handler(requestOf('/api/x', { headers }), context)).json()).toEqual({ auth: null });
    const cookie = await cookieOf();
    const known = await handler(requestOf('/api/x', { headers: { ...headers, cookie } }), context);
    expect(await known.json()).toMatchObject({ auth: { user: { name: 'Ada' } } });
  });
});
