import { describe, expect, it } from 'vitest';
import type { Adapter, AdapterAccount } from '../../src/adapters.ts';
import type { AuthConfig } from '../../src/types.ts';
import { type Door, doors } from './doors.ts';
import { fakeProvider, leadsTo, oidc, type Scene, scene, startsSession } from './scene.ts';
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

describe.each(doors)('an account through $name', (door) => {
  it('that a simultaneous sign-in has made since it was looked for is theirs, not somebody else’s with that address', async () => {
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

  it('of another user than the one who is signed in is refused, and the log says why', async () => {
    const app = shop(door, () => ({}));
    await app.signIn(app.fake, { browser: app.visitor(), consent: bob });
    await app.signIn(app.fake);
    const page = await app.signIn(app.fake, { consent: bob });
    expect(page.location).toContain('error=OAuthAccountNotLinked');
    expect(app.log.errors.at(-1)?.message).toMatch(/belongs to another user than the one who is signed in/);
    expect(app.log.errors.at(-1)?.cause).toMatchObject({ provider: 'fake' });
  });

  it('with the address of another user is refused, and the log names the provider', async () => {
    const app = shop(door, () => ({}));
    await app.signIn(app.fake, { browser: app.visitor(), consent: bob });
    const page = await app.signIn(app.fake, { consent: { user: { ...bob.user, sub: 'mallory' } } });
    expect(page.location).toContain('error=OAuthAccountNotLinked');
    expect(app.log.errors.at(-1)?.cause).toMatchObject({ provider: 'fake' });
  });

  it('whose fresh tokens cannot be stored opens all the same, and the log has the reason', async () => {
    const reason = new Error('disk full');
    const app = shop(door, () => ({ updateAccount: () => Promise.reject(reason) }));
    await app.signIn(app.fake);
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(app.log.errors.at(-1)?.message).toMatch(/fresh tokens/);
    const causes: unknown[] = [];
    for (let at: unknown = app.log.errors.at(-1)?.cause?.err; at instanceof Error; ) {
      causes.push(at);
      const { cause } = at;
      at = cause instanceof Error ? cause : (cause as { err?: unknown } | undefined)?.err;
    }
    expect(causes).toContain(reason);
  });

  it('that is linked is told with its user, without identity of its own, and with who came', async () => {
    const told: unknown[] = [];
    const app = shop(door, () => ({}), { events: { linkAccount: (message) => void told.push(message) } });
    await app.signIn(app.fake);
    const [id] = app.store.users.keys();
    expect(told).toEqual([
      {
        user: expect.objectContaining({ id }),
        account: expect.objectContaining({ provider: 'fake', providerAccountId: 'ada-1815', type: 'oidc' }),
        profile: expect.objectContaining({ email: 'ada@example.com' }),
      },
    ]);
    expect((told[0] as { account: object }).account).not.toHaveProperty('userId');
    await app.signIn(app.fake, { consent: bob });
    expect(told[1]).toEqual({
      user: expect.objectContaining({ id }),
      account: expect.objectContaining({ provider: 'fake', providerAccountId: 'bob', type: 'oidc' }),
      profile: expect.objectContaining({ email: 'bob@example.com' }),
    });
  });

  it.each([
    ['refuse', false, '/auth/signin?error=OAuthCreateAccount'],
    ['refuse', true, '/'],
    [undefined, false, '/'],
  ] as const)(
    'without a store, `unverifiedEmail` %j and an address that is verified: %j leads to %s',
    async (unverifiedEmail, verified, target) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake, { unverifiedEmail })] });
      const page = await app.signIn(fake, { consent: { user: { ...bob.user, email_verified: verified } } });
      expect(leadsTo(page)).toBe(target);
      expect(startsSession(page)).toBe(target === '/');
    },
  );

  it('that is refused for another reason than a taken address is looked for once', async () => {
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
    expect(app.log.errors[0]?.message).toMatch(/the provider does not vouch for the address/);
    expect(asked).toEqual(['bob@example.com']);
  });

  it.each(['getUserByAccount', 'getUserByEmail', 'getUser'] as const)(
    'whose store fails while it is created, and then in `%s` too, is told as the first failure',
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

  it('that a simultaneous sign-in has made in the meantime is no new user’s', async () => {
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

  it('that a simultaneous sign-in has made at once with its user is no new user’s either', async () => {
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

  it('keeps its user where only the look at whose it is has failed', async () => {
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

  it('whose writing failed although somebody else has written it opens for its user', async () => {
    const app = shop(door, ({ adapter }) => ({
      linkAccount: async (account) => {
        await adapter.linkAccount?.(account);
        throw new Error('the answer was lost');
      },
    }));
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect([app.store.users.size, app.store.accounts.size]).toEqual([1, 1]);
  });
});
