import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import { type Door, doors } from './doors.ts';
import { fakeProvider, oidc, type Scene, scene, sessionCookies } from './scene.ts';
import { type MemoryStore, memoryStore } from './store.ts';

const NAME = 'authjs.session-token';
const second = { user: { sub: 'other', email: 'other@example.com' } };

interface Shop extends Scene {
  readonly store: MemoryStore;
  readonly enter: (id?: string) => ReturnType<Scene['signIn']>;
}

/** An application with two providers and sessions in a store that notes what it is asked. */
function shop(door: Door, maxAge = 600): Shop {
  const fake = fakeProvider({ now: () => app.clock.now() });
  const store = memoryStore();
  const app = scene(door, {
    providers: [oidc(fake), oidc(fake, { id: 'second', name: 'Second' })],
    adapter: store.adapter,
    session: { maxAge },
  });
  return { ...app, store, enter: (id) => app.signIn(fake, id === 'second' ? { id, consent: second } : {}) };
}

describe.each(doors)('what a database session asks of the store, through $name', (door) => {
  it('is nothing where the browser has none: neither reading nor leaving', async () => {
    const app = shop(door);
    expect(await app.session()).toBeNull();
    await app.post('signout');
    expect(app.store.names()).toEqual([]);
    expect(app.log.errors).toEqual([]);
  });

  it('is to delete the session that is replaced, where there is one, and no user that it has just had', async () => {
    const app = shop(door);
    await app.enter();
    expect(app.store.names()).not.toContain('deleteSession');
    expect(app.store.names()).not.toContain('getUser');
    const old = app.browser.cookies.get(NAME)?.value;
    await app.enter();
    expect(app.store.calls).toContainEqual(['deleteSession', old]);
  });

  it('is told by the log where it fails to delete that one; the new one starts', async () => {
    const app = shop(door);
    await app.enter();
    app.store.faults.deleteSession = 'before';
    await app.enter();
    expect(await app.session()).not.toBeNull();
    expect(app.log.types()).toEqual(['SessionTokenError']);
    expect(app.log.errors[0]?.message).toMatch(/^the replaced session could not be deleted/);
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(/`deleteSession` failed/);
  });

  it('is told by the log where it fails when the visitor leaves', async () => {
    const app = shop(door);
    await app.enter();
    app.store.faults.deleteSession = 'before';
    await app.post('signout');
    expect(app.log.errors[0]?.message).toMatch(/^the session could not be deleted/);
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(/`deleteSession` failed/);
  });

  it('lasts to the very instant at which it expires', async () => {
    const app = shop(door);
    await app.enter();
    const [row] = app.store.sessions.values();
    const token = app.browser.cookies.get(NAME)?.value ?? '';
    app.clock.set(row?.expires ?? '');
    app.browser.cookies.set(NAME, token);
    expect(await app.session()).not.toBeNull();
  });
});

describe.each(doors)('the cookie of a database session through $name', (door) => {
  it('is set once, and what is left of a session in pieces goes', async () => {
    const app = shop(door);
    app.browser.cookies.set(NAME, 'planted');
    for (const index of [0, 1]) app.browser.cookies.set(`${NAME}.${index}`, 'piece');
    const page = await app.enter();
    const set = page.setCookies.filter(({ name }) => name.startsWith(NAME));
    expect(set.map(({ name, value }) => [name, value !== '']).sort()).toEqual([
      [NAME, true],
      [`${NAME}.0`, false],
      [`${NAME}.1`, false],
    ]);
    expect(sessionCookies(app.browser)).toEqual([NAME]);
    expect(await app.session()).not.toBeNull();
  });
});

describe.each(doors)('the visitor of a database session, through $name', (door) => {
  it('is who links a second account', async () => {
    const app = shop(door);
    await app.enter();
    await app.enter('second');
    expect(app.store.users.size).toBe(1);
    expect([...app.store.accounts.keys()].map((key) => key.split(':')[0])).toEqual(['fake', 'second']);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('is nobody once it has expired, to the second', async () => {
    const app = shop(door);
    await app.enter();
    const token = app.browser.cookies.get(NAME)?.value ?? '';
    app.clock.advance(601);
    app.browser.cookies.set(NAME, token);
    await app.enter('second');
    expect(app.store.users.size).toBe(2);
  });

  it('must be one of the store, and the log says how', async () => {
    const app = scene(door, {
      providers: [Credentials({ authorize: () => ({ id: 'nobody' }) }), oidc(fakeProvider())],
      adapter: memoryStore().adapter,
    });
    await app.post('callback/credentials');
    expect(app.log.errors[0]?.message).toMatch(/`authorize\(\)` must return a user of the store/);
  });
});
