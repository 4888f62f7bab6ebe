import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, oneDoor } from './doors.ts';
import { expectConfiguration, fakeProvider, noting, oidc, type Scene, scene, sessionCookies } from './scene.ts';
import { type MemoryStore, memoryStore } from './store.ts';

const NAME = 'authjs.session-token';
const DAY = 86_400;

async function signedIn(
  door: Door,
  config: Partial<AuthConfig> = {},
  store: MemoryStore = memoryStore(),
): Promise<Scene & { store: MemoryStore }> {
  const fake = fakeProvider({ now: () => app.clock.now() });
  const app = scene(door, { providers: [oidc(fake)], adapter: store.adapter, ...config });
  await app.signIn(fake);
  store.calls.length = 0;
  return { ...app, store };
}

function tokenOf(app: Scene): string {
  return app.browser.cookies.get(NAME)?.value ?? '';
}

describe.each(oneDoor)('a database session through $name', (door) => {
  it('is a row of the store; the cookie holds its random token and nothing else', async () => {
    const app = await signedIn(door);
    expect(tokenOf(app)).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const [row] = app.store.sessions.values();
    expect(row?.sessionToken).toBe(tokenOf(app));
    expect(row?.expires.getTime()).toBe(app.clock.now().getTime() + 30 * DAY * 1000);
    expect(app.browser.cookies.get(NAME)?.expires?.getTime()).toBeCloseTo(row?.expires.getTime() ?? 0, -4);
  });

  it('is read with one query, and shows name, email and image', async () => {
    const app = await signedIn(door);
    expect(await app.session()).toEqual({
      user: { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://idp.test/ada.png' },
      expires: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(app.store.names()).toEqual(['getSessionAndUser']);
  });

  it('passes session, user and update data to the callback', async () => {
    const seen: object[] = [];
    const app = await signedIn(door, {
      callbacks: { session: (params) => noting(seen, params, { ...params.session, id: params.user.id }) },
    });
    expect(await app.session()).toMatchObject({ id: expect.any(String) });
    expect(seen[0]).toEqual({
      session: expect.objectContaining({ sessionToken: tokenOf(app), user: expect.any(Object) }),
      user: expect.objectContaining({ email: 'ada@example.com' }),
      newSession: undefined,
      facts: expect.any(Function),
    });
    expect(seen[0]).not.toHaveProperty('trigger');
    await app.post('session', { data: 'x' });
    expect(seen[1]).toMatchObject({ newSession: 'x', trigger: 'update' });
  });

  it('is extended at most once per `updateAge`', async () => {
    const app = await signedIn(door);
    app.clock.advance(DAY - 60);
    await app.session();
    expect(app.store.names()).not.toContain('updateSession');
    app.clock.advance(120);
    const page = await app.browser.get('/auth/session');
    expect(app.store.names().filter((name) => name === 'updateSession')).toHaveLength(1);
    const [row] = app.store.sessions.values();
    expect(row?.expires.getTime()).toBe(app.clock.now().getTime() + 30 * DAY * 1000);
    expect(page.json<{ expires: string }>().expires).toBe(row?.expires.toISOString());
    await app.session();
    expect(app.store.names().filter((name) => name === 'updateSession')).toHaveLength(1);
  });

  it('is extended with each read if `updateAge` is 0', async () => {
    const app = await signedIn(door, { session: { updateAge: 0 } });
    app.clock.advance(1);
    await app.session();
    expect(app.store.names()).toEqual(['getSessionAndUser', 'updateSession']);
  });

  it('ends when it has expired: row and cookie go', async () => {
    const app = await signedIn(door, { session: { maxAge: 600 } });
    const token = tokenOf(app);
    app.clock.advance(601);
    app.browser.cookies.set(NAME, token);
    const page = await app.browser.get('/auth/session');
    expect(page.json()).toBeNull();
    expect(page.cookie(NAME)).toMatchObject({ value: '', maxAge: 0 });
    expect(app.store.sessions.size).toBe(0);
  });

  it('that the store does not have is null, and its cookie is cleared', async () => {
    const app = await signedIn(door);
    app.store.sessions.clear();
    expect(await app.session()).toBeNull();
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(app.log.errors).toEqual([]);
  });

  it.each(['getSessionAndUser', 'updateSession'] as const)('is kept while the store fails in %s', async (method) => {
    const app = await signedIn(door);
    app.clock.advance(2 * DAY);
    app.store.faults[method] = 'before';
    const page = await app.browser.get('/auth/session');
    expect(page.status).toBe(200);
    expect(page.json()).toBeNull();
    expect(page.cookie(NAME)).toBeUndefined();
    expect(app.log.types()).toEqual(['SessionTokenError']);
    expect(await app.session()).not.toBeNull();
  });

  it('starts anew with every sign-in, and the one it replaces is deleted', async () => {
    const fake = fakeProvider();
    const app = await signedIn(door, { providers: [oidc(fake)] }, memoryStore());
    // The same store: sign in once to create the user, then again.
    await app.signIn(fake);
    const first = tokenOf(app);
    await app.signIn(fake);
    expect(tokenOf(app)).not.toBe(first);
    expect([...app.store.sessions.keys()]).toEqual([tokenOf(app)]);
  });

  it('that has expired links no account, whether it expires before or during a sign-in', async () => {
    const fake = fakeProvider();
    const app = await signedIn(door, { providers: [oidc(fake)], session: { maxAge: 600 } });
    await app.signIn(fake);
    const token = tokenOf(app);
    app.clock.advance(60);
    const started = await app.begin();
    const stranger = { user: { sub: 'other', email: 'other@example.com' } };
    const early = await fake.authorize(started.location ?? '', stranger);
    app.clock.advance(580);
    app.browser.cookies.set(NAME, token);
    app.store.sessions.set(token, {
      sessionToken: token,
      userId: [...app.store.users.keys()][0] ?? '',
      expires: new Date(app.clock.now().getTime() - 1000),
    });
    await app.finish(early);
    expect(new Set([...app.store.accounts.values()].map(({ userId }) => userId)).size).toBe(2);
  });

  it('never accepts a token that an attacker has planted', async () => {
    const fake = fakeProvider();
    const store = memoryStore();
    const app = scene(door, { providers: [oidc(fake)], adapter: store.adapter });
    app.browser.cookies.set(NAME, 'planted');
    await app.signIn(fake);
    expect(tokenOf(app)).not.toBe('planted');
    expect([...store.sessions.keys()]).toEqual([tokenOf(app)]);
  });

  it('has the token of `generateSessionToken`', async () => {
    const app = await signedIn(door, { session: { generateSessionToken: async () => 'made-here' } });
    expect(tokenOf(app)).toBe('made-here');
  });

  it('ends with signing out, in the browser and in the store', async () => {
    const seen: unknown[] = [];
    const app = await signedIn(door, { events: { signOut: (message) => void seen.push(message) } });
    const token = tokenOf(app);
    const page = await app.post('signout', { callbackUrl: '/bye' });
    expect(page.location).toBe('http://localhost:3000/bye');
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(app.store.sessions.size).toBe(0);
    expect(seen).toEqual([{ session: expect.objectContaining({ sessionToken: token }) }]);
    app.browser.cookies.set(NAME, token);
    await app.post('signout');
    expect(seen[1]).toEqual({ session: null });
  });

  it('leaves the browser by signing out while the store is down, and the log tells', async () => {
    const app = await signedIn(door);
    app.store.faults.deleteSession = 'before';
    await app.post('signout');
    expect(sessionCookies(app.browser)).toEqual([]);
    expect(app.log.types()).toEqual(['SignOutError']);
    expect(app.log.errors[0]?.message).toMatch(/^the session could not be deleted/);
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(/`deleteSession` failed/);
  });

  it('is not started if the store fails to create it', async () => {
    const fake = fakeProvider();
    const store = memoryStore();
    store.faults.createSession = 'before';
    const app = scene(door, { providers: [oidc(fake)], adapter: store.adapter });
    expectConfiguration(app, await app.signIn(fake));
    expect(app.log.types()).toEqual(['AdapterError']);
    expect(await app.signIn(fake)).toMatchObject({ location: 'http://localhost:3000' });
    expect(store.users.size).toBe(1);
  });

  it('is started by credentials only for a user of the store', async () => {
    const store = memoryStore();
    const user = { id: 'u1', name: 'Ada', email: 'ada@example.com', emailVerified: null };
    store.users.set('u1', user);
    const app = scene(door, {
      providers: [Credentials({ authorize: ({ id }) => ({ id: String(id) }) }), oidc(fakeProvider())],
      adapter: store.adapter,
    });
    await app.post('callback/credentials', { id: 'u1' });
    expect(await app.session()).toMatchObject({ user: { name: 'Ada' } });
    const other = app.visitor();
    expectConfiguration(app, await app.post('callback/credentials', { id: 'unknown' }, other));
    expect(app.log.types()).toEqual(['UnsupportedStrategy']);
    expect(app.log.errors[0]?.message).toMatch(/`authorize\(\)` must return a user of the store/);
    expect(sessionCookies(other)).toEqual([]);
    expect(store.sessions.size).toBe(1);
  });

  it('that another request ends, or that expires, during its extension is null', async () => {
    const store = memoryStore();
    const ends = { how: (_token: string): void => undefined };
    const app = await signedIn(
      door,
      {
        adapter: {
          ...store.adapter,
          extendSession: async ({ sessionToken }) => {
            ends.how(sessionToken);
            return false;
          },
        },
      },
      store,
    );
    app.clock.advance(2 * DAY);
    ends.how = (token) => {
      const row = store.sessions.get(token);
      if (row) row.expires = new Date(app.clock.now().getTime() - 1000);
    };
    expect(await app.session()).toBeNull();
    expect(store.sessions.size).toBe(0);
    expect(tokenOf(app)).toBe('');
  });

  it('emits the event `session` before the response is sent', async () => {
    const told: unknown[] = [];
    const session = async (message: unknown): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      told.push(message);
    };
    const app = await signedIn(door, { events: { session } });
    told.length = 0;
    const shown = await app.session();
    expect(told).toEqual([{ session: shown }]);
  });

  it('uses `replaceSession` and `extendSession` if the adapter has them', async () => {
    const store = memoryStore();
    const calls: string[] = [];
    const { adapter } = store;
    const app = await signedIn(
      door,
      {
        adapter: {
          ...adapter,
          replaceSession: async (old, session) => {
            calls.push('replaceSession');
            if (old) store.sessions.delete(old);
            store.sessions.set(session.sessionToken, session);
            return session;
          },
          extendSession: async ({ sessionToken, from, to }) => {
            calls.push('extendSession');
            const row = store.sessions.get(sessionToken);
            if (row?.expires.getTime() !== from.getTime()) return false;
            row.expires = to;
            return true;
          },
        },
      },
      store,
    );
    app.clock.advance(2 * DAY);
    await Promise.all(Array.from({ length: 5 }, () => app.session()));
    expect(calls).toContain('replaceSession');
    expect(calls).toContain('extendSession');
    expect(store.names()).not.toContain('createSession');
    expect(store.names()).not.toContain('updateSession');
    expect(await app.session()).not.toBeNull();
  });
});
