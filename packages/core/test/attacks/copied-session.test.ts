import { type FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { type Door, doors } from '../flows/doors.ts';
import { fakeProvider, oidc, type Scene, scene } from '../flows/scene.ts';
import { memoryStore } from '../flows/store.ts';

async function signedIn(door: Door, strategy: 'jwt' | 'database'): Promise<{ app: Scene; fake: FakeProvider }> {
  const fake = fakeProvider();
  const app = scene(door, {
    providers: [oidc(fake)],
    adapter: memoryAdapter(),
    session: { strategy, maxAge: 600 },
  });
  await app.signIn(fake);
  return { app, fake };
}

describe.each(doors)('a session cookie that was copied, through $name', (door) => {
  it('is worth nothing after signing out, where sessions are rows of the store', async () => {
    const { app } = await signedIn(door, 'database');
    const thief = app.browser.clone();
    expect(await app.session(thief)).not.toBeNull();
    await app.post('signout');
    expect(await app.session(thief)).toBeNull();
    expect(thief.cookies.has('authjs.session-token')).toBe(false);
  });

  it('is worth nothing after signing in again, where sessions are rows of the store', async () => {
    const { app, fake } = await signedIn(door, 'database');
    const thief = app.browser.clone();
    await app.signIn(fake);
    expect(await app.session()).not.toBeNull();
    expect(await app.session(thief)).toBeNull();
  });

  // There is no list of revoked tokens: the page on security says so, and what to do.
  it('lives on after signing out where the cookie is the session, but not beyond its time', async () => {
    const { app } = await signedIn(door, 'jwt');
    const thief = app.browser.clone();
    const late = app.browser.clone();
    const value = late.cookies.get('authjs.session-token')?.value ?? '';
    await app.post('signout');
    expect(await app.session()).toBeNull();
    expect(await app.session(thief)).not.toBeNull();
    app.clock.advance(616);
    late.cookies.set('authjs.session-token', value);
    expect(await app.session(late)).toBeNull();
  });

  it('can be ended by the application, which knows the session by its `sid` and returns null from `callbacks.jwt`', async () => {
    const ended = new Set<unknown>();
    const fake = fakeProvider();
    const app = scene(door, {
      providers: [oidc(fake)],
      callbacks: { jwt: ({ token }) => (ended.has(token.sid) ? null : token) },
      events: { signOut: (message) => void ('token' in message && ended.add(message.token?.sid)) },
    });
    await app.signIn(fake);
    await app.session();
    const thief = app.browser.clone();
    expect(await app.session(thief)).not.toBeNull();
    await app.post('signout');
    expect(await app.session(thief)).toBeNull();
    expect(thief.cookies.has('authjs.session-token')).toBe(false);
  });

  describe('that the application has ended', () => {
    const shop = (end: () => null) => {
      const ended = new Set<unknown>();
      const [fake, other] = [fakeProvider(), fakeProvider({ issuer: 'https://other.test' })];
      const store = memoryStore();
      const app = scene(door, {
        providers: [oidc(fake), oidc(other, { id: 'other' })],
        adapter: store.adapter,
        session: { strategy: 'jwt' },
        callbacks: { jwt: ({ token }) => (ended.has(token.sid) ? end() : token) },
        events: { signOut: (message) => void ('token' in message && ended.add(message.token?.sid)) },
      });
      return { app, store, fake, other };
    };
    const mallory = { user: { sub: 'mallory', email: 'mallory@example.com' } };

    it('links no account to its user, whether the sign-in was begun before or after', async () => {
      const { app, store, fake, other } = shop(() => null);
      await app.signIn(fake);
      const [ada] = store.users.keys();
      const [thief, early] = [app.browser.clone(), app.browser.clone()];
      const begun = await app.begin('other', {}, early);
      await app.post('signout');
      await app.signIn(other, { id: 'other', browser: thief, consent: mallory });
      await app.finish(await other.authorize(begun.location ?? '', { user: { sub: 'second' } }), early);
      const accounts = [...store.accounts.values()];
      expect(accounts.filter(({ userId }) => userId === ada)).toMatchObject([{ provider: 'fake' }]);
      expect(accounts.some(({ providerAccountId }) => providerAccountId === 'mallory')).toBe(true);
    });

    it('links nothing either when it cannot be told whether it was', async () => {
      const { app, store, fake, other } = shop(() => {
        throw new Error('the list is down');
      });
      await app.signIn(fake);
      const thief = app.browser.clone();
      await app.post('signout');
      const page = await app.signIn(other, { id: 'other', browser: thief, consent: mallory });
      expect(page.location).toMatch(/\/auth\/error\?error=Configuration&reference=/);
      expect(store.accounts.size).toBe(1);
    });
  });

  it('can be ended by the application after a longest time, however often it was read', async () => {
    const fake = fakeProvider();
    const hours = 3600;
    const app = scene(door, {
      providers: [oidc(fake)],
      callbacks: {
        jwt: ({ token, trigger }) => {
          const now = app.clock.now().getTime() / 1000;
          if (trigger === 'signIn') return { ...token, begun: now };
          return now - Number(token['begun']) > 8 * hours ? null : token;
        },
      },
    });
    await app.signIn(fake);
    for (let hour = 1; hour <= 8; hour++) {
      app.clock.advance(hours);
      expect(await app.session(), `hour ${hour}`).not.toBeNull();
    }
    app.clock.advance(hours);
    expect(await app.session()).toBeNull();
  });
});
