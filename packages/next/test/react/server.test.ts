import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCsrfToken, getProviders, getSession, SessionContext, useSession } from '@latchkey/next/react';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from './app/app.ts';

const ada = { user: { name: 'Ada' }, expires: '2999-01-01T00:00:00.000Z' };

describe('on a server', () => {
  it.each([
    ['of the visitor', ada, 'authenticated: Ada'],
    ['that does not exist', null, 'unauthenticated: no user'],
    ['nothing where it is not known', undefined, 'loading: ?'],
  ])('renders the session %s', (_, session, text) => {
    expect(renderToString(createElement(App, { provider: { session } }))).toContain(text);
  });

  it('keeps no session for the next visitor', () => {
    renderToString(createElement(App, { provider: { session: ada } }));
    expect(renderToString(createElement(App, { provider: {} }))).toContain('loading: ?');
  });

  it('does not show content for signed-in users', () => {
    const html = renderToString(createElement(App, { page: 'Member', provider: { session: null } }));
    expect(html).toContain('wait');
    expect(html).not.toContain('secret');
  });

  it('uses the session of a test’s context', () => {
    const Name = () => useSession().data?.user?.name;
    const value = { data: ada, status: 'authenticated', update: async () => null } as const;
    expect(renderToString(createElement(SessionContext.Provider, { value }, createElement(Name)))).toBe('Ada');
  });

  it('names the missing provider', () => {
    expect(() => renderToString(createElement(() => useSession().status))).toThrow('<SessionProvider>');
  });
});

describe('functions on a server', () => {
  const asked: [string | undefined, string | undefined][] = [];
  const server: Server = createServer((request, response) => {
    asked.push([request.url, request.headers.cookie]);
    const body = { csrfToken: 'token', ...ada };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(request.headers.cookie ? body : null));
  });
  let origin = '';
  beforeEach(async () => {
    asked.length = 0;
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    origin = `localhost:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => void server.close());

  /** The module as a process with this environment loads it. */
  async function withEnv(env: Record<string, string>): Promise<typeof import('@latchkey/next/react')> {
    for (const name of ['NEXTAUTH_URL', 'NEXTAUTH_URL_INTERNAL', 'AUTH_URL', 'VERCEL_URL', '__NEXT_ROUTER_BASEPATH'])
      vi.stubEnv(name, env[name]);
    vi.resetModules();
    return import('@latchkey/next/react');
  }

  it.each<[Record<string, string>, string, string]>([
    [{}, 'http://localhost:3000', '/api/auth'],
    [{ NEXTAUTH_URL: '' }, 'http://localhost:3000', '/api/auth'],
    [{ AUTH_URL: 'https://app.example' }, 'https://app.example', '/api/auth'],
    [{ AUTH_URL: 'https://app.example/shop/auth/' }, 'https://app.example', '/shop/auth'],
    [{ NEXTAUTH_URL: 'https://a.example', AUTH_URL: 'https://b.example' }, 'https://a.example', '/api/auth'],
    [{ VERCEL_URL: 'app.vercel.app' }, 'https://app.vercel.app', '/api/auth'],
    [{ __NEXT_ROUTER_BASEPATH: '/shop' }, 'http://localhost:3000', '/shop/api/auth'],
  ])('with %o: %s and %s', async (env, baseUrl, basePath) => {
    const { __NEXTAUTH } = await withEnv(env);
    expect(__NEXTAUTH).toMatchObject({ baseUrl, basePath, baseUrlServer: baseUrl, basePathServer: basePath });
    expect(__NEXTAUTH).toMatchObject({ _lastSync: 0, _session: undefined });
  });

  it('use the address for servers, with the visitor’s cookies', async () => {
    const env = { NEXTAUTH_URL: 'https://app.example', NEXTAUTH_URL_INTERNAL: `http://${origin}/inside` };
    const client = await withEnv(env);
    expect(client.__NEXTAUTH.baseUrl).toBe('https://app.example');
    expect(await client.getSession({ headers: { cookie: 'a=b' } })).toMatchObject(ada);
    expect(await client.getSession()).toBeNull();
    expect(await client.getCsrfToken()).toBe('');
    expect(await client.getProviders()).toBeNull();
    expect(asked).toEqual([
      ['/inside/session', 'a=b'],
      ['/inside/session', undefined],
      ['/inside/csrf', undefined],
      ['/inside/providers', undefined],
    ]);
    expect(client.__NEXTAUTH._session).toBeUndefined();
  });

  it('return nothing without an answer, and the console has the reason', async () => {
    const told = vi.spyOn(console, 'error').mockReturnValue();
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
    expect(await Promise.all([getSession(), getCsrfToken(), getProviders()])).toEqual([null, '', null]);
    expect(told.mock.calls.map(([error]) => error.name)).toEqual(Array(3).fill('ClientFetchError'));
    fetched.mockRestore();
    told.mockRestore();
  });
});
