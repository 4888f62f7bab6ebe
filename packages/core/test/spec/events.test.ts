import { describe, expect, it } from 'vitest';
import type { EventCallbacks } from '../../src/types.ts';
import { noting, startsSession } from '../flows/scene.ts';
import { claims, credentialsSite, mailSite, names, oidcSite, SESSION, storeSite, told, update } from './site.ts';

const user = expect.objectContaining({ email: 'ada@example.com' });

describe('events', () => {
  it('createUser | `user` | a user is created', async () => {
    const app = storeSite();
    await app.enter();
    expect(told(app, 'createUser')).toEqual({ user: [...app.adapter.store.users.values()][0] });
  });

  it('updateUser | `user` | a user is updated', async () => {
    const app = mailSite();
    await app.store.adapter.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null });
    await app.open(await app.link('ada@example.com'));
    const updated = { id: 'u1', email: 'ada@example.com', emailVerified: app.clock.now() };
    expect(told(app as never, 'updateUser')).toEqual({ user: updated });
  });

  it('linkAccount | `user`, `account`, `profile` | an account is linked to a user', async () => {
    const app = storeSite();
    await app.enter();
    const account = expect.objectContaining({ provider: 'fake', providerAccountId: 'ada-1815' });
    expect(told(app, 'linkAccount')).toEqual({ user, account, profile: user });
  });

  it('signIn | `user`, `account`, `profile?`, `isNewUser?` | a user signs in', async () => {
    const app = storeSite();
    await app.enter();
    await app.enter();
    const account = expect.objectContaining({ provider: 'fake' });
    const profile = expect.objectContaining({ sub: 'ada-1815' });
    const signIns = app.told.filter(([event]) => event === 'signIn').map(([, message]) => message);
    expect(signIns).toEqual([
      { user, account, profile, isNewUser: true },
      { user, account, profile, isNewUser: false },
    ]);
  });

  it('signIn | `user` is the raw provider response for credentials', async () => {
    const app = credentialsSite(() => ({ id: '7', name: 'Ada', role: 'admin' }) as never);
    await app.enter();
    expect(told(app, 'signIn')).toMatchObject({ user: { id: '7', name: 'Ada', role: 'admin' } });
  });

  /** As models of object-relational mappers are: with getters of their class. */
  class Person {
    id: unknown;
    constructor(id: unknown) {
      this.id = id;
    }
    get name(): string {
      return `Person ${this.id}`;
    }
  }

  it.each(['7', 7, undefined])(
    'signIn | … an object of the application’s own class, too; its id was %j',
    async (id) => {
      const person = new Person(id);
      const app = credentialsSite(() => person as never);
      await app.enter();
      expect((told(app, 'signIn') as { user?: unknown }).user).toBe(person);
      expect(person.id).toEqual(id === undefined ? expect.any(String) : '7');
      expect(await app.session()).toMatchObject({ user: { name: `Person ${person.id}` } });
    },
  );

  it('signIn | … but a copy of a plain object: what callbacks do to it is not done to the application’s own', async () => {
    const user = { id: '7', name: 'Ada' };
    const app = credentialsSite(() => user);
    await app.enter();
    expect((told(app, 'signIn') as { user?: unknown }).user).not.toBe(user);
  });

  it.each([
    ['a frozen object of a class', () => Object.freeze(new Person(7))],
    ['a model that refuses what is set', () => new Proxy(new Person(7), { set: () => expect.unreachable() })],
    ['a plain object', () => ({ id: 7 })],
  ])('signIn | … but a copy of %s whose id is no text', async (_, make) => {
    const user = make();
    const app = credentialsSite(() => user as never);
    await app.enter();
    expect(told(app, 'signIn')).toMatchObject({ user: { id: '7' }, account: { providerAccountId: '7' } });
    expect(user.id).toBe(7);
  });

  it('signOut | `{session}` for database sessions', async () => {
    const app = storeSite();
    await app.enter();
    const [session] = app.adapter.store.sessions.values();
    await app.post('signout');
    expect(told(app, 'signOut')).toEqual({ session });
  });

  it('signOut | `{session}` is undefined or null where the store returns nothing', async () => {
    const app = storeSite();
    await app.enter();
    app.adapter.store.sessions.clear();
    await app.post('signout');
    expect(told(app, 'signOut')).toEqual({ session: null });
  });

  it('signOut | `{token}` for jwt sessions', async () => {
    const app = oidcSite();
    await app.enter();
    const token = await claims(app);
    await app.post('signout');
    expect(told(app, 'signOut')).toEqual({ token });
  });

  it('session | `session` and `token` (jwt strategy) | a session is checked', async () => {
    const app = oidcSite();
    await app.enter();
    const session = await app.session();
    expect(told(app, 'session')).toEqual({ session, token: expect.objectContaining({ name: 'Ada Lovelace' }) });
  });

  it('session | `session` (database strategy) | a session is checked', async () => {
    const app = storeSite();
    await app.enter();
    const session = await app.session();
    expect(told(app, 'session')).toEqual({ session });
    await update(app, {});
    expect(names(app).filter((name) => name === 'session')).toHaveLength(2);
  });
});

describe('event handlers', () => {
  it('are asynchronous', async () => {
    const order: string[] = [];
    const signIn = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push('told');
    };
    await oidcSite({ events: { signIn } }).enter();
    order.push('answered');
    expect(order).toEqual(['told', 'answered']);
  });

  it('return nothing: what they return changes nothing, and one that throws is only logged', async () => {
    const fails = oidcSite({ events: { signIn: () => Promise.reject(new Error('the audit log is down')) } });
    expect(startsSession(await fails.enter())).toBe(true);
    expect(fails.log.types()).toEqual(['EventError']);
    const session: EventCallbacks['session'] = () => noting([], 0, { name: 'Eve' }) as never;
    const app = oidcSite({ events: { session } });
    await app.enter();
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
  });

  it('default is no handlers', async () => {
    const app = oidcSite({ events: undefined });
    expect(startsSession(await app.enter())).toBe(true);
    expect(app.browser.cookies.has(SESSION)).toBe(true);
    expect(app.told).toEqual([]);
  });
});
