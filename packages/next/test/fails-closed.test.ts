import type { Adapter } from '@latchkey/core/adapters';
import NextAuth, { type NextAuthConfig, type NextAuthResult } from '@latchkey/next';
import { redirect } from 'next/navigation.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { configuration, cookieOf, event, requestOf } from './site.ts';

const fails = (): never => {
  throw new Error('out of order');
};
const storeDown = new Proxy({} as Adapter, { get: () => fails });

/** Signed-in visitors may pass, but the session cannot be read. */
function broken(overrides: Partial<NextAuthConfig>): NextAuthConfig {
  const authorized = ({ auth }: { auth: unknown }) => Boolean(auth);
  return { ...configuration(overrides), callbacks: { authorized, ...overrides.callbacks } };
}

const faults: [title: string, result: () => NextAuthResult][] = [
  ['the configuration is wrong', () => NextAuth(broken({ session: { strategy: 'database' } }), {})],
  ['there is no secret', () => NextAuth(broken({ secret: '' }), {})],
  ['there are no providers', () => NextAuth({ ...broken({}), providers: undefined as never }, {})],
  ['the host is not trusted', () => NextAuth(broken({ trustHost: false }), {})],
  ['the store is down', () => NextAuth(broken({ adapter: storeDown, session: { strategy: 'database' } }), {})],
  ['the store cannot be made', () => NextAuth(broken({ adapter: fails, session: { strategy: 'database' } }), {})],
  ['the session callback throws', () => NextAuth(broken({ callbacks: { session: fails } }), {})],
  ['the jwt callback throws', () => NextAuth(broken({ callbacks: { jwt: fails } }), {})],
  ['the function that makes the configuration throws', () => NextAuth(fails, {})],
  ['the function that makes the configuration makes none', () => NextAuth((async () => undefined) as never, {})],
];

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

describe.each(faults)('if %s, requests are refused', (_title, make) => {
  const context = { params: Promise.resolve({}) };

  it('by the proxy', async () => {
    const request = requestOf('/private', { headers: { cookie: await cookieOf() } });
    const response = await make().auth(request, event);
    expect(response.headers.get('x-middleware-next')).toBeNull();
    expect([307, 500]).toContain(response.status);
    expect(response.headers.getSetCookie().join()).not.toContain('session-token=;');
  });

  it('for a wrapped handler', async () => {
    const seen: unknown[] = [];
    const handler = make().auth((request) => {
      seen.push(request.auth);
      return new Response();
    });
    await handler(requestOf('/private', { headers: { cookie: await cookieOf() } }), context);
    expect(seen.filter((auth) => auth !== null)).toEqual([]);
  });

  it('in the Pages Router', async () => {
    const request = { headers: { host: 'localhost:3000', cookie: await cookieOf() }, socket: {} };
    const setHeader = vi.fn<(name: string, value: unknown) => void>();
    const response = { getHeader: () => undefined, setHeader };
    const { auth } = make() as unknown as { auth(request: unknown, response: unknown): Promise<unknown> };
    expect(await auth(request, response)).toBeNull();
    expect(await (auth as (context: unknown) => Promise<unknown>)({ req: request, res: response })).toBeNull();
    expect(setHeader.mock.calls.join()).not.toContain('session-token=;');
  });
});

describe('if `authorized` throws', () => {
  const context = { params: Promise.resolve({}) };
  const { auth } = NextAuth(configuration({ callbacks: { authorized: fails } }), {});
  const ask = (path: string) => {
    const request = requestOf(path);
    return auth(request, event);
  };

  it('the request is refused, and the log has the reason', async () => {
    const response = await ask('/private');
    expect([response.status, response.headers.get('x-middleware-next')]).toEqual([500, null]);
    expect(await response.text()).not.toContain('out of order');
    expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ message: 'out of order' }));
  });

  it('a wrapped handler does not run', async () => {
    const handler = auth(() => expect.unreachable());
    expect((await handler(requestOf('/private'), context)).status).toBe(500);
  });

  it('the sign-in page stays open', async () => {
    expect((await ask('/api/auth/signin')).headers.get('x-middleware-next')).toBe('1');
    const callbacks = { authorized: fails };
    const own = NextAuth(configuration({ pages: { signIn: '/login' }, callbacks }), {});
    const request = requestOf('/login');
    expect((await own.auth(request, event)).headers.get('x-middleware-next')).toBe('1');
  });

  it('Next gets its own exceptions', async () => {
    const { auth } = NextAuth(configuration({ callbacks: { authorized: () => redirect('/elsewhere') } }), {});
    const request = requestOf('/private');
    await expect(auth(request, event)).rejects.toThrow('NEXT_REDIRECT');
  });
});

it('auth() refuses other parameters', () => {
  const { auth } = NextAuth(configuration(), {}) as unknown as { auth(given: unknown): unknown };
  expect(() => auth({})).toThrow(TypeError);
  expect(() => auth(undefined)).toThrow(TypeError);
});
