import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { doors } from '../flows/doors.ts';
import { expectRefused, fakeProvider, oidc, scene } from '../flows/scene.ts';

const fake = fakeProvider();

describe.each(doors)('an address that only resembles ours, through $name', (door) => {
  it.each([
    '/authsession',
    '/auth',
    '/auth/',
    '/authx/session',
    '/xauth/session',
    '/x/auth/session',
    '/Auth/session',
    '/AUTH/SESSION',
    '/auth/Session',
    '/auth/session/fake',
    '/auth/session/x/y',
    '/auth/csrf/..%2fsession',
    '/auth%2fsession',
    '/auth/%73ession',
    '/auth/session%00',
    '/auth/session;x=1',
    '/auth/session.json',
    '/auth/__proto__',
    '/auth/constructor',
    '/auth/toString',
    '/auth/register',
    '/auth/update',
    '/auth/signin/a/b',
    '/%61uth/session',
    '//auth/session',
    '/auth\\session',
    '/session',
  ])('%s is answered by a 400 and nothing else', async (path) => {
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

describe.each(doors)('a provider that nobody configured, through $name', (door) => {
  it.each([
    '__proto__',
    'constructor',
    'toString',
    'prototype',
    'valueOf',
    'FAKE',
    'fake ',
    ' fake',
    'fake%00',
    '..',
    '%2e%2e',
    'fake%2f..',
    'null',
    'fake;x',
    '%E0%A4',
    '%',
  ])('%s leads back to the sign-in page', async (id) => {
    const app = scene(door, { providers: [oidc(fake)] });
    const segment = encodeURIComponent(id);
    for (const page of [
      await app.post(`signin/${segment}`),
      await app.browser.get(`/auth/callback/${segment}?code=x&state=y`),
      await app.browser.post(`/auth/callback/${segment}`, { code: 'x' }),
    ]) {
      // `..` never gets here: whoever sends the request resolves it.
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
