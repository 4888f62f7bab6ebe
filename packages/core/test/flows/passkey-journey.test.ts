import { type MemoryAdapter, memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import { CHALLENGE, passkeyScene, stored } from './passkey-scene.ts';
import { expectRefused, leadsTo, makeBrowserOf, sessionCookies, startsSession } from './scene.ts';

/** An adapter without the methods for which core stores more than Auth.js v5 does. */
function withoutDetails(): MemoryAdapter {
  const adapter = memoryAdapter();
  for (const method of ['listAccountsByUserId', 'updateAuthenticator'] as const)
    Reflect.deleteProperty(adapter, method);
  return adapter;
}

describe.each(doors)('a passkey through $name', (door) => {
  it.each(['ES256', 'RS256', 'EdDSA'] as const)(
    '%s: is registered, and signs in again without typing',
    async (algorithm) => {
      const app = passkeyScene(door);
      const authenticator = new SoftwareAuthenticator({ algorithm });
      const made = await app.register('ada@example.com', { authenticator });
      expect(leadsTo(made)).toBe('/');
      expect(startsSession(made)).toBe(true);
      expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
      const elsewhere = app.visitor();
      const back = await app.enter({ authenticator, browser: elsewhere });
      expect(leadsTo(back)).toBe('/');
      expect(await app.session(elsewhere)).toMatchObject({ user: { email: 'ada@example.com' } });
      expect(app.log.errors).toEqual([]);
    },
  );

  it.each(['jwt', 'database'] as const)('works with %s sessions', async (strategy) => {
    const app = passkeyScene(door, {}, { config: { session: { strategy } } });
    await app.register();
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    await app.post('signout');
    expect(await app.session()).toBeNull();
    await app.enter();
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    const second = new SoftwareAuthenticator();
    await app.add({ authenticator: second });
    expect(app.adapter.dump().authenticators).toHaveLength(2);
  });

  it('is stored as by Auth.js v5: ids and keys in base64 with padding, transports in one string', async () => {
    const app = passkeyScene(door, {}, { adapter: withoutDetails() });
    await app.register('Ada@Example.com ');
    const { users, accounts, authenticators } = app.adapter.dump();
    const id = stored(app.phone.passkeys[0]?.id ?? '');
    expect(users).toEqual([expect.objectContaining({ email: 'ada@example.com', emailVerified: null })]);
    const account = { provider: 'passkey', providerAccountId: id, type: 'webauthn', userId: users[0]?.id };
    expect(accounts).toEqual([account]);
    expect(authenticators).toEqual([
      {
        credentialID: id,
        credentialPublicKey: expect.stringMatching(/^[A-Za-z\d+/]+={0,2}$/),
        counter: 0,
        credentialDeviceType: 'multiDevice',
        credentialBackedUp: true,
        transports: 'internal,hybrid',
        providerAccountId: id,
        userId: users[0]?.id,
      },
    ]);
    expect(id).toHaveLength(28);
  });

  it('is reported to events and callbacks like every sign-in', async () => {
    const asked: unknown[] = [];
    const app = passkeyScene(door, {}, { config: { callbacks: { signIn: (params) => asked.push(params) > 0 } } });
    await app.register();
    expect(app.told.map(([event]) => event)).toEqual(['createUser', 'linkAccount', 'signIn']);
    const [, , [, signedIn]] = app.told as [unknown, unknown, [string, Record<string, unknown>]];
    const account = {
      provider: 'passkey',
      type: 'webauthn',
      providerAccountId: stored(app.phone.passkeys[0]?.id ?? ''),
    };
    expect(signedIn).toMatchObject({ isNewUser: true, account });
    await app.post('signout');
    await app.enter();
    expect(app.told.map(([event]) => event)).toEqual(['createUser', 'linkAccount', 'signIn', 'signIn']);
    expect(app.told.at(-1)?.[1]).toMatchObject({ isNewUser: false, account, user: { email: 'ada@example.com' } });
    expect(asked).toEqual([
      { user: expect.objectContaining({ email: 'ada@example.com' }), account, emailStatus: 'unknown' },
      { user: expect.objectContaining({ email: 'ada@example.com' }), account: expect.objectContaining(account) },
    ]);
  });

  it('calls the store in this order', async () => {
    const app = passkeyScene(door, {}, { config: { session: { strategy: 'database' } } });
    await app.register();
    const names = (): string[] => app.adapter.calls.map(({ method }) => method);
    expect(names()).toEqual([
      'getUserByEmail',
      'spendOnce',
      'getAuthenticator',
      'getAccount',
      'getUserByAccount',
      'getUserByEmail',
      'createUserWithAccount',
      'createAuthenticator',
      'replaceSession',
    ]);
    const before = names().length;
    const browser = app.visitor();
    await app.enter({ browser });
    expect(names().slice(before)).toEqual([
      'spendOnce',
      'getAuthenticator',
      'updateAuthenticator',
      'getAccount',
      'getUser',
      'getUserByAccount',
      'replaceSession',
    ]);
  });

  it('counts up where the authenticator does, and stays at zero where it does not', async () => {
    const app = passkeyScene(door);
    await app.register();
    for (const count of [1, 2, 3]) {
      await app.enter({ browser: app.visitor() });
      expect(app.adapter.dump().authenticators[0]?.counter).toBe(count);
    }
    const silent = new SoftwareAuthenticator({ counting: false });
    const bob = app.visitor();
    await app.register('bob@example.com', { authenticator: silent, browser: bob });
    for (const _ of [1, 2]) {
      const browser = app.visitor();
      expect(startsSession(await app.enter({ authenticator: silent, browser }))).toBe(true);
    }
    expect(app.adapter.dump().authenticators[1]?.counter).toBe(0);
  });

  it('is found by the typed address if it is not discoverable', async () => {
    const app = passkeyScene(door);
    await app.register('ada@example.com');
    const { options } = await app.options({ email: ' ADA@example.com' }, app.visitor());
    expect(options.allowCredentials).toEqual([
      { id: app.phone.passkeys[0]?.id, type: 'public-key', transports: ['hybrid', 'internal'] },
    ]);
    const browser = app.visitor();
    await app.enter({ browser, fields: { email: 'ada@example.com' } });
    expect(await app.session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('may be one of several of one user, each of which signs in', async () => {
    const app = passkeyScene(door);
    await app.register();
    const key = new SoftwareAuthenticator({ transports: ['usb', 'nfc'], algorithm: 'EdDSA' });
    const { options } = await app.options({ action: 'register' });
    expect(options.excludeCredentials).toEqual([
      { id: app.phone.passkeys[0]?.id, type: 'public-key', transports: ['hybrid', 'internal'] },
    ]);
    expect(() => app.phone.create(options, 'http://localhost:3000')).toThrow(
      'the authenticator has a passkey of this site already',
    );
    const added = await app.add({ authenticator: key });
    expect(leadsTo(added)).toBe('/');
    const { users, accounts, authenticators } = app.adapter.dump();
    expect([users.length, accounts.length, authenticators.length]).toEqual([1, 2, 2]);
    expect(authenticators.map(({ transports }) => transports)).toEqual(['internal,hybrid', 'usb,nfc']);
    // One user, one handle: authenticators show one entry.
    expect(key.passkeys[0]?.userHandle).toBe(app.phone.passkeys[0]?.userHandle);
    for (const authenticator of [app.phone, key]) {
      const browser = app.visitor();
      await app.enter({ authenticator, browser });
      expect(await app.session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
    }
    expect(app.told.map(([event]) => event).slice(0, 5)).toEqual([
      'createUser',
      'linkAccount',
      'signIn',
      'linkAccount',
      'signIn',
    ]);
  });

  it('can be added by a user of another provider who has no address', async () => {
    const app = passkeyScene(door);
    await app.adapter.createUser({ id: 'u1', name: 'Ada', emailVerified: null } as never);
    await app.adapter.createSession({ sessionToken: 's1', userId: 'u1', expires: new Date('2100-01-01') });
    app.browser.cookies.set('authjs.session-token', 's1');
    await makeBrowserOf(app.browser, 'u1');
    const { options } = await app.options({ action: 'register' });
    expect(options.user).toMatchObject({ name: 'Ada', displayName: 'Ada' });
    await app.add();
    expect(app.adapter.dump().authenticators).toMatchObject([{ userId: 'u1' }]);
    const browser = app.visitor();
    await app.enter({ browser });
    expect(await app.session(browser)).toMatchObject({ user: { name: 'Ada' } });
  });

  it('leads new users to the page for new users, and others back', async () => {
    const app = passkeyScene(door, {}, { config: { pages: { newUser: '/welcome' } } });
    const made = await app.register('ada@example.com', { fields: { callbackUrl: '/inbox' } });
    expect(leadsTo(made)).toBe(`/welcome?${new URLSearchParams({ callbackUrl: 'http://localhost:3000/inbox' })}`);
    const back = await app.enter({ browser: app.visitor(), fields: { callbackUrl: '/inbox' } });
    expect(leadsTo(back)).toBe('/inbox');
  });

  it('is refused or redirected by the `signIn` callback', async () => {
    for (const [answer, location] of [
      [false, '/auth/error?error=AccessDenied'],
      ['/waiting-list', '/waiting-list'],
    ] as const) {
      const app = passkeyScene(door, {}, { config: { callbacks: { signIn: () => answer } } });
      const page = await app.register();
      expect(leadsTo(page)).toBe(location);
      expect(startsSession(page)).toBe(false);
      expect(sessionCookies(app.browser)).toEqual([]);
      expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [], authenticators: [] });
      expect(app.browser.cookies.has(CHALLENGE)).toBe(false);
    }
  });

  it('can be restricted to existing users by the `signIn` callback', async () => {
    const app = passkeyScene(
      door,
      {},
      {
        config: {
          callbacks: { signIn: ({ user, account }) => account?.type !== 'webauthn' || 'emailVerified' in user },
        },
      },
    );
    expect(leadsTo(await app.register())).toBe('/auth/error?error=AccessDenied');
    expect(app.adapter.dump().users).toEqual([]);
    await app.adapter.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null });
    await app.adapter.createSession({ sessionToken: 's1', userId: 'u1', expires: new Date('2100-01-01') });
    app.browser.cookies.set('authjs.session-token', 's1');
    await makeBrowserOf(app.browser, 'u1');
    expect(leadsTo(await app.add({ authenticator: new SoftwareAuthenticator() }))).toBe('/');
    expect(app.adapter.dump().authenticators).toHaveLength(1);
  });

  it('can be posted as JSON, and by a script that asks for the URL', async () => {
    const app = passkeyScene(door);
    const { options } = await app.options({ action: 'register', email: 'ada@example.com' });
    const data = JSON.stringify(app.phone.create(options, 'http://localhost:3000'));
    const { csrfToken } = (await app.browser.get('/auth/csrf')).json<{ csrfToken: string }>();
    const page = await app.browser.post(
      '/auth/callback/passkey',
      { csrfToken, action: 'register', data },
      { json: true, headers: { 'x-auth-return-redirect': '1' } },
    );
    expect(page.json()).toEqual({ url: 'http://localhost:3000' });
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('is not started by GET, and POST signin leads to the page', async () => {
    const app = passkeyScene(door);
    expectRefused(app, await app.browser.get('/auth/callback/passkey'), 'InvalidProvider');
    expect(leadsTo(await app.post('signin/passkey'))).toBe('/auth/signin');
  });
});
