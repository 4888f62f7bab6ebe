import { signOut } from '@latchkey/core/binding';
import { describe, expect, it, vi } from 'vitest';
import { destination, names, origin, signedIn, storeWithAda, visitor } from './visitor.ts';

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
    const store = storeWithAda();
    const visit = await signedIn({ adapter: store.adapter });
    expect(store.sessions.size).toBe(1);
    await destination(signOut(visit.configured, visit.host()));
    expect([store.sessions.size, visit.jar.has('authjs.session-token')]).toEqual([0, false]);
  });

  it('ends it in the browser if the store is unavailable', async () => {
    const store = storeWithAda();
    const visit = await signedIn({ adapter: store.adapter });
    store.faults.deleteSession = 'before';
    expect(await destination(signOut(visit.configured, visit.host()))).toBe(`${origin}/`);
    expect(visit.jar.has('authjs.session-token')).toBe(false);
    expect(visit.log.types()).toEqual(['SignOutError']);
  });

  it('returns the address and its cookies with `redirect: false`', async () => {
    const visit = await signedIn();
    const { redirect, cookies } = await signOut(visit.configured, visit.host(), {
      redirect: false,
      redirectTo: '/bye',
    });
    expect(redirect).toBe(`${origin}/bye`);
    expect(cookies).toEqual(visit.set);
    expect(names(cookies)).toContain('authjs.session-token');
  });

  it('works for a visitor who is not signed in', async () => {
    const visit = visitor();
    expect(await destination(signOut(visit.configured, visit.host()))).toBe(`${origin}/`);
  });
});
