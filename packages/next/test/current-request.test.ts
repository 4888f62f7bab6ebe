import NextAuth from '@latchkey/next';
import { MemorySessionRecords } from '@latchkey/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configuration, cookieOf, site } from './site.ts';

/** The current request as Next provides it, and the promise of its visitor. */
const asking = vi.hoisted(() => ({
  headers: new Headers(),
  cookies: [] as { name: string; value: string }[],
  set: [] as string[],
  visit: Promise.resolve(),
}));

vi.mock('next/cache.js', () => ({ io: () => asking.visit }));

vi.mock('next/headers.js', () => ({
  headers: async () => asking.headers,
  cookies: async () => ({
    getAll: () => asking.cookies,
    set(cookie?: { name: string }) {
      if (!cookie) throw new TypeError('no name');
      asking.set.push(cookie.name);
    },
  }),
}));

/** Signs in with the right password. Returns the names of the cookies, or the type of the error. */
async function enter(headers: Record<string, string>, env: Record<string, string> = {}): Promise<string[] | string> {
  asking.headers = new Headers({ host: 'shop.example', 'x-forwarded-proto': 'https', ...headers });
  asking.set = [];
  try {
    await site({}, env).signIn('credentials', { password: 'password', redirect: false });
  } catch (error) {
    return (error as { type: string }).type;
  }
  return asking.set;
}

describe('signIn in a server action or a route handler', () => {
  it.each<[title: string, headers: Record<string, string>]>([
    ['a form of this site', { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }],
    ['a form of this site, in an older browser', { origin: 'https://shop.example' }],
    ['a link of another site', { 'sec-fetch-site': 'cross-site' }],
    ['no browser', {}],
  ])('accepts %s', async (_title, headers) => {
    expect(await enter(headers)).toContain('__Secure-authjs.session-token');
  });

  it.each<[title: string, headers: Record<string, string>]>([
    ['a site that `allowedOrigins` may name', { origin: 'https://partner.example', 'sec-fetch-site': 'cross-site' }],
    ['such a site, in an older browser', { origin: 'https://partner.example' }],
    ['a sibling', { origin: 'https://www.shop.example', 'sec-fetch-site': 'same-site' }],
    ['the same host by http', { origin: 'http://shop.example' }],
    ['a sandboxed frame', { origin: 'null' }],
  ])('refuses %s', async (_title, headers) => {
    expect(await enter(headers)).toBe('MissingCSRF');
    expect(asking.set).toEqual([]);
  });

  it('uses AUTH_URL behind a proxy that hides the host', async () => {
    const env = { AUTH_URL: 'https://shop.example' };
    expect(await enter({ host: 'internal:3000', origin: 'https://shop.example' }, env)).toBeInstanceOf(Array);
    expect(await enter({ host: 'internal:3000', origin: 'https://internal:3000' }, env)).toBe('MissingCSRF');
  });
});

describe('a session cookie that a neighbor has planted', () => {
  it.each(['before', 'after'])(
    'does not hide that of the visitor, with each value that Next may keep (planted %s)',
    async (place) => {
      const own = await cookieOf();
      const name = own.slice(0, own.indexOf('='));
      const pairs = place === 'before' ? [`${name}=planted`, own] : [own, `${name}=planted`];
      asking.headers = new Headers({ host: 'localhost:3000', 'x-forwarded-proto': 'http', cookie: pairs.join('; ') });
      for (const value of ['planted', own.slice(name.length + 1)]) {
        asking.cookies = [{ name, value }];
        expect(await site().auth(), value).toMatchObject({ user: { name: 'Ada' } });
      }
      asking.cookies = [];
      expect(await site().auth()).toBeNull();
    },
  );
});

describe('pendingMail()', () => {
  it('is null if the configuration has a problem, or its function fails, like auth()', async () => {
    asking.headers = new Headers({ host: 'localhost:3000', 'x-forwarded-proto': 'http' });
    asking.cookies = [];
    expect(await site({ secret: '' }).pendingMail()).toBeNull();
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const fault = new Error('no settings');
    expect(await NextAuth(() => Promise.reject(fault), {}).pendingMail()).toBeNull();
    expect(error.mock.calls).toEqual([[fault]]);
    error.mockRestore();
  });
});

describe('sessions', () => {
  const records = { records: { store: MemorySessionRecords() } };
  afterEach(() => {
    asking.cookies = [];
  });

  async function visit(headers: Record<string, string> = {}): Promise<void> {
    const cookie = await cookieOf();
    const at = cookie.indexOf('=');
    asking.headers = new Headers({ host: 'localhost:3000', 'x-forwarded-proto': 'http', cookie, ...headers });
    asking.cookies = [{ name: cookie.slice(0, at), value: cookie.slice(at + 1) }];
    asking.set = [];
  }

  it('lists the sessions of the visitor, and sets no cookie', async () => {
    await visit();
    const { sessions } = site({ session: records });
    expect(await sessions.list()).toMatchObject([{ current: true }]);
    expect(asking.set).toEqual([]);
    asking.headers.delete('cookie');
    asking.cookies = [];
    expect(await sessions.list()).toEqual([]);
  });

  it('ends them, unless another site has sent the form', async () => {
    await visit({ origin: 'https://evil.test' });
    const { sessions } = site({ session: { records: { store: MemorySessionRecords() } } });
    await expect(sessions.endAll()).rejects.toMatchObject({ type: 'MissingCSRF' });
    asking.headers.set('origin', 'http://localhost:3000');
    expect(await sessions.endOthers()).toEqual({ count: 0, within: 10 });
    expect(asking.set).not.toContain('authjs.session-token');
    expect(await sessions.endAll()).toEqual({ count: 1, within: 10 });
    expect(asking.set).toContain('authjs.session-token');
  });
});

describe('auth() in a page that Next renders ahead of a visit', () => {
  it('does nothing before the visit', async () => {
    const visit = { begin: () => {} };
    asking.visit = new Promise((resolve) => Object.assign(visit, { begin: resolve }));
    const source = vi.fn(() => configuration());
    const session = NextAuth(source, {}).auth();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(source).not.toHaveBeenCalled();
    visit.begin();
    expect(await session).toBeNull();
    expect(source).toHaveBeenCalledOnce();
  });
});
