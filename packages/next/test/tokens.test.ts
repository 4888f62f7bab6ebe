import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tokensOf } from '@latchkey/core/tokens';
import type { AuthConfig } from '@latchkey/core/types';
import NextAuth from '@latchkey/next';
import { application, FakeProvider, MemoryTokenVault, memoryAdapter } from '@latchkey/testing';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { configuration, cookieNames, cookieOf, event, requestOf } from './site.ts';

/** The current request as Next provides it, with the cookies of a browser. No cookie can be set. */
const asking = vi.hoisted(() => ({ headers: new Headers(), jar: new Map<string, string>() }));

vi.mock('next/cache.js', () => ({ io: async () => undefined }));

vi.mock('next/headers.js', () => ({
  headers: async () => asking.headers,
  cookies: async () => ({
    getAll: () => [...asking.jar].map(([name, value]) => ({ name, value })),
    set() {
      throw new Error('cookies can only be changed in an action');
    },
  }),
}));

beforeEach(() => {
  asking.headers = new Headers({ host: 'localhost:3000', 'x-forwarded-proto': 'http' });
  asking.jar.clear();
});

/** A site where Ada has an account at the provider. Its access token has expired. */
async function site() {
  const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
  const requests: string[] = [];
  const config = configuration({
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    tokens: { store: MemoryTokenVault() },
    providers: [
      {
        ...provider.provider(),
        refresh: {
          request: async ({ refreshToken }) => {
            requests.push(refreshToken);
            await new Promise((resolve) => setTimeout(resolve, 50));
            return { tokens: { access_token: `token ${requests.length}`, expires_in: 3600, token_type: 'bearer' } };
          },
        },
      },
    ],
  });
  await tokensOf(config, {}).import({
    userId: '1',
    provider: 'fake',
    providerAccountId: 'ada',
    access_token: 'old',
    refresh_token: 'refresh',
    expires_at: Math.floor(Date.now() / 1000) - 5,
  });
  return { ...NextAuth(config, {}), requests };
}

async function signIn(): Promise<void> {
  const cookie = await cookieOf();
  asking.jar.set(cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1));
}

describe('tokens', () => {
  it('are refreshed once while a layout and a page are rendered, where no cookie can be set', async () => {
    const { tokens, requests } = await site();
    await signIn();
    const [layout, page, action] = await Promise.all([tokens.get('fake'), tokens.get('fake'), tokens.get('fake')]);
    expect([layout, page, action].map(({ accessToken }) => accessToken)).toEqual(['token 1', 'token 1', 'token 1']);
    expect((await tokens.get('fake')).accessToken).toBe('token 1');
    expect(requests).toEqual(['refresh']);
  });

  it('are those of the visitor', async () => {
    const { tokens } = await site();
    await expect(tokens.get('fake')).rejects.toMatchObject({ code: 'signed-out' });
    expect(await tokens.list()).toEqual([]);
    await signIn();
    expect(await tokens.list()).toMatchObject([{ provider: 'fake', account: 'ada' }]);
    expect(await tokens.revoke()).toEqual([{ provider: 'fake', account: 'ada', result: 'unsupported' }]);
    expect(await tokens.list()).toEqual([]);
  });

  it('are read in the Pages Router, on an answer that shared caches do not keep', async () => {
    const { tokens } = await site();
    const server = createServer((request, response) => {
      tokens
        .from(request, response)
        .get('fake')
        .then(
          ({ accessToken }) => response.end(accessToken),
          (error) => response.end(error.code),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await (await fetch(url)).text()).toBe('signed-out');
    const answer = await fetch(url, { headers: { cookie: await cookieOf() } });
    expect(await answer.text()).toBe('token 1');
    expect(answer.headers.get('cache-control')).toContain('private');
  });
});

describe('tokens in a cookie', () => {
  async function signedIn() {
    const provider = new FakeProvider({ signingAlgorithm: 'ES256' });
    const account = () => ({ access_token: 'old', refresh_token: 'first', expires_at: 1 });
    const request = async () => ({ tokens: { access_token: 'new', expires_in: 3600, token_type: 'bearer' as const } });
    const entry = { ...provider.provider(), account, refresh: { request } };
    const config = configuration({ tokens: { store: 'cookie' }, providers: [entry] });
    const app = application({ provider, config: config as AuthConfig });
    await app.signIn();
    const cookie = app.browser.cookies.all().map(({ name, value }) => `${name}=${value}`);
    return { cookie, ...NextAuth(config, {}) };
  }

  it('are not lost on an answer of the application that shared caches would keep', async () => {
    const { auth, cookie } = await signedIn();
    const headers = { 'cache-control': 'public, max-age=60', 'cdn-cache-control': 'max-age=60' };
    const answer = auth(() => new Response('a list', { headers }));
    const response = await answer(requestOf('/list', { headers: { cookie: cookie.join('; ') } }), {
      params: Promise.resolve({}),
    });
    expect(cookieNames(response)).toContain('authjs.tokens');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('cdn-cache-control')).toBe('no-store');
  });

  it.each(['before', 'after', 'at the end'])(
    'are on a private answer of the Pages Router, made public %s',
    async (when) => {
      const { tokens, cookie } = await signedIn();
      const server = createServer(async (request, response) => {
        if (when === 'before') response.setHeader('cache-control', 'public, max-age=60');
        response.setHeader('cdn-cache-control', 'max-age=60');
        const { accessToken } = await tokens.from(request, response).get('fake');
        if (when === 'after') response.setHeader('cache-control', 'public, max-age=60');
        if (when === 'at the end') response.writeHead(200, { 'Cache-Control': 'public, max-age=60' });
        response.end(accessToken);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const url = `http://localhost:${(server.address() as AddressInfo).port}`;
      const response = await fetch(url, { headers: { cookie: cookie.join('; ') } });
      expect([await response.text(), cookieNames(response)]).toEqual(['new', ['authjs.tokens']]);
      expect([response.headers.get('cache-control'), response.headers.get('cdn-cache-control')]).toEqual([
        'private, no-store',
        null,
      ]);
    },
  );

  it('are refreshed by the proxy, which passes the cookie on to the page', async () => {
    const { auth, cookie } = await signedIn();
    const passed = await auth(requestOf('/', { headers: { cookie: cookie.join('; ') } }), event);
    expect(cookieNames(passed)).toContain('authjs.tokens');
    expect(passed.headers.get('x-middleware-set-cookie')).toContain('authjs.tokens=');
    const action = await auth(requestOf('/api/auth/csrf', { headers: { cookie: cookie.join('; ') } }), event);
    expect(cookieNames(action)).toEqual([]);
  });
});
