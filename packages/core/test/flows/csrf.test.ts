import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { skipCSRFCheck } from '../../src/symbols.ts';
import { doors } from './doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, SECRET, scene } from './scene.ts';

const NAME = 'authjs.csrf-token';
const TOKEN = 'a'.repeat(64);
const hashOf = (secret: string): string =>
  createHash('sha256')
    .update(TOKEN + secret)
    .digest('hex');

describe.each(doors)('the CSRF token through $name', (door) => {
  it('is 32 random bytes, kept in a cookie with its hash', async () => {
    const app = scene(door, {});
    const page = await app.browser.get('/auth/csrf');
    const { csrfToken } = page.json<{ csrfToken: string }>();
    expect(csrfToken).toMatch(/^[\da-f]{64}$/);
    expect(decodeURIComponent(page.cookie(NAME)?.value ?? '')).toBe(
      `${csrfToken}|${createHash('sha256')
        .update(csrfToken + SECRET)
        .digest('hex')}`,
    );
    expect(page.cookie(NAME)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(page.headers.get('cache-control')).toBe('private, no-cache, no-store');
  });

  it('stays the same while its cookie is valid, and the cookie is not set again', async () => {
    const app = scene(door, {});
    const first = (await app.browser.get('/auth/csrf')).json();
    const page = await app.browser.get('/auth/csrf');
    expect(page.json()).toEqual(first);
    expect(page.setCookies).toEqual([]);
  });

  it.each([
    ['no hash', TOKEN],
    ['a wrong hash', `${TOKEN}|${'b'.repeat(64)}`],
    ['the hash without secret', `${TOKEN}|${hashOf('')}`],
    ['another secret', `${TOKEN}|${hashOf('another')}`],
    ['an empty token', `|${createHash('sha256').update(SECRET).digest('hex')}`],
  ])('is replaced if the cookie has %s, and its old value is refused', async (_, cookie) => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    app.browser.cookies.set(NAME, encodeURIComponent(cookie));
    const page = await app.browser.post('/auth/signin/fake', { csrfToken: cookie.split('|')[0] });
    expectRefused(app, page, 'MissingCSRF');
    app.browser.cookies.set(NAME, encodeURIComponent(cookie));
    expect((await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken).not.toBe(
      cookie.split('|')[0],
    );
  });

  it('survives a change of the secret, also after the older secret is removed', async () => {
    const list = ['1', '2'].map((n) => `k${n}-of-at-least-32-characters-1234567`);
    const [newest = '', older = ''] = list;
    const app = scene(door, { providers: [oidc(fakeProvider())], secret: list });
    app.browser.cookies.set(NAME, encodeURIComponent(`${TOKEN}|${hashOf(older)}`));
    const page = await app.browser.get('/auth/csrf');
    expect(page.json()).toEqual({ csrfToken: TOKEN });
    const { value = '' } = page.cookie(NAME) ?? {};
    expect(decodeURIComponent(value)).toBe(`${TOKEN}|${hashOf(newest)}`);
    const later = scene(door, { providers: [oidc(fakeProvider())], secret: [newest] });
    later.browser.cookies.set(NAME, value);
    const sent = await later.browser.post('/auth/signin/fake', { csrfToken: TOKEN });
    expect(sent.redirect?.searchParams.get('error')).toBeNull();
  });

  it.each([
    ['the newest secret', 'k1-of-at-least-32-characters-1234567', false],
    ['an older secret', 'k2-of-at-least-32-characters-1234567', true],
    [
      'the whole list',
      'k1-of-at-least-32-characters-1234567,k2-of-at-least-32-characters-1234567,k3-of-at-least-32-characters-1234567',
      false,
    ],
    [
      'the list before the rotation',
      'k2-of-at-least-32-characters-1234567,k3-of-at-least-32-characters-1234567',
      false,
    ],
  ])('is accepted if its hash was made with %s', async (_, secret, isMadeAnew) => {
    const fake = fakeProvider();
    const list = ['1', '2', '3'].map((n) => `k${n}-of-at-least-32-characters-1234567`);
    const app = scene(door, { providers: [oidc(fake)], secret: list });
    app.browser.cookies.set(NAME, encodeURIComponent(`${TOKEN}|${hashOf(secret)}`));
    const page = await app.browser.post('/auth/signin/fake', { csrfToken: TOKEN });
    expect(page.location).toContain(fake.endpoints.authorization);
    expect(page.cookie(NAME) !== undefined).toBe(isMadeAnew);
  });

  it('is renewed by each sign-in and sign-out, and the one before is refused', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    const read = async (): Promise<string> =>
      (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>().csrfToken;
    const before = await read();
    const refuse = async (): Promise<void> =>
      expect(leadsTo(await app.browser.post('/auth/signout', { csrfToken: before }))).toBe(
        '/auth/signin?error=MissingCSRF',
      );
    expect((await app.signIn(fake)).cookie(NAME)?.value).toContain('%7C');
    const during = await read();
    await refuse();
    expect(await app.session()).not.toBeNull();
    expect((await app.post('signout')).cookie(NAME)?.value).toContain('%7C');
    const after = await read();
    await refuse();
    expect(new Set([before, during, after]).size).toBe(3);
    expect(new Set([before, during, after].map((token) => token.slice(22))).size).toBe(3);
    for (const token of [during, after]) expect(token).toMatch(/^[\da-f]{64}$/);
  });

  it('is not renewed by a sign-in that fails', async () => {
    const app = scene(door, { providers: [Credentials({ authorize: () => null })] });
    const page = await app.post('callback/credentials');
    expect(page.location).toContain('error=CredentialsSignin');
    expect(page.cookie(NAME)).toBeUndefined();
  });

  it('is read from another cookie of the name if the first is not valid', async () => {
    const app = scene(door, {});
    const cookie = `${NAME}=planted; ${NAME}=${encodeURIComponent(`${TOKEN}|${hashOf(SECRET)}`)}`;
    const page = await app.browser.get('/auth/csrf', { headers: { cookie } });
    expect(page.json()).toEqual({ csrfToken: TOKEN });
    expect(page.setCookies.filter(({ name }) => name === NAME)).toEqual([]);
  });

  it('is required by every form of the library', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    await app.browser.get('/auth/csrf');
    for (const path of ['signin', 'signin/fake', 'signout']) {
      expectRefused(app, await app.browser.post(`/auth/${path}`, {}), 'MissingCSRF');
      expectRefused(app, await app.browser.post(`/auth/${path}`, { csrfToken: TOKEN }), 'MissingCSRF');
    }
    expect((await app.browser.post('/auth/session', {})).status).toBe(400);
    expect(new Set(app.log.types())).toEqual(new Set(['MissingCSRF']));
  });

  it('counts only in the body, and only as a string', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const headers = { 'x-csrf-token': csrfToken };
    expectRefused(
      app,
      await app.browser.post(`/auth/signin/fake?csrfToken=${csrfToken}`, {}, { headers }),
      'MissingCSRF',
    );
    for (const typed of [[csrfToken], { toString: csrfToken }, true, null]) {
      const page = await app.browser.post('/auth/signin/fake', { csrfToken: typed }, { json: true });
      expectRefused(app, page, 'MissingCSRF');
    }
  });

  it('of another browser is refused', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    const { csrfToken } = (await app.visitor().get('/auth/csrf')).json<{ csrfToken: string }>();
    await app.browser.get('/auth/csrf');
    expectRefused(app, await app.browser.post('/auth/signin/fake', { csrfToken }), 'MissingCSRF');
  });

  it('is refused in a first request that brings no cookie', async () => {
    const app = scene(door, { providers: [oidc(fakeProvider())] });
    expectRefused(app, await app.browser.post('/auth/signin/fake', { csrfToken: TOKEN }), 'MissingCSRF');
  });

  it.each(['configuration', 'call'])('is not required if the framework checks the origin (%s)', async (by) => {
    const fake = fakeProvider();
    const app = scene(
      door,
      { providers: [oidc(fake)], ...(by === 'configuration' ? { skipCSRFCheck } : {}) },
      by === 'call' ? { call: { forms: 'host-checked' } } : {},
    );
    const page = await app.browser.get('/auth/csrf');
    expect(page.status).toBe(404);
    expect(page.text()).toBe('');
    expect(page.cookie(NAME)).toMatchObject({ value: '', maxAge: 0 });
    expect(app.log.warnings).toContainEqual(['csrf-disabled']);
    const started = await app.browser.post('/auth/signin/fake', {});
    expect(started.location).toContain(fake.endpoints.authorization);
    expect(leadsTo(await app.finish(await fake.authorize(started.location ?? '')))).toBe('/');
  });

  it.each([true, 'skip-csrf-check', Symbol('skip-csrf-check'), 1])(
    'is asked for although the configuration says %s',
    async (value) => {
      const app = scene(door, { providers: [oidc(fakeProvider())], skipCSRFCheck: value as never });
      expectRefused(app, await app.browser.post('/auth/signin/fake', {}), 'MissingCSRF');
    },
  );
});
