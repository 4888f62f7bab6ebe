import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Adapter } from '../../src/adapters.ts';
import Credentials from '../../src/providers/credentials.ts';
import { expectConfiguration, fakeProvider, oidc, startsSession } from '../flows/scene.ts';
import { mailSite, site, storeSite } from './site.ts';

const DAY = 86_400;

/** What an adapter has by the contract. */
function methodsOf(adapter: Adapter): Adapter {
  return Object.fromEntries(Object.entries(adapter).filter(([, member]) => typeof member === 'function'));
}

describe('adapter interface: all methods are optional', () => {
  it('a method that nothing configured needs may be missing', async () => {
    expectTypeOf<Record<never, never>>().toExtend<Adapter>();
    const providers = [Credentials({ authorize: () => ({ id: '1' }) })];
    const app = site({ adapter: {}, session: { strategy: 'jwt' }, providers });
    expect(startsSession(await app.post('callback/credentials'))).toBe(true);
  });

  // Found up front (contract 22), so that it shows with the first request and not with the first visitor who needs it.
  const needed = {
    'users and accounts': ['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'updateUser', 'linkAccount'],
    sessions: ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
    'verification tokens': ['createVerificationToken', 'useVerificationToken'],
  };

  it.each(Object.values(needed).flat())(
    'when `%s` is missing and needed, the operation fails with an error shown to the user',
    async (method) => {
      const adapter = { ...methodsOf(memoryAdapter({ optional: false })), [method]: undefined };
      const app = mailSite({ adapter, providers: [oidc(fakeProvider())] });
      const page = await app.browser.get('/auth/signin');
      expect(page.status).toBe(500);
      expect(page.text()).toContain('Server error');
      expect(app.log.types()).toEqual(['MissingAdapterMethods']);
      expect(app.log.errors[0]?.message).toContain(method);
    },
  );

  it('a method that fails: an error shown to the user, and the operation fails', async () => {
    const app = storeSite();
    app.adapter.fail('createSession');
    expectConfiguration(app, await app.enter());
    expect(app.log.types()).toEqual(['AdapterError']);
  });
});

describe('adapter interface: which method is called when, and with what', () => {
  it('createUser | AdapterUser -> AdapterUser', async () => {
    const app = storeSite();
    await app.enter();
    const user = { id: expect.any(String), name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: null };
    expect(app.calledWith('createUser')).toEqual([[expect.objectContaining(user)]]);
  });

  it('createUser | the id of what it returns counts', async () => {
    const adapter = memoryAdapter({ optional: false });
    const createUser: Adapter['createUser'] = (user) => adapter.createUser({ ...user, id: 'made-by-the-store' });
    const app = storeSite({ adapter: { ...methodsOf(adapter), createUser } });
    await app.enter();
    expect([...adapter.store.accounts.values()][0]?.userId).toBe('made-by-the-store');
  });

  it('getUser | id -> AdapterUser or null', async () => {
    const app = storeSite({ session: { strategy: 'jwt' } });
    await app.enter();
    await app.begin();
    expect(app.calledWith('getUser')).toEqual([[[...app.adapter.store.users.keys()][0]]]);
  });

  it('getUserByEmail | email -> AdapterUser or null', async () => {
    const app = storeSite();
    await app.enter();
    expect(app.calledWith('getUserByEmail')).toEqual([['ada@example.com']]);
  });

  it('getUserByAccount | `{provider, providerAccountId}` -> AdapterUser or null', async () => {
    const app = storeSite();
    await app.enter();
    expect(app.calledWith('getUserByAccount')[0]).toEqual([{ provider: 'fake', providerAccountId: 'ada-1815' }]);
  });

  it('updateUser | partial AdapterUser with `id` -> AdapterUser', async () => {
    const app = mailSite();
    const user = { id: 'u1', email: 'ada@example.com', emailVerified: null };
    await app.store.adapter.createUser(user);
    await app.open(await app.link('ada@example.com'));
    const changes = { id: 'u1', emailVerified: app.clock.now() };
    expect(app.store.calls.find(([method]) => method === 'updateUser')).toEqual(['updateUser', changes]);
  });

  it('linkAccount | AdapterAccount', async () => {
    const app = storeSite();
    await app.enter();
    const [userId] = app.adapter.store.users.keys();
    const account = { provider: 'fake', providerAccountId: 'ada-1815', type: 'oidc', userId };
    expect(app.calledWith('linkAccount')).toEqual([[expect.objectContaining(account)]]);
  });

  it('linkAccount | void', async () => {
    const adapter = memoryAdapter({ optional: false });
    const linkAccount: Adapter['linkAccount'] = async (account) => void (await adapter.linkAccount(account));
    expect(startsSession(await storeSite({ adapter: { ...methodsOf(adapter), linkAccount } }).enter())).toBe(true);
  });

  it('createSession | `{sessionToken, userId, expires}` -> AdapterSession', async () => {
    const app = storeSite();
    await app.enter();
    const row = { sessionToken: expect.any(String), userId: expect.any(String), expires: expect.any(Date) };
    expect(app.calledWith('createSession')).toEqual([[row]]);
  });

  it('getSessionAndUser | sessionToken -> `{session, user}` or null', async () => {
    const app = storeSite();
    await app.enter();
    const [token] = app.adapter.store.sessions.keys();
    await app.session();
    expect(app.calledWith('getSessionAndUser')).toEqual([[token]]);
    app.adapter.store.sessions.clear();
    expect(await app.session()).toBeNull();
  });

  it('updateSession | partial AdapterSession with `sessionToken` -> AdapterSession or null', async () => {
    const app = storeSite();
    await app.enter();
    app.clock.advance(DAY);
    await app.session();
    const [sessionToken] = app.adapter.store.sessions.keys();
    const expires = new Date(app.clock.now().getTime() + 30 * DAY * 1000);
    expect(app.calledWith('updateSession')).toEqual([[{ sessionToken, expires }]]);
  });

  it('deleteSession | sessionToken -> void, or the deleted session', async () => {
    const app = storeSite();
    await app.enter();
    const [token] = app.adapter.store.sessions.keys();
    await app.post('signout');
    expect(app.calledWith('deleteSession')).toEqual([[token]]);
  });

  it('createVerificationToken | VerificationToken -> VerificationToken or null', async () => {
    const app = mailSite();
    await app.ask('ada@example.com');
    const [call] = app.store.calls.filter(([method]) => method === 'createVerificationToken');
    const row = {
      identifier: 'ada@example.com',
      token: expect.stringMatching(/^[\da-f]{64}$/),
      expires: expect.any(Date),
    };
    expect(call).toEqual(['createVerificationToken', row]);
  });

  it('useVerificationToken | `{identifier, token}` -> VerificationToken or null; deletes it', async () => {
    const app = mailSite();
    const link = await app.link('ada@example.com');
    const [token] = [...app.store.tokens.values()].map((row) => row.token);
    await app.open(link);
    const [call] = app.store.calls.filter(([method]) => method === 'useVerificationToken');
    expect(call).toEqual(['useVerificationToken', { identifier: 'ada@example.com', token }]);
    expect(app.store.tokens.size).toBe(0);
  });

  it('`unlinkAccount` and `getAccount` (passkeys) are not called by these flows', async () => {
    const app = storeSite();
    await app.enter();
    await app.session();
    await app.post('signout');
    for (const method of ['unlinkAccount', 'getAccount', 'deleteUser']) expect(app.methods()).not.toContain(method);
  });
});
