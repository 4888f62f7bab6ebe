import { signIn, signOut } from '@latchkey/core/binding';
import { describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../flows/store.ts';
import { destination, names, origin, startsSession, type Visitor, visitor } from './visitor.ts';

const ada = { id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null };

async function signedIn(config: object = {}): Promise<Visitor> {
  const visit = visitor(config);
  await signIn(visit.configured, visit.host(), 'credentials', { password: 'password', redirect: false });
  expect(startsSession(visit.set)).toBe(true);
  visit.set.length = 0;
  return visit;
}

function stored() {
  const store = memoryStore();
  store.users.set('1', ada);
  return store;
}

describe('signOut', () => {
  it('ends a session that lives in the cookie', async () => {
    const signOutEvent = vi.fn();
    const visit = await signedIn({ events: { signOut: signOutEvent } });
    expect(await destination(signOut(visit.configured, visit.host(), { redirectTo: '/bye' }))).toBe(`${origin}/bye`);
    expect(await visit.session()).toBe(null);
    expect(visit.jar.has('authjs.session-token')).toBe(false);
    expect(signOutEvent).toHaveBeenCalledExactlyOnceWith({ token: expect.objectContaining({ name: 'Ada' }) });
  });

  it('ends a session that lives in the store', async () => {
    const store = stored();
    const visit = await signedIn({ adapter: store.adapter });
    expect(store.sessions.size).toBe(1);
    await destination(signOut(visit.configured, visit.host()));
    expect([store.sessions.size, visit.jar.has('authjs.session-token')]).toEqual([0, false]);
  });

  it('ends it in the browser when the store is down', async () => {
    const store = stored();
    const visit = await signedIn({ adapter: store.adapter });
    store.faults.deleteSession = 'before';
    expect(await destination(signOut(visit.configured, visit.host()))).toBe(`${origin}/`);
    expect(visit.jar.has('authjs.session-token')).toBe(false);
    expect(visit.log.types()).toEqual(['SignOutError']);
  });

  it('tells the address and the cookies that it has set, when it is not to redirect', async () => {
    const visit = await signedIn();
    const { redirect, cookies } = await signOut(visit.configured, visit.host(), {
      redirect: false,
      redirectTo: '/bye',
    });
    expect(redirect).toBe(`${origin}/bye`);
    expect(cookies).toEqual(visit.set);
    expect(names(cookies)).toContain('authjs.session-token');
  });

  it('needs nobody to be signed in', async () => {
    const visit = visitor();
    expect(await destination(signOut(visit.configured, visit.host()))).toBe(`${origin}/`);
  });
});
