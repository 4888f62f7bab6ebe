import type { AuthConfig } from '@latchkey/core/types';
import { FakeProvider, MemorySessionRecords, type Page } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { defaults } from '../../src/config/defaults.ts';
import { settingsFor } from '../../src/config/settings.ts';
import { BOB, change, kinds, makeSite, type Site } from './scene.ts';

const AGAIN = 'http://localhost:3000/auth/account/sign-in?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fauth%2Faccount';

const users = (app: Site) => app.adapter.dump().users.map(({ name }) => name);

/** Posts a new name. Returns whether it was accepted. */
async function mayChange(app: Site, browser = app.browser): Promise<boolean> {
  return (await change(app, 'name', { name: 'New' }, browser)).status === 200;
}

describe.each(kinds)('a change needs a recent sign-in (%s)', (kind) => {
  it('of at most 10 minutes, after which the visitor signs in again', async () => {
    const app = makeSite(kind);
    await app.signIn();
    app.clock.advance(599);
    expect(await mayChange(app)).toBe(true);
    app.clock.advance(2);
    // Reading the session does not make the sign-in recent.
    await app.session();
    const page = await app.post('account/name', { name: 'Old' });
    expect(page.redirect?.href).toBe(AGAIN);
    const refused = await change(app, 'name', { name: 'Old', callbackUrl: '/me' });
    const signInUrl = 'http://localhost:3000/auth/account/sign-in?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fme';
    expect([refused.status, refused.json()]).toEqual([400, { error: 'RecentSignInRequired', signInUrl }]);
    expect(users(app)).toEqual(['New']);
    expect(app.log.errors[0]?.message).toContain('Send the visitor to `signInUrl`');
    await app.browser.get(AGAIN);
    await app.signIn();
    expect(await mayChange(app)).toBe(true);
  });

  it('which visitors without a session have not', async () => {
    const app = makeSite(kind);
    expect((await app.post('account/name', { name: 'New' })).redirect?.href).toBe(AGAIN);
    await app.signIn();
    await app.signOut();
    expect(await mayChange(app)).toBe(false);
    expect(app.browser.cookies.all().map(({ name }) => name)).not.toContain('authjs.recent');
  });

  it('in the same browser', async () => {
    const app = makeSite(kind);
    const other = app.visitor();
    await app.signIn();
    // A subdomain can plant the session, but not the cookie that names the user of the browser.
    for (const { name, value } of app.browser.cookies.all()) {
      if (name !== 'authjs.browser') other.cookies.set(name, value);
    }
    expect(await mayChange(app, other)).toBe(false);
    expect(await mayChange(app)).toBe(true);
  });

  it('and the CSRF token', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const page = await app.browser.post('/auth/account/name', { name: 'New' });
    expect(page.redirect?.href).toBe('http://localhost:3000/auth/account?error=MissingCSRF');
    expect(users(app)).toEqual(['Ada Lovelace']);
  });

  it('and at most 10 times in an hour', async () => {
    const app = makeSite(kind);
    await app.signIn();
    for (let count = 0; count < 10; count++) expect(await mayChange(app)).toBe(true);
    const page = await change(app, 'name', { name: 'Eleventh' });
    expect([page.status, page.json()]).toEqual([429, { error: 'RateLimited' }]);
    expect(page.headers.get('retry-after')).toBe('3600');
    expect((await app.post('account/name', { name: 'Eleventh' })).redirect?.search).toBe('?error=RateLimited');
    expect(users(app)).toEqual(['New']);
    app.clock.advance(3600);
    await app.signIn();
    expect(await mayChange(app)).toBe(true);
  });
});

describe('a change', () => {
  it('is not counted with `rateLimit: false`', async () => {
    const app = makeSite('jwt', {}, { rateLimit: false });
    await app.signIn();
    for (let count = 0; count < 11; count++) expect(await mayChange(app)).toBe(true);
  });

  it('needs a session that the application still accepts', async () => {
    let isBlocked = false;
    const callbacks: AuthConfig['callbacks'] = { jwt: ({ token }) => (isBlocked ? null : token) };
    const app = makeSite('jwt', {}, { callbacks });
    await app.signIn();
    isBlocked = true;
    expect(await mayChange(app)).toBe(false);
    isBlocked = false;
    expect(users(app)).toEqual(['Ada Lovelace']);
  });
});

describe.each(kinds)('the visitor who signs in again (%s)', (kind) => {
  it('must be the same user, and the session stays', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const bob = app.visitor();
    await app.signIn({ browser: bob, consent: BOB });
    app.clock.advance(601);
    await app.browser.get(AGAIN);
    // Carol has no account yet.
    for (const consent of [BOB, { user: { sub: 'carol', email: 'carol@example.com' } }]) {
      const page = await app.signIn({ consent, fields: { callbackUrl: '/me' } });
      expect(page.redirect?.pathname).toBe('/auth/account/sign-in');
    }
    const link = await app.open(await app.mailedLink('bob@example.com'));
    const refused = await app.browser.submit(app.browser.form(link));
    expect(refused.redirect?.pathname).toBe('/auth/account/sign-in');
    expect(app.log.types()).toEqual(Array(3).fill('RecentSignInRequired'));
    expect(app.log.errors[0]?.message).toContain('was asked to sign in again, and did so as another user');
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(app.adapter.dump().users).toHaveLength(2);
    expect(app.adapter.dump().accounts).toHaveLength(2);
    expect(await mayChange(app)).toBe(false);
    await app.open(await app.mailedLink('ada@example.com'));
    expect(await mayChange(app)).toBe(true);
    // From then on, other users can sign in.
    await app.signOut();
    await app.signIn({ consent: BOB });
    expect(await app.session()).toMatchObject({ user: { email: 'bob@example.com' } });
  });

  it('may use a plain OAuth provider', async () => {
    const plain = new FakeProvider({ oidc: false, issuer: 'https://plain.test' });
    const app = makeSite(kind, {}, ({ provider, mail }) => ({
      providers: [provider.provider(), plain.plainProvider({ id: 'plain' }), mail],
    }));
    const enter = async (): Promise<unknown> => {
      const { redirect } = await app.startSignIn('plain');
      return app.open(await plain.authorize(redirect ?? '', { user: { sub: 'ada-plain', name: 'Ada' } }));
    };
    await app.signIn();
    await enter();
    app.clock.advance(601);
    await app.browser.get(AGAIN);
    await enter();
    expect(await mayChange(app)).toBe(true);
  });

  it('may be another user after a sign-out', async () => {
    const app = makeSite(kind);
    await app.signIn();
    app.clock.advance(601);
    await app.browser.get(AGAIN);
    await app.signOut();
    await app.signIn({ consent: BOB });
    expect(await app.session()).toMatchObject({ user: { email: 'bob@example.com' } });
  });

  it('sees the own ways to sign in', async () => {
    const app = makeSite(kind);
    await app.signIn();
    const page = await app.browser.get(AGAIN);
    expect(page.text()).toContain('Sign in again to change your account.');
    expect(app.browser.forms(page).map(({ action }) => action)).toEqual([
      'http://localhost:3000/auth/signin/mail',
      'http://localhost:3000/auth/signin/fake',
    ]);
    expect(page.text()).toContain('value="ada@example.com"');
    const visitor = await app.visitor().get(AGAIN);
    expect(visitor.redirect?.href).toBe(AGAIN.replace('account/sign-in', 'signin'));
  });

  it('sees the page of the application', async () => {
    const app = makeSite(kind, {}, { pages: { signIn: '/welcome' } });
    await app.signIn();
    const page = await app.browser.get(`${AGAIN.split('?')[0]}?callbackUrl=/me`);
    expect(page.redirect?.href).toBe(
      'http://localhost:3000/welcome?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fme&error=RecentSignInRequired',
    );
    expect(page.cookie('authjs.recent')).toBeDefined();
  });
});

describe('the cookie of a recent sign-in', () => {
  it('is bound to its session', async () => {
    const app = makeSite('database');
    const other = app.visitor();
    await app.signIn();
    app.clock.advance(601);
    await app.signIn({ browser: other });
    app.browser.cookies.set('authjs.recent', other.cookies.get('authjs.recent')?.value ?? '');
    expect([await mayChange(app), await mayChange(app, other)]).toEqual([false, true]);
  });
});

describe('the cookie of a request to sign in again', () => {
  it('is removed only from a browser that has it', async () => {
    const app = makeSite('jwt');
    const removed = (page: Page): boolean => page.cookie('authjs.recent') !== undefined;
    expect(removed(await app.signIn())).toBe(false);
    await app.browser.get(AGAIN);
    expect(removed(await app.signIn())).toBe(true);
  });
});

describe('sessions from before the option', () => {
  it('are not recent, although they were extended just now', async () => {
    const app = makeSite('jwt');
    const before = makeSite('jwt', {}, { account: false, adapter: app.adapter });
    await before.signIn();
    for (const { name, value } of before.browser.cookies.all()) app.browser.cookies.set(name, value);
    await app.session();
    expect(await mayChange(app)).toBe(false);
  });

  it('are not recent when their records are made', async () => {
    const store = MemorySessionRecords();
    const app = makeSite('database', {}, { session: { records: { store } } });
    const before = makeSite('database', {}, { account: false, adapter: app.adapter });
    await before.signIn();
    for (const { name, value } of before.browser.cookies.all()) app.browser.cookies.set(name, value);
    expect(await mayChange(app)).toBe(false);
  });
});

describe('the option', () => {
  it('is off by default: the path is unknown, and sign-ins set the same cookies', async () => {
    const app = makeSite('database', {}, { account: undefined });
    await app.signIn();
    expect((await app.browser.get('/auth/account')).status).toBe(400);
    expect((await app.post('account/name', { name: 'New' })).status).toBe(400);
    expect(app.browser.cookies.all().map(({ name }) => name)).not.toContain('authjs.recent');
    expect(settingsFor(app.config)).toMatchObject({ hasFacts: false, needsSignInTime: false });
  });

  it('makes the cookie one of this host alone', async () => {
    const app = makeSite('database');
    const names = settingsFor(app.config).cookieTable(true, new Date());
    expect(names.recent).toMatchObject({ name: '__Host-authjs.recent', options: { httpOnly: true, secure: true } });
    await app.signIn();
    const cookie = app.browser.cookies.all().find(({ name }) => name === 'authjs.recent');
    expect(cookie?.value).not.toContain('fake');
    expect(defaults.account.recent).toBe(600);
  });
});
