import { Auth, raw, skipCSRFCheck } from '@latchkey/core';
import type { AuthConfig } from '@latchkey/core/types';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { doors } from '../flows/doors.ts';
import { mailScene } from '../flows/email-scene.ts';
import { asked, expectRefused, fakeProvider, leadsTo, oidc, scene } from '../flows/scene.ts';
import { forgedInUrls } from './forged-hosts.ts';
import { csrfTokenOf } from './site.ts';

const fake = fakeProvider();

describe.each(doors)('a path that only resembles the base path, through $name', (door) => {
  it.each(
    // biome-ignore format: a list to be read across
    [
      '/authsession', '/auth', '/auth/', '/authx/session', '/xauth/session', '/x/auth/session', '/Auth/session',
      '/AUTH/SESSION', '/auth/Session', '/auth/session/fake', '/auth/session/x/y', '/auth/csrf/..%2fsession',
      '/auth%2fsession', '/auth/%73ession', '/auth/session%00', '/auth/session;x=1', '/auth/session.json',
      '/auth/__proto__', '/auth/constructor', '/auth/toString', '/auth/register', '/auth/update', '/auth/signin/a/b',
      '/%61uth/session', '//auth/session', '/auth\\session', '/session',
    ],
  )('%s is answered by a 400 and nothing else', async (path) => {
    // biome-ignore format: a list to be read across
    const app = scene(door, { providers: [oidc(fake)] });
    for (const page of [
      await app.browser.get(`http://localhost:3000${path}`),
      await app.post(`..${path}`),
      await app.browser.open(`http://localhost:3000${path}`, { method: 'POST' }),
    ]) {
      if (path === '/auth\\session' || page.url.endsWith('/auth/session')) continue; // a browser asks for /auth/session then
      expect([page.status, page.text(), page.setCookies]).toEqual([400, '"Bad request."', []]);
    }
  });

  it.each(['/a.i/auth', '/a+', '/(a|b)', '/[ab]', '/a*', '/$'])(
    'the base path %s is text, not a pattern',
    async (basePath) => {
      const app = scene(door, { basePath });
      expect((await app.browser.get(`${basePath}/session`)).status).toBe(200);
      for (const near of ['/axi/auth', '/aa', '/a', '/b', '/', '']) {
        if (near === basePath) continue;
        expect((await app.browser.get(`${near}/session`)).status, near).toBe(400);
      }
    },
  );

  it('the mount path of the call wins, and the configured one is nothing then', async () => {
    const app = scene(door, { basePath: '/auth' }, { call: { basePath: '/api/auth' } });
    expect((await app.browser.get('/api/auth/session')).status).toBe(200);
    expect((await app.browser.get('/auth/session')).status).toBe(400);
  });
});

/** Settings of trust, and the answer of `GET providers` to a forged host: its origin and its status. */
const trust: [setting: string, config: Partial<AuthConfig>, origin: string | undefined, status: number][] = [
  ['the host is trusted', { trustHost: true }, undefined, 400],
  ['the host is not trusted', { trustHost: false }, undefined, 400],
  ['AUTH_URL names the origin', { trustHost: true }, 'https://app.example', 200],
];

describe.each(doors)('a forged host, through $name', (door) => {
  it.each(trust)('if %s, is not part of an answer', async (_setting, config, origin, status) => {
    for (const host of forgedInUrls) {
      const app = scene(door, { providers: [oidc(fake)], ...config }, { call: { origin } });
      const page = await app.browser.get(`http://${host}/auth/providers`);
      expect([host, page.status]).toEqual([host, status]);
      expect(page.text()).not.toContain('evil');
      if (origin) expect(page.json()).toMatchObject({ fake: { signinUrl: `${origin}/auth/signin/fake` } });
    }
  });
});

describe.each(doors)('a provider that is not configured, through $name', (door) => {
  it.each(
    // biome-ignore format: a list to be read across
    [
      '__proto__', 'constructor', 'toString', 'prototype', 'valueOf', 'FAKE', 'fake ', ' fake', 'fake%00', '..',
      '%2e%2e', 'fake%2f..', 'null', 'fake;x', '%E0%A4', '%',
    ],
  )('%s leads back to the sign-in page', async (id) => {
    const app = scene(door, { providers: [oidc(fake)] });
    const segment = encodeURIComponent(id);
    for (const page of [
      await app.post(`signin/${segment}`),
      await app.browser.get(`/auth/callback/${segment}?code=x&state=y`),
      await app.browser.post(`/auth/callback/${segment}`, { code: 'x' }),
    ]) {
      // `..` never gets here, because the browser resolves it.
      if (new URL(page.url).pathname.split('/').length < 4) continue;
      expectRefused(app, page, 'InvalidProvider');
    }
    expect(fake.count('token')).toBe(0);
  });
});

describe('several configurations in one process', () => {
  it('do not know of one another, asked in turns', async () => {
    const apps = doors.flatMap((door) => [
      scene(door, { providers: [oidc(fake, { id: 'one' })], basePath: '/one' }),
      scene(door, {
        providers: [Credentials({ id: 'two', authorize: () => ({ id: '2' }) })],
        basePath: '/two',
        secret: 'another-secret-of-more-than-32-characters',
      }),
      scene(door, { providers: [], basePath: '/three', trustHost: false }),
    ]);
    for (const _ of [1, 2]) {
      const answers = await Promise.all(apps.map((app) => app.browser.get(`${app.config.basePath}/providers`)));
      expect(answers.map((page) => (page.status === 200 ? Object.keys(page.json() as object) : page.status))).toEqual([
        ['one'],
        ['two'],
        500,
        ['one'],
        ['two'],
        500,
      ]);
    }
  });

  it("a session of one is nothing to the other, although the cookies' names are the same", async () => {
    for (const door of doors) {
      const login = Credentials({ authorize: () => ({ id: '1', name: 'Ada' }) });
      const one = scene(door, { providers: [login] });
      const other = scene(door, { providers: [login], secret: 'another-secret-of-more-than-32-characters' });
      await one.post('callback/credentials');
      const stolen = one.browser.cookies.get('authjs.session-token')?.value ?? '';
      other.browser.cookies.set('authjs.session-token', stolen);
      expect(await one.session()).toMatchObject({ user: { name: 'Ada' } });
      expect(await other.session()).toBeNull();
    }
  });
});

const headers: Record<string, string>[] = [
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '8443' },
  { 'x-forwarded-host': 'evil.example, localhost:3000' },
  { forwarded: 'host=evil.example;proto=https' },
  { 'x-original-host': 'evil.example', 'x-host': 'evil.example', 'x-original-url': 'https://evil.example/' },
  { 'x-forwarded-server': 'evil.example', 'x-http-host-override': 'evil.example' },
  { origin: 'http://localhost:3000', referer: 'https://evil.example/' },
];

describe.each(doors)('a request that names another host in its headers, through $name', (door) => {
  it.each(headers)('%j gets a mailed link to the address that was asked for', async (lies) => {
    const app = mailScene(door);
    const fields = { csrfToken: await csrfTokenOf(app.browser), email: 'ada@example.com', callbackUrl: '/in' };
    const page = await app.browser.post('/auth/signin/mail', fields, { headers: lies });
    expect(leadsTo(page)).toBe('/auth/verify-request?provider=mail&type=email');
    expect(app.sent.map(({ url }) => new URL(url).origin)).toEqual(['http://localhost:3000']);
    expect(app.sent[0]?.url).not.toContain('evil');
    expect(page.location).not.toContain('evil');
  });

  it.each(headers)(
    '%j gets it to the origin that the environment names, which wins over every header',
    async (lies) => {
      const app = mailScene(door, {}, { call: { origin: 'https://shop.example' }, sendMetadata: false });
      const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
      // Over the wire in plain text, as behind a proxy: the cookies of https are sent by hand.
      const cookie =
        app.browser.history
          .at(-1)
          ?.setCookies.map(({ name, value }) => `${name}=${value}`)
          .join('; ') ?? '';
      const { origin: _, ...others } = lies;
      await app.browser.post(
        '/auth/signin/mail',
        { csrfToken, email: 'ada@example.com', callbackUrl: '/in' },
        { headers: { ...others, cookie } },
      );
      expect(app.sent.map(({ url }) => new URL(url).origin)).toEqual(['https://shop.example']);
      expect(new URL(app.sent[0]?.url ?? '').searchParams.get('callbackUrl')).toBe('https://shop.example/in');
    },
  );

  it.each(headers)('%j gets its answer from the provider at the address that was asked for', async (lies) => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    const page = await app.browser.post(
      '/auth/signin/fake',
      { csrfToken: await csrfTokenOf(app.browser) },
      { headers: lies },
    );
    expect(asked(page).redirect_uri).toBe('http://localhost:3000/auth/callback/fake');
  });
});

const base = {
  secret: 'a secret of more than thirty-two characters',
  trustHost: true,
  basePath: '/auth',
  logger: { error: () => undefined },
} satisfies Partial<AuthConfig>;

const post = (config: AuthConfig) => Auth(new Request('https://app.test/auth/signout', { method: 'POST' }), config);
const isRefused = (response: Response) => response.headers.get('location')?.includes('MissingCSRF') === true;

describe('what a host writes into one copy of its configuration', () => {
  it.each(['before', 'after'])('does not count for another, which was used %s that', async (when) => {
    const providers = [Credentials({ authorize: () => null })];
    const [first, second]: AuthConfig[] = [
      { ...base, providers },
      { ...base, providers },
    ];
    if (!first || !second) throw new Error('unreachable');
    expect(isRefused(await post(first))).toBe(true);
    if (when === 'before') expect(isRefused(await post(second))).toBe(true);
    Object.assign(first, { skipCSRFCheck });
    expect(isRefused(await post(second))).toBe(true);
    expect(isRefused(await post(first))).toBe(false);
    expect(isRefused(await post(second))).toBe(true);
  });
});

const config = {
  secret: 'a secret of more than thirty-two characters',
  trustHost: true,
  basePath: '/auth',
  raw,
  providers: [Credentials({ authorize: () => null })],
} satisfies AuthConfig;

describe('what a host adds to an answer in raw mode', () => {
  it.each(['session', 'csrf', 'providers', 'signin'])('is in no other answer of %s', async (action) => {
    const ask = () => Auth(new Request(`https://app.test/auth/${action}`), config);
    const mine = await ask();
    Object.assign(mine.headers ?? {}, { 'x-visitor': 'Ada' });
    expect(mine.headers).toHaveProperty('x-visitor');
    expect((await ask()).headers).not.toHaveProperty('x-visitor');
  });
});
