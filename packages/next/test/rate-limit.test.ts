import { NextRequest } from 'next/server.js';
import { describe, expect, it } from 'vitest';
import { site } from './site.ts';

type Site = ReturnType<typeof site>;

/** Sends a wrong password through a proxy. */
async function fail({ handlers }: Site, name: string, forwarded: string): Promise<Response> {
  const headers = { host: 'localhost:3000', 'x-forwarded-proto': 'http', 'x-forwarded-for': forwarded };
  const csrf = await handlers.GET(new NextRequest('http://localhost:3000/api/auth/csrf', { headers }));
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const body = new URLSearchParams({ csrfToken, name, password: 'x' });
  const init = { method: 'POST', body, headers: { ...headers, cookie } };
  return handlers.POST(new NextRequest('http://localhost:3000/api/auth/callback/credentials', init));
}

describe('the handlers of Next', () => {
  it('count no network without `trustedProxyHops`', async () => {
    const app = site({ rateLimit: { network: { limit: 1 } } });
    for (const name of ['a', 'b', 'c']) expect((await fail(app, name, '192.0.2.2')).status).toBe(302);
  });

  it('count the network according to `trustedProxyHops`', async () => {
    const app = site({ rateLimit: { network: { limit: 1 }, trustedProxyHops: 2 } });
    expect((await fail(app, 'a', '6.6.6.6, 192.0.2.3, 10.0.0.1')).status).toBe(302);
    expect((await fail(app, 'b', '7.7.7.7, 192.0.2.3, 10.0.0.1')).status).toBe(429);
    expect((await fail(app, 'c', '6.6.6.6, 192.0.2.4, 10.0.0.1')).status).toBe(302);
  });
});
