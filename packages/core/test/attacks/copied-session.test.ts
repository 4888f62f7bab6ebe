import { type FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { type Door, oneDoor } from '../flows/doors.ts';
import { expectRefused, fakeProvider, leadsTo, oidc, type Scene, scene } from '../flows/scene.ts';
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

describe.each(oneDoor)('a session cookie that was copied, through $name', (door) => {
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

  // There is no list of revoked tokens; `docs/security.md` says what to do.
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

    it('links no account if the callback fails', async () => {
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

describe.each(oneDoor)('a session that ends while it is being read, through $name', (door) => {
  it.each([
    ['a store that compares', true],
    ['a store that only updates', false],
  ])('is not returned and not restored: %s', async (_, optional) => {
    const fake = fakeProvider();
    const adapter = memoryAdapter({ optional: optional as true });
    const app = scene(door, { providers: [oidc(fake)], adapter, session: { updateAge: 0 } });
    await app.signIn(fake);
    const token = app.browser.cookies.get('authjs.session-token')?.value ?? '';
    const other = app.browser.clone();
    const read = adapter.getSessionAndUser;
    adapter.getSessionAndUser = async (asked) => {
      adapter.getSessionAndUser = read;
      const found = await read(asked);
      await app.post('signout', {}, other);
      return found;
    };
    app.clock.advance(60);
    const page = await app.browser.get('/auth/session');
    expect(page.json()).toBeNull();
    expect(page.cookie('authjs.session-token')).toMatchObject({ value: '', maxAge: 0 });
    expect(adapter.dump().sessions).toEqual([]);
    app.browser.cookies.set('authjs.session-token', token);
    expect(await app.session()).toBeNull();
  });
});

describe.each(oneDoor)('cookies of a pending sign-in that were copied, through $name', (door) => {
  const site = (optional: boolean, check: 'pkce' | 'state' | 'nonce' = 'pkce') => {
    const fake = fakeProvider();
    const adapter = memoryAdapter({ optional });
    const providers = [oidc(fake, { checks: [check] })];
    return { fake, adapter, app: scene(door, { providers, adapter, session: { strategy: 'jwt' } }) };
  };

  it.each(['pkce', 'state', 'nonce'] as const)(
    'are worth nothing once the callback was answered: the code is not even sent to the provider (%s)',
    async (check) => {
      const { fake, app } = site(true, check);
      const back = await fake.authorize((await app.begin()).location ?? '');
      const thief = app.browser.clone();
      expect(leadsTo(await app.finish(back))).toBe('/');
      expectRefused(app, await app.finish(back, thief), 'InvalidCheck', thief);
      expect(fake.count('token')).toBe(1);
      expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'once' });
    },
  );

  it.each(['pkce', 'nonce'] as const)(
    'are worth nothing either if the state and its cookie are left out, with %s',
    async (check) => {
      const { fake, app } = site(true, check);
      const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
      const thief = app.browser.clone();
      thief.cookies.delete('authjs.state');
      expect(leadsTo(await app.finish(back.href))).toBe('/');
      back.searchParams.delete('state');
      expectRefused(app, await app.finish(back.href, thief), 'InvalidCheck', thief);
      expect(fake.count('token')).toBe(1);
    },
  );

  it.each([
    ['pkce', 'authjs.pkce.code_verifier'],
    ['nonce', 'authjs.nonce'],
  ] as const)('are worth nothing either beside the state of a new sign-in, with %s', async (check, name) => {
    const { fake, app } = site(true, check);
    const back = new URL(await fake.authorize((await app.begin()).location ?? ''));
    const thief = app.browser.clone();
    const copied = thief.cookies.get(name)?.value ?? '';
    expect(leadsTo(await app.finish(back.href))).toBe('/');
    await app.begin('fake', {}, thief);
    thief.cookies.set(name, copied);
    back.searchParams.delete('state');
    expectRefused(app, await app.finish(back.href, thief), 'InvalidCheck', thief);
    expect(fake.count('token')).toBe(1);
    expect(app.log.errors.at(-1)?.cause).toMatchObject({ check: 'once' });
  });

  it('let one of two simultaneous callbacks through', async () => {
    const { fake, app, adapter } = site(true);
    const back = await fake.authorize((await app.begin()).location ?? '');
    const other = app.browser.clone();
    const answers = await Promise.all([app.finish(back), app.finish(back, other)]);
    expect(answers.map(leadsTo).sort()).toEqual(['/', '/auth/signin?error=InvalidCheck']);
    expect(adapter.dump().users).toHaveLength(1);
  });

  it('are left to the provider, which takes a code once, where the store cannot remember', async () => {
    const { fake, app } = site(false);
    const back = await fake.authorize((await app.begin()).location ?? '');
    const thief = app.browser.clone();
    expect(leadsTo(await app.finish(back))).toBe('/');
    expectRefused(app, await app.finish(back, thief), 'OAuthCallbackError', thief);
  });

  it('start no session if the store is unavailable', async () => {
    const { fake, app, adapter } = site(true);
    const back = await fake.authorize((await app.begin()).location ?? '');
    adapter.fail('spendOnce', 'before');
    expect(leadsTo(await app.finish(back))).toMatch(/^\/auth\/error\?error=Configuration/);
    expect(fake.count('token')).toBe(0);
  });
});
