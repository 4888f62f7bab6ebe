import { updateSession } from '@latchkey/core/binding';
import { describe, expect, it, vi } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Session } from '../../src/types/session.ts';
import { signedIn, storeWithAda, visitor } from './visitor.ts';

/** Stores the name of an update in the token. */
const inToken: AuthConfig['callbacks'] = {
  jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, name: session?.name } : token),
};

describe('updateSession', () => {
  it('changes one in the cookie, for the next call', async () => {
    const visit = await signedIn({ callbacks: inToken });
    const updated = await updateSession(visit.configured, visit.host(), { name: 'Countess' });
    expect(updated).toMatchObject({ user: { name: 'Countess' } });
    expect(await visit.session()).toMatchObject({ user: { name: 'Countess' } });
  });

  it('changes one in the store, if the application does', async () => {
    const store = storeWithAda();
    const session: NonNullable<AuthConfig['callbacks']>['session'] = async (params) => {
      const { newSession } = params as unknown as { newSession?: { name: string } };
      if (newSession) await store.adapter.updateUser?.({ id: '1', name: newSession.name });
      return { expires: '', user: { name: store.users.get('1')?.name ?? '' } } as Session;
    };
    const visit = await signedIn({ adapter: store.adapter, callbacks: { session } });
    expect(await updateSession(visit.configured, visit.host(), { name: 'Countess' })).toMatchObject({
      user: { name: 'Countess' },
    });
    expect(await visit.session()).toMatchObject({ user: { name: 'Countess' } });
  });

  it('passes the plain data that a client could have sent', async () => {
    const seen = vi.fn(({ token }) => token);
    const visit = await signedIn({ callbacks: { jwt: seen } });
    const when = new Date(0);
    const data = { when, nothing: undefined, list: [1, { a: 'b' }], evil: JSON.parse('{"__proto__": {"admin": 1}}') };
    await updateSession(visit.configured, visit.host(), data);
    const { trigger, session } = seen.mock.lastCall?.[0] ?? {};
    expect([trigger, session]).toEqual(['update', { when: when.toISOString(), list: [1, { a: 'b' }], evil: {} }]);
    const posted = visit.host();
    posted.headers.set('content-type', 'application/x-www-form-urlencoded');
    await updateSession(visit.configured, posted, ['a', 'b']);
    expect(seen.mock.lastCall?.[0].session).toEqual(['a', 'b']);
    await updateSession(visit.configured, visit.host(), undefined);
    expect(seen.mock.lastCall?.[0]).toMatchObject({ trigger: 'update', session: undefined });
  });

  it('throws for data that JSON cannot carry, and changes nothing', async () => {
    const visit = await signedIn({ callbacks: inToken });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const data of [circle, { n: 1n }])
      await expect(updateSession(visit.configured, visit.host(), data)).rejects.toThrow(/plain data/);
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`);
    await expect(updateSession(visit.configured, visit.host(), deep)).rejects.toThrow(AuthError);
    expect(visit.set).toEqual([]);
  });

  it('is null if the visitor is not signed in, or the application ends the session', async () => {
    const signedOut = visitor();
    expect(await updateSession(signedOut.configured, signedOut.host(), {})).toBe(null);
    const ended = await signedIn({
      callbacks: { jwt: ({ token, trigger }) => (trigger === 'update' ? null : token) as typeof token },
    });
    expect(await updateSession(ended.configured, ended.host(), {})).toBe(null);
    expect(ended.jar.has('authjs.session-token')).toBe(false);
  });

  it('is null and keeps the cookie if the store is unavailable', async () => {
    const store = storeWithAda();
    const visit = await signedIn({ adapter: store.adapter });
    store.faults.getSessionAndUser = 'before';
    expect(await updateSession(visit.configured, visit.host({ hasClient: true }), {})).toBe(null);
    expect(visit.set.map(({ name }) => name)).not.toContain('authjs.session-token');
    expect(await visit.session()).toMatchObject({ user: { name: 'Ada' } });
  });
});
