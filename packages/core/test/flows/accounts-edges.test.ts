import { describe, expect, it } from 'vitest';
import type { Adapter, AdapterAccount } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, oneDoor } from './doors.ts';
import { fakeProvider, leadsTo, oidc, oidcScene, type Scene, scene, startsSession } from './scene.ts';
import { type MemoryStore, memoryStore } from './store.ts';

interface Shop extends Scene {
  readonly store: MemoryStore;
  readonly fake: ReturnType<typeof fakeProvider>;
}

function shop(door: Door, adapter: (store: MemoryStore) => Partial<Adapter>, config: Partial<AuthConfig> = {}): Shop {
  const store = memoryStore();
  const fake = fakeProvider();
  const app = scene(door, {
    providers: [oidc(fake)],
    adapter: { ...store.adapter, ...adapter(store) },
    session: { strategy: 'jwt' },
    ...config,
  });
  return { ...app, store, fake };
}

const bob = { user: { sub: 'bob', email: 'bob@example.com' } };

describe.each(oneDoor)('an account through $name', (door) => {
  it('that a simultaneous sign-in has created after the lookup belongs to its user, not to another one with that address', async () => {
    const unseen = { times: 0 };
    const app = shop(door, ({ adapter }) => ({
      getUserByAccount: async (account) => (unseen.times-- > 0 ? null : adapter.getUserByAccount?.(account)) ?? null,
      // Its being there is what promises that users and accounts come together.
      createUserWithAccount: async (user, account) => {
        const made = await adapter.createUser?.(user);
        await adapter.linkAccount?.({ ...account, userId: user.id } as AdapterAccount);
        return made as never;
      },
    }));
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    unseen.times = 2;
    expect(startsSession(await app.signIn(app.fake, { browser: app.visitor() }))).toBe(true);
    expect(unseen.times).toBeLessThan(0);
    expect([app.store.users.size, app.store.accounts.size]).toEqual([1, 1]);
  });

  it.each([
    ['refuse', false, '/auth/signin?error=OAuthCreateAccount'],
    ['refuse', true, '/'],
    [undefined, false, '/'],
  ] as const)(
    'without a store, `unverifiedEmail` %j and an address that is verified: %j leads to %s',
    async (unverifiedEmail, verified, target) => {
      const { app, fake } = oidcScene(door, { unverifiedEmail });
      const page = await app.signIn(fake, { consent: { user: { ...bob.user, email_verified: verified } } });
      expect(leadsTo(page)).toBe(target);
      expect(startsSession(page)).toBe(target === '/');
    },
  );

  it.each([
    [{}, false, null],
    [{ unverifiedEmail: 'allow' }, false, 'bob@example.com'],
    [{}, undefined, 'bob@example.com'],
    [{ emailVerification: 'never' }, true, null],
    [{ emailVerification: 'never', unverifiedEmail: 'allow' }, true, 'bob@example.com'],
  ] as const)(
    'without a store and with %j, an address that is verified: %j is %j in session and callbacks',
    async (options, email_verified, email) => {
      const told: unknown[] = [];
      const callbacks: AuthConfig['callbacks'] = {
        signIn: ({ user, profile }) => Boolean(told.push(user.email, profile?.email)),
        jwt: ({ token, user }) => {
          if (user) told.push(user.email, token.email ?? undefined);
          return token;
        },
      };
      const { app, fake } = oidcScene(door, options, { callbacks });
      fake.overrides.idToken = { claims: (claims) => ({ ...claims, email_verified }) };
      await app.signIn(fake, { consent: { user: bob.user } });
      expect(told).toEqual([email, 'bob@example.com', email, email ?? undefined]);
      const session = (await app.session()) as { user: { email?: string | null } };
      expect(session.user.email ?? null).toBe(email);
    },
  );

  it('that is refused for another reason than a taken address is looked up once', async () => {
    const asked: string[] = [];
    const app = shop(door, ({ adapter }) => ({
      getUserByEmail: (email) => {
        asked.push(email);
        return adapter.getUserByEmail?.(email) ?? null;
      },
      createUserWithAccount: () => expect.unreachable(),
    }));
    const page = await app.signIn(app.fake, { consent: { user: { ...bob.user, email_verified: false } } });
    expect(page.location).toContain('error=OAuthCreateAccount');
    expect(app.log.errors[0]?.message).toMatch(/the provider has not verified the address/);
    expect(asked).toEqual(['bob@example.com']);
  });

  it.each(['getUserByAccount', 'getUserByEmail', 'getUser'] as const)(
    'is logged with the first failure if the store fails while it is created, and then in `%s` too',
    async (method) => {
      const broken = { now: false };
      const app = shop(door, ({ adapter }) => ({
        createUser: () => {
          broken.now = true;
          throw new Error('disk full');
        },
        [method]: async (of: never) => {
          if (broken.now) throw new Error('down');
          return (await adapter[method]?.(of)) ?? null;
        },
      }));
      expect(leadsTo(await app.signIn(app.fake))).toBe('/auth/signin?error=OAuthCreateAccount');
      expect(app.log.types()).toEqual(['OAuthCreateAccountError']);
      expect(app.log.errors[0]?.message).toMatch(/the store failed while the account was being created or linked/);
      expect(app.log.errors[0]?.cause?.err?.message).toMatch('`createUser` failed');
    },
  );

  it('that a simultaneous sign-in has created meanwhile does not belong to a new user', async () => {
    const told: unknown[] = [];
    const app = shop(
      door,
      ({ adapter }) => ({
        linkAccount: async (account) => {
          // The other one is faster, and its user is another one.
          const user = { ...(await adapter.getUser?.(account.userId)), id: 'first', email: 'other@example.com' };
          await adapter.createUser?.(user as never);
          await adapter.linkAccount?.({ ...account, userId: 'first' });
          throw new Error('UNIQUE accounts');
        },
      }),
      { events: { signIn: ({ user, isNewUser }) => void told.push([user.id, isNewUser]) } },
    );
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(told).toEqual([['first', false]]);
    expect([...app.store.users.keys()]).toEqual(['first']);
  });

  it('that a simultaneous sign-in has created together with its user does not belong to a new user', async () => {
    const told: unknown[] = [];
    const app = shop(
      door,
      ({ adapter }) => ({
        createUserWithAccount: async (user, account) => {
          await adapter.createUser?.({ ...user, id: 'first' });
          await adapter.linkAccount?.({ ...account, userId: 'first' } as AdapterAccount);
          throw new Error('UNIQUE accounts');
        },
      }),
      {
        events: {
          createUser: () => void told.push('createUser'),
          signIn: ({ user, isNewUser }) => void told.push([user.id, isNewUser]),
        },
      },
    );
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(told).toEqual([['first', false]]);
  });

  it('keeps its user if only the lookup of its owner fails', async () => {
    const broken = { times: 0 };
    const app = shop(door, ({ adapter }) => ({
      linkAccount: async (account) => {
        await adapter.linkAccount?.(account);
        broken.times = 1;
        throw new Error('the answer was lost');
      },
      getUserByAccount: async (account) => {
        if (broken.times-- > 0) throw new Error('down');
        return (await adapter.getUserByAccount?.(account)) ?? null;
      },
    }));
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect([app.store.users.size, app.store.accounts.size]).toEqual([1, 1]);
    expect(app.store.names()).not.toContain('deleteUser');
  });
});
