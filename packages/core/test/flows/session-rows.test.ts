import { describe, expect, it } from 'vitest';
import { type Door, oneDoor } from './doors.ts';
import { fakeProvider, oidc, type Scene, scene, sessionCookies } from './scene.ts';
import { type MemoryStore, memoryStore } from './store.ts';

const NAME = 'authjs.session-token';
const second = { user: { sub: 'other', email: 'other@example.com' } };

interface Shop extends Scene {
  readonly store: MemoryStore;
  readonly enter: (id?: string) => ReturnType<Scene['signIn']>;
}

/** Makes an application with two providers and sessions in a store that records its calls. */
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

describe.each(oneDoor)('the calls of a database session to the store, through $name', (door) => {
  it('are not read if the browser has no session, when it reads or signs out', async () => {
    const app = shop(door);
    expect(await app.session()).toBeNull();
    await app.post('signout');
    expect(app.store.names()).toEqual([]);
    expect(app.log.errors).toEqual([]);
  });

  it('delete the replaced session, if any, and do not look the user up again', async () => {
    const app = shop(door);
    await app.enter();
    expect(app.store.names()).not.toContain('deleteSession');
    expect(app.store.names()).not.toContain('getUser');
    const old = app.browser.cookies.get(NAME)?.value;
    await app.enter();
    expect(app.store.calls).toContainEqual(['deleteSession', old]);
  });

  it('may fail to delete the replaced session: the failure is logged, and the new session starts', async () => {
    const app = shop(door);
    await app.enter();
    app.store.faults.deleteSession = 'before';
    await app.enter();
    expect(await app.session()).not.toBeNull();
    expect(app.log.types()).toEqual(['SessionTokenError']);
    expect(app.log.errors[0]?.message).toMatch(/^the replaced session could not be deleted/);
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(/`deleteSession` failed/);
  });
});

describe.each(oneDoor)('the cookie of a database session through $name', (door) => {
  it('is set once, and left-over chunks of a JWT session are cleared', async () => {
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

describe.each(oneDoor)('the user of a database session, through $name', (door) => {
  it('can link a second account', async () => {
    const app = shop(door);
    await app.enter();
    await app.enter('second');
    expect(app.store.users.size).toBe(1);
    expect([...app.store.accounts.values()].map(({ provider }) => provider)).toEqual(['fake', 'second']);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('links no account after the session has expired, to the second', async () => {
    const app = shop(door);
    await app.enter();
    const token = app.browser.cookies.get(NAME)?.value ?? '';
    app.clock.advance(601);
    app.browser.cookies.set(NAME, token);
    await app.enter('second');
    expect(app.store.users.size).toBe(2);
  });
});
