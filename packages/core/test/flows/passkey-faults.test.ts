import { memoryAdapter, SoftwareAuthenticator } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { oneDoor } from './doors.ts';
import { CHALLENGE, passkeyScene } from './passkey-scene.ts';
import { expectConfiguration, expectRefused, leadsTo } from './scene.ts';

const kinds = { 'with all methods': undefined, 'with the methods of the contract': false } as const;

describe.each(oneDoor)('a store that fails while a passkey is made, through $name', (door) => {
  describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('%s', (kind) => {
    // Others get their turn at each call, as with a real store.
    const latency = () => new Promise<void>((resolve) => setImmediate(resolve));
    const appOf = () =>
      passkeyScene(door, {}, { adapter: memoryAdapter({ optional: kinds[kind], latency } as never) as never });
    const creating = kind === 'with all methods' ? 'createUserWithAccount' : 'createUser';

    it.each([creating, 'createAuthenticator', 'getUserByAccount', 'getAuthenticator'] as const)(
      'leaves nothing behind when `%s` fails, and the next try goes through',
      async (method) => {
        const app = appOf();
        app.adapter.fail(method);
        expectConfiguration(app, await app.register());
        expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [], authenticators: [], sessions: [] });
        expect(app.browser.cookies.has(CHALLENGE)).toBe(false);
        expect(app.told).toEqual([]);
        expect(leadsTo(await app.register('ada@example.com', { authenticator: new SoftwareAuthenticator() }))).toBe(
          '/',
        );
      },
    );

    it.each([creating, 'createAuthenticator'] as const)(
      'finds that `%s` has written and only its answer was lost',
      async (method) => {
        const app = appOf();
        app.adapter.fail(method, 'after');
        expect(leadsTo(await app.register())).toBe('/');
        expect(app.adapter.dump()).toMatchObject({ users: [{}], accounts: [{}], authenticators: [{}] });
        const browser = app.visitor();
        await app.enter({ browser });
        expect(await app.session(browser)).toMatchObject({ user: { email: 'ada@example.com' } });
      },
    );

    it('takes the account back, and not the user, when a further passkey cannot be stored', async () => {
      const app = appOf();
      await app.register();
      app.adapter.fail('createAuthenticator');
      const key = new SoftwareAuthenticator();
      expect(leadsTo(await app.add({ authenticator: key }))).toMatch('/auth/error?error=Configuration');
      expect(app.adapter.dump()).toMatchObject({ users: [{}], accounts: [{}], authenticators: [{}] });
      expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    });

    it('logs what it could not take back', async () => {
      const app = appOf();
      app.adapter.fail('createAuthenticator');
      app.adapter.fail('unlinkAccount');
      expectConfiguration(app, await app.register());
      const left = app.log.errors.find(({ message }) => message.includes('left behind. Delete it by hand'));
      expect(left?.cause).toMatchObject({ err: expect.any(Error), userId: expect.any(String) });
    });

    it('makes one user of two that register the same address at once', async () => {
      const app = appOf();
      const browsers = [app.visitor(), app.visitor()];
      const pages = await Promise.all(
        browsers.map((browser) =>
          app.register('ada@example.com', { browser, authenticator: new SoftwareAuthenticator() }),
        ),
      );
      expect(pages.map(leadsTo).sort()).toEqual(['/', '/auth/signin?error=WebAuthnVerificationError']);
      const { users, accounts, authenticators } = app.adapter.dump();
      expect([users.length, accounts.length, authenticators.length]).toEqual([1, 1, 1]);
      expect(app.log.types()).toEqual(['WebAuthnVerificationError']);
      expect(app.log.errors[0]?.message).toMatch(/the new passkey cannot be linked to a user: email-taken/);
    });
  });

  it('reports the first failure if the store also fails at the second look', async () => {
    const adapter = memoryAdapter();
    const createUserWithAccount = (): never => {
      for (const _ of ['whose it is', 'and again']) adapter.fail('getUserByAccount');
      throw new Error('disk full');
    };
    const app = passkeyScene(door, {}, { adapter: { ...adapter, createUserWithAccount } as never });
    expectConfiguration(app, await app.register());
    expect(app.log.types()).toEqual(['AdapterError']);
    expect(app.log.errors[0]?.cause?.err).toMatchObject({ message: 'disk full' });
  });

  it('needs no `unlinkAccount` for a new user', async () => {
    const { unlinkAccount: _, ...adapter } = memoryAdapter();
    const app = passkeyScene(door, {}, { adapter: adapter as never });
    app.adapter.fail('createAuthenticator');
    expectConfiguration(app, await app.register());
    expect(app.adapter.dump()).toMatchObject({ users: [], accounts: [] });
    expect(app.log.types()).toEqual(['AdapterError']);
  });

  it('takes the credential out only while it is signed in', async () => {
    const app = passkeyScene(door);
    await app.register();
    const browser = app.visitor();
    app.adapter.fail('updateAuthenticator');
    expectConfiguration(app, await app.enter({ browser }));
    expect(await app.session(browser)).toBeNull();
    await app.enter({ browser });
    expect(await app.session(browser)).not.toBeNull();
  });

  it('gives no options if the passkeys of the user cannot be listed', async () => {
    const app = passkeyScene(door);
    await app.register();
    app.adapter.fail('listAuthenticatorsByUserId');
    expectConfiguration(app, await app.ask({ action: 'register' }));
  });

  it('refuses if the account is linked to another user between the two looks', async () => {
    const app = passkeyScene(
      door,
      {},
      {
        config: {
          callbacks: {
            signIn: () => {
              for (const account of app.adapter.store.accounts.values()) account.userId = 'bob';
              return true;
            },
          },
        },
      },
    );
    await app.adapter.createUser({ id: 'bob', email: 'bob@example.com', emailVerified: null });
    await app.register();
    for (const account of app.adapter.store.accounts.values())
      account.userId = app.adapter.dump().authenticators[0]?.userId ?? '';
    const browser = app.visitor();
    expectRefused(app, await app.enter({ browser }), 'WebAuthnVerificationError', browser);
  });

  it('refuses if the account is unlinked between the two looks', async () => {
    const app = passkeyScene(
      door,
      {},
      {
        config: {
          callbacks: {
            signIn: ({ user }) => {
              if (user.id) app.adapter.store.accounts.clear();
              return true;
            },
          },
        },
      },
    );
    const register = app.adapter.store;
    await app.register();
    expect(register.users.size).toBe(1);
    register.accounts.clear();
    const [row] = register.authenticators.values();
    await app.adapter.linkAccount({
      provider: 'passkey',
      providerAccountId: row?.providerAccountId ?? '',
      type: 'webauthn',
      userId: row?.userId ?? '',
    });
    const browser = app.visitor();
    expectRefused(app, await app.enter({ browser }), 'WebAuthnVerificationError', browser);
    expect(register.users.size).toBe(1);
  });
});

describe.each(oneDoor)('without `spendOnce`, through $name', (door) => {
  it('a challenge goes with its cookie', async () => {
    const app = passkeyScene(door, {}, { adapter: memoryAdapter({ optional: false }) as never });
    await app.register();
    const browser = app.visitor();
    const { options } = await app.options({ action: 'authenticate' }, browser);
    const answer = app.phone.get(options, browser.origin);
    expect(leadsTo(await app.answer('authenticate', answer, { browser }))).toBe('/');
    const page = await app.answer('authenticate', answer, { browser });
    expect(leadsTo(page)).toBe('/auth/signin?error=InvalidCheck');
  });
});
