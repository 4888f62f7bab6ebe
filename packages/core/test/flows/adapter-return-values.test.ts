import { describe, expect, it } from 'vitest';
import type { AdapterUser } from '../../src/types/adapter.ts';
import { oneDoor } from './doors.ts';
import { mailScene, mailStore } from './email-scene.ts';
import { fakeProvider, oidc, scene } from './scene.ts';
import { memoryStore } from './store.ts';

const DAY = 86_400;

describe.each(oneDoor)('an adapter that writes correctly and returns little, through $name', (door) => {
  it('keeps a session if it returns null for its extension', async () => {
    const store = memoryStore();
    const { updateSession } = store.adapter;
    store.adapter.updateSession = async (session) => {
      await updateSession?.(session);
      return null;
    };
    const fake = fakeProvider({ now: () => app.clock.now() });
    const app = scene(door, { providers: [oidc(fake)], adapter: store.adapter });
    await app.signIn(fake);
    app.clock.advance(2 * DAY);
    const session = await app.session();
    expect(session).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(Date.parse((session as { expires: string }).expires)).toBe(app.clock.now().getTime() + 30 * DAY * 1000);
  });

  it('ends a session that is gone when it is extended', async () => {
    const store = memoryStore();
    store.adapter.updateSession = ({ sessionToken }) => {
      store.sessions.delete(sessionToken);
      return null;
    };
    const fake = fakeProvider({ now: () => app.clock.now() });
    const app = scene(door, { providers: [oidc(fake)], adapter: store.adapter });
    await app.signIn(fake);
    app.clock.advance(2 * DAY);
    expect(await app.session()).toBeNull();
  });

  it('keeps name and address of a user if it returns only the changed members', async () => {
    const store = mailStore();
    const app = mailScene(door, { session: { strategy: 'jwt' } }, { store });
    store.users.set('u1', { id: 'u1', name: 'Ada', email: 'ada@example.com', emailVerified: null });
    const { updateUser } = store.adapter;
    Object.assign(store.adapter, {
      updateUser: async (user: Partial<AdapterUser> & { id: string }) => {
        await updateUser(user);
        return { name: null, email: null, image: null, ...user };
      },
    });
    await app.open(await app.link('ada@example.com'));
    expect(await app.session()).toMatchObject({ user: { name: 'Ada', email: 'ada@example.com' } });
    expect(store.users.get('u1')?.emailVerified).toBeInstanceOf(Date);
  });
});
