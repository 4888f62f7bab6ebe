import { describe, expect, it } from 'vitest';
import { leadsTo, noting, sessionCookies, startsSession } from '../flows/scene.ts';
import { claims, mailSite, names, oidcSite, SESSION, storeSite, told, update } from './site.ts';

const DAY = 86_400;

describe('states and transitions: user', () => {
  it('first sign-in via a provider | user does not exist | user created; account linked; `createUser` and `linkAccount` events', async () => {
    const app = storeSite();
    await app.enter();
    expect([app.adapter.store.users.size, app.adapter.store.accounts.size]).toEqual([1, 1]);
    expect(names(app)).toEqual(['createUser', 'linkAccount', 'signIn']);
  });

  // The callback runs for JWT sessions only (contract 22): there a new user of the store is a sign-up.
  it('first sign-in via a provider | `jwt` callback trigger `signUp`', async () => {
    const triggers: unknown[] = [];
    const jwt = ({ token, trigger }: { token: object; trigger?: string | undefined }): object =>
      noting(triggers, trigger, token);
    const app = storeSite({ session: { strategy: 'jwt' }, callbacks: { jwt: jwt as never } });
    await app.enter();
    await app.enter();
    expect(triggers).toEqual(['signUp', 'signIn']);
  });

  // But for one thing: a user whose account could not be linked is deleted again (design 6.13).
  it('the adapter methods `deleteUser` and `unlinkAccount` are not yet invoked', async () => {
    const app = storeSite();
    await app.enter();
    await app.post('signout');
    expect(app.methods()).not.toContain('deleteUser');
    expect(app.methods()).not.toContain('unlinkAccount');
  });
});

describe('states and transitions: session (database)', () => {
  it('sign-in | sign-in allowed | active, with `expires`; created through the adapter', async () => {
    const app = storeSite();
    await app.enter();
    expect(app.methods()).toContain('createSession');
    const [row] = app.adapter.store.sessions.values();
    expect(row?.expires.getTime()).toBe(app.clock.now().getTime() + 30 * DAY * 1000);
  });

  it('session accessed | before `expires` | `expires` extended by `maxAge`, at most once per `updateAge` seconds', async () => {
    const app = storeSite();
    await app.enter();
    for (const seconds of [DAY - 1, 1, 1]) {
      app.clock.advance(seconds);
      await app.session();
    }
    expect(app.calledWith('updateSession')).toHaveLength(1);
    const [row] = app.adapter.store.sessions.values();
    expect(row?.expires.getTime()).toBe(app.clock.now().getTime() - 1000 + 30 * DAY * 1000);
  });

  it('session accessed | after `expires` | removed; record deleted from the data store', async () => {
    const app = storeSite({ session: { maxAge: 60 } });
    await app.enter();
    const token = app.browser.cookies.get(SESSION)?.value ?? '';
    app.clock.advance(61);
    app.browser.cookies.set(SESSION, token);
    expect(await app.session()).toBeNull();
    expect(app.adapter.store.sessions.size).toBe(0);
  });

  it('sign-out POST | session exists | deleted; cookie invalidated; `signOut` event carries the session', async () => {
    const app = storeSite();
    await app.enter();
    const [row] = app.adapter.store.sessions.values();
    await app.post('signout');
    expect(app.adapter.store.sessions.size).toBe(0);
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(told(app, 'signOut')).toEqual({ session: row });
  });
});

describe('states and transitions: session (jwt)', () => {
  it('sign-in | sign-in allowed | cookie holds an encrypted token; `jwt` callback with trigger `signIn`', async () => {
    const triggers: unknown[] = [];
    const app = oidcSite({ callbacks: { jwt: ({ token, trigger }) => noting(triggers, trigger, token) } });
    await app.enter();
    expect(await claims(app)).toMatchObject({ email: 'ada@example.com' });
    expect(triggers).toEqual(['signIn']);
  });

  it('session accessed or updated | cookie valid | token re-issued; trigger `update` when caused by a client update', async () => {
    const triggers: unknown[] = [];
    const app = oidcSite({ callbacks: { jwt: ({ token, trigger }) => noting(triggers, trigger, token) } });
    await app.enter();
    const before = (await claims(app))?.jti;
    await app.session();
    expect((await claims(app))?.jti).not.toBe(before);
    expect(startsSession(await update(app, { name: 'Countess' }))).toBe(true);
    expect(triggers).toEqual(['signIn', undefined, 'update']);
  });

  it('sign-out POST | cookie invalidated; `signOut` event carries the token', async () => {
    const app = oidcSite();
    await app.enter();
    const token = await claims(app);
    await app.post('signout');
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(told(app, 'signOut')).toEqual({ token });
  });
});

describe('states and transitions: verification token', () => {
  it('email sign-in request | created; `signIn` callback with `email.verificationRequest` true', async () => {
    const seen: unknown[] = [];
    const app = mailSite({ callbacks: { signIn: ({ email }) => noting(seen, email, true) } });
    await app.ask('ada@example.com');
    expect(app.store.tokens.size).toBe(1);
    expect(seen).toEqual([{ verificationRequest: true }]);
  });

  it('link used | token and email match and not expired | user signed in; `emailVerified` set on first success', async () => {
    const app = mailSite();
    expect(startsSession(await app.open(await app.link('ada@example.com')))).toBe(true);
    expect([...app.store.users.values()][0]?.emailVerified).toEqual(app.clock.now());
  });

  it('link used | deleted (single use)', async () => {
    const app = mailSite();
    const link = await app.link('ada@example.com');
    await app.open(link);
    expect(app.store.tokens.size).toBe(0);
    expect(leadsTo(await app.open(link, app.visitor()))).toBe('/auth/error?error=Verification');
  });

  it('link used | of another email, or expired | no sign-in', async () => {
    const app = mailSite();
    const link = await app.link('ada@example.com');
    const another = link.replace('ada%40example.com', 'bob%40example.com');
    expect(leadsTo(await app.open(another))).toBe('/auth/error?error=Verification');
    app.clock.advance(DAY + 1);
    expect(leadsTo(await app.open(link))).toBe('/auth/error?error=Verification');
    expect(app.store.users.size).toBe(0);
  });
});

describe('states and transitions: the `signIn` callback decides the flow', () => {
  it('`true` continues', async () => {
    expect(startsSession(await oidcSite({ callbacks: { signIn: () => true } }).enter())).toBe(true);
  });

  it.each([
    ['`false`', () => false],
    ['a thrown error', () => Promise.reject(new Error('no'))],
  ])('%s stops sign-in and redirects to the error page', async (_, signIn) => {
    const app = storeSite({ callbacks: { signIn } });
    expect(leadsTo(await app.enter())).toBe('/auth/error?error=AccessDenied');
    expect(app.adapter.store.users.size).toBe(0);
  });

  it('a returned string redirects there', async () => {
    const app = oidcSite({ callbacks: { signIn: () => '/ask-for-access' } });
    const page = await app.enter();
    expect(leadsTo(page)).toBe('/ask-for-access');
    expect(startsSession(page)).toBe(false);
  });
});
