import { readSession } from '@latchkey/core/binding';
import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { JWT, Session } from '../../src/types/session.ts';
import { names, origin, signedIn, storeWithAda, visitor } from './visitor.ts';

const day = 24 * 60 * 60;
const cookieName = 'authjs.session-token';

describe('readSession of a session in the cookie', () => {
  it('re-issues it where cookies can be set, and sets nothing else', async () => {
    const visit = await signedIn();
    const before = visit.jar.get(cookieName);
    visit.clock.advance(day);
    expect(await visit.session()).toMatchObject({ user: { name: 'Ada' } });
    expect(names(visit.set)).toEqual([cookieName]);
    expect(visit.jar.get(cookieName)).not.toBe(before);
    expect(visit.set[0]?.options.expires).toEqual(new Date(visit.clock.now().getTime() + 30 * day * 1000));
  });

  it('only reads it where they cannot', async () => {
    const visit = await signedIn();
    const before = visit.jar.get(cookieName);
    expect(await visit.session({ setCookie: undefined })).toMatchObject({ user: { name: 'Ada' } });
    expect([visit.set, visit.jar.get(cookieName)]).toEqual([[], before]);
    // No token is encoded without a cookie.
    const own = await signedIn({
      jwt: { encode: () => 'token', decode: () => ({ name: 'Ada' }) },
    });
    (own.configured.config.jwt as { encode: unknown }).encode = () => {
      throw new Error('encoded');
    };
    expect(await own.session({ setCookie: undefined })).toMatchObject({ user: { name: 'Ada' } });
  });

  it('clears what is unreadable where it can, and is null either way', async () => {
    const visit = visitor();
    visit.jar.set(cookieName, 'nonsense');
    expect(await visit.session({ setCookie: undefined })).toBe(null);
    expect([visit.set, visit.log.debugged]).toEqual([[], [['no session', { reason: 'cookie-unreadable' }]]]);
    expect(await visit.session({ renew: 'when-due' })).toBe(null);
    expect([names(visit.set), visit.jar.size]).toEqual([[cookieName], 0]);
  });
});

describe('readSession of a session in the store', () => {
  it('extends it where cookies can be set', async () => {
    const store = storeWithAda();
    const visit = await signedIn({ adapter: store.adapter });
    visit.clock.advance(2 * day);
    const session = await visit.session();
    const until = new Date(visit.clock.now().getTime() + 30 * day * 1000);
    expect(session?.expires).toBe(until.toISOString());
    expect([...store.sessions.values()].map(({ expires }) => expires)).toEqual([until]);
    expect(visit.set.map(({ name, options }) => [name, options.expires])).toEqual([[cookieName, until]]);
  });

  it('only reads it where they cannot', async () => {
    const store = storeWithAda();
    const visit = await signedIn({ adapter: store.adapter });
    const [row] = structuredClone([...store.sessions.values()]);
    visit.clock.advance(2 * day);
    store.calls.length = 0;
    const session = await visit.session({ setCookie: undefined });
    expect(session).toMatchObject({ user: { name: 'Ada' }, expires: row?.expires.toISOString() });
    expect([store.names(), visit.set]).toEqual([['getSessionAndUser'], []]);
    expect([...store.sessions.values()]).toEqual([row]);
  });
});

describe('readSession, only when it is due', () => {
  const half = 15 * day;
  const cases: [title: string, session: AuthConfig['session'], age: number, isRenewed: boolean][] = [
    ['a fresh session', {}, 60, false],
    ['one as old as `updateAge`', {}, day, true],
    ['one that is younger', {}, day - 60, false],
    ['any with `updateAge: 0`', { updateAge: 0 }, 0, true],
    ['a short one that is half over', { maxAge: 600 }, 300, true],
    ['a short one that is not', { maxAge: 600 }, 240, false],
    ['one that is half over, whatever `updateAge` says', { updateAge: 60 * day }, half, true],
  ];

  it.each(cases)('in the cookie: %s', async (_which, session, age, isRenewed) => {
    const visit = await signedIn({ session });
    const issued = visit.clock.now().getTime();
    visit.clock.advance(age);
    const read = await visit.session({ renew: 'when-due' });
    expect(read).toMatchObject({ user: { name: 'Ada' } });
    expect(names(visit.set)).toEqual(isRenewed ? [cookieName] : []);
    // It says when the cookie that the browser has will end.
    const start = isRenewed ? visit.clock.now().getTime() : Math.floor(issued / 1000) * 1000;
    expect(read?.expires).toBe(new Date(start + (session?.maxAge ?? 30 * day) * 1000).toISOString());
  });

  it.each<[string, Partial<AuthConfig>]>([
    ['shorter', { jwt: { maxAge: 600 } }],
    ['longer', { session: { maxAge: 600 }, jwt: { maxAge: 30 * day } }],
  ])('in the cookie: one whose token lives %s than it', async (_which, config) => {
    const visit = await signedIn(config);
    visit.clock.advance(300);
    await visit.session({ renew: 'when-due' });
    expect(names(visit.set)).toEqual([cookieName]);
  });

  it.each<[string, (token: JWT) => JWT]>([
    ['in place', (token) => Object.assign(token, { seen: true })],
    ['by a copy', (token) => ({ ...token, seen: true })],
    ['by taking away', ({ iat: _, ...token }) => token],
  ])('in the cookie: a token that the application changes %s', async (_how, change) => {
    const visit = await signedIn({
      callbacks: { jwt: ({ token, user }) => ((user as object | undefined) ? token : change(token)) },
    });
    await visit.session({ renew: 'when-due' });
    expect(names(visit.set)).toEqual([cookieName]);
  });

  it('in the cookie: an encoding of the application without `iat`', async () => {
    const visit = await signedIn({ jwt: { encode: () => 'token', decode: () => ({ name: 'Ada' }) } });
    await visit.session({ renew: 'when-due' });
    expect(names(visit.set)).toEqual([cookieName]);
  });

  it.each(cases.slice(0, 4))('in the store: %s', async (_which, session, age, isRenewed) => {
    const visit = await signedIn({ adapter: storeWithAda().adapter, session });
    visit.clock.advance(age);
    await visit.session({ renew: 'when-due' });
    expect(names(visit.set)).toEqual(isRenewed ? [cookieName] : []);
  });

  it('in the store: each one without `when-due`', async () => {
    const visit = await signedIn({ adapter: storeWithAda().adapter });
    await visit.session();
    expect(names(visit.set)).toEqual([cookieName]);
  });
});

describe('readSession', () => {
  it('sets a new CSRF token and callback URL with `cookies: all`, like the action', async () => {
    const visit = visitor();
    expect(await visit.session({ cookies: 'all' })).toBe(null);
    expect(names(visit.set)).toEqual(['authjs.csrf-token', 'authjs.callback-url']);
    visit.set.length = 0;
    expect(await visitor().session()).toBe(null);
    expect(visit.set).toEqual([]);
    expect(await visit.session({ cookies: 'all', setCookie: undefined })).toBe(null);
    expect(visit.set).toEqual([]);
  });

  it('returns the session although the host refuses its cookies', async () => {
    const visit = await signedIn();
    const setCookie = (): never => {
      throw new Error('headers have been sent');
    };
    expect(await visit.session({ setCookie })).toMatchObject({ user: { name: 'Ada' } });
    expect(visit.log.debugged).toContainEqual(['the host took no cookies', { reason: 'headers have been sent' }]);
  });

  it('is a copy, as a client would get it', async () => {
    const kept = { expires: 'never', user: { name: 'Ada' }, when: new Date(0), nothing: undefined };
    const visit = await signedIn({ callbacks: { session: () => kept as unknown as Session } });
    const session = await visit.session();
    expect(session).toEqual({ expires: 'never', user: { name: 'Ada' }, when: '1970-01-01T00:00:00.000Z' });
    expect(Object.keys(session ?? {})).not.toContain('nothing');
    (session as typeof kept).user.name = 'Eve';
    expect(kept.user.name).toBe('Ada');
  });

  it.each([
    ['a circle', () => Object.assign({ expires: '' }, { toJSON: () => circle() })],
    ['a bigint', () => ({ expires: '', n: 1n })],
  ])('throws, typed, when the application returns %s', async (_what, session) => {
    const visit = await signedIn({ callbacks: { session: session as () => Session } });
    const error = await visit.session().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthError);
    expect((error as AuthError).message).toContain('callbacks.session');
  });

  it.each([
    ['the callback throws', { session: () => Promise.reject(new Error('down')) }],
    ['the callback returns nothing', { session: () => null as unknown as Session }],
    ['the callback returns an empty object', { session: () => ({}) as Session }],
  ])('is null when %s', async (_when, callbacks) => {
    expect(await (await signedIn({ callbacks })).session()).toBe(null);
  });

  it('is null when the store is down, and takes nothing from the visitor', async () => {
    const store = storeWithAda();
    const visit = await signedIn({ adapter: store.adapter });
    store.faults.getSessionAndUser = 'before';
    expect(await visit.session()).toBe(null);
    expect([visit.set, visit.log.types()]).toEqual([[], ['SessionTokenError']]);
    expect(await visit.session()).toMatchObject({ user: { name: 'Ada' } });
  });

  it('reads the same session with any base path', async () => {
    const visit = await signedIn();
    const cookie = `${cookieName}=${visit.jar.get(cookieName)}`;
    for (const basePath of ['', '/', '/deep/down', undefined])
      expect(await readSession(visit.configured, { origin, basePath, cookie })).toMatchObject({
        user: { name: 'Ada' },
      });
  });
});

function circle(): object {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  return self;
}
