import type { FakeProvider, FakeUser } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { OIDCConfig } from '../../src/providers/oauth.ts';
import type { Adapter } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { Profile } from '../../src/types/user.ts';
import { type Door, oneDoor } from './doors.ts';
import { expectRefused, fakeProvider, noting, oidc, type Scene, scene, startsSession } from './scene.ts';
import { type MemoryStore, memoryStore } from './store.ts';

interface Shop extends Scene {
  readonly fake: FakeProvider;
  readonly store: MemoryStore;
  readonly events: [name: string, message: Record<string, unknown>][];
}

/** An application with two providers, JWT sessions and a store. */
function shop(
  door: Door,
  own: Partial<OIDCConfig<Profile>> = {},
  config: Partial<AuthConfig> = {},
  store: MemoryStore = memoryStore(),
): Shop {
  const fake = fakeProvider();
  const events: Shop['events'] = [];
  const tell =
    (name: string) =>
    (message: unknown): void =>
      void events.push([name, message as Record<string, unknown>]);
  const app = scene(door, {
    providers: [oidc(fake, own), oidc(fake, { id: 'second', name: 'Second', ...own })],
    adapter: store.adapter,
    session: { strategy: 'jwt' },
    events: {
      createUser: tell('createUser'),
      linkAccount: tell('linkAccount'),
      signIn: tell('signIn'),
      updateUser: tell('updateUser'),
    },
    ...config,
  });
  return { ...app, fake, store, events };
}

const unverified: FakeUser = { sub: 'm', name: 'Mallory', email: 'ada@example.com', email_verified: false };

describe.each(oneDoor)('accounts and users through $name', (door) => {
  it('a first sign-in creates a user with an account, and emits the events in order', async () => {
    const app = shop(door);
    app.fake.overrides.token = (answer) => ({ ...answer, token_type: 'BEARER', session_state: 'x', other: 'y' });
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    const [user] = app.store.users.values();
    expect(user).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      image: 'https://idp.test/ada.png',
      emailVerified: null,
    });
    expect([...app.store.accounts.values()]).toEqual([
      {
        access_token: expect.any(String),
        id_token: expect.any(String),
        refresh_token: expect.any(String),
        expires_at: expect.any(Number),
        scope: 'openid profile email',
        token_type: 'bearer',
        session_state: 'x',
        providerAccountId: 'ada-1815',
        provider: 'fake',
        type: 'oidc',
        userId: user?.id,
      },
    ]);
    expect(app.store.names()).toEqual([
      'getUserByAccount',
      'getUserByAccount',
      'getUserByEmail',
      'createUser',
      'linkAccount',
    ]);
    expect(app.events.map(([name]) => name)).toEqual(['createUser', 'linkAccount', 'signIn']);
    const [created, linked, signedIn] = app.events.map(([, message]) => message);
    expect(created).toEqual({ user });
    const { userId: _, ...stored } = [...app.store.accounts.values()][0] ?? {};
    expect(linked).toEqual({ user, account: stored, profile: expect.objectContaining({ email: 'ada@example.com' }) });
    expect(signedIn).toEqual({
      user,
      account: expect.objectContaining({ provider: 'fake' }),
      profile: expect.objectContaining({ sub: 'ada-1815' }),
      isNewUser: true,
    });
  });

  it('a second sign-in finds the user, stores the new tokens, and creates nothing', async () => {
    const app = shop(door);
    await app.signIn(app.fake);
    const before = [...app.store.accounts.values()][0]?.access_token;
    app.store.calls.length = 0;
    app.events.length = 0;
    const other = app.visitor();
    await app.signIn(app.fake, { browser: other });
    expect(app.store.names()).toEqual(['getUserByAccount', 'getUserByAccount', 'updateAccount']);
    expect([...app.store.accounts.values()][0]?.access_token).not.toBe(before);
    expect(app.events).toEqual([['signIn', expect.objectContaining({ isNewUser: false })]]);
    expect(app.store.users.size).toBe(1);
  });

  it('a returning visitor signs in if the new tokens cannot be stored', async () => {
    const app = shop(door);
    await app.signIn(app.fake);
    app.store.faults.updateAccount = 'before';
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(app.log.types()).toEqual(['AdapterError']);
    expect(app.log.errors[0]?.message).toMatch(/new tokens/);
    expect(app.log.errors[0]?.cause?.err?.message).toMatch(/`updateAccount` failed/);
  });

  it('an adapter without `updateAccount` works', async () => {
    const app = shop(door, {}, {}, memoryStore(['updateAccount']));
    await app.signIn(app.fake);
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(app.log.errors).toEqual([]);
  });

  it('an account of another provider is linked to the user who is signed in', async () => {
    const app = shop(door);
    await app.signIn(app.fake);
    app.events.length = 0;
    await app.signIn(app.fake, { id: 'second', consent: { user: { sub: 'x', email: 'other@example.com' } } });
    expect(app.store.users.size).toBe(1);
    expect([...app.store.accounts.values()].map(({ userId }) => userId)).toEqual([
      ...app.store.users.keys(),
      ...app.store.users.keys(),
    ]);
    expect(app.events.map(([name]) => name)).toEqual(['linkAccount', 'signIn']);
    expect(app.events[0]?.[1]).toEqual({
      user: expect.objectContaining({ email: 'ada@example.com' }),
      account: expect.not.objectContaining({ userId: expect.anything() }),
      profile: expect.objectContaining({ email: 'other@example.com' }),
    });
    expect(app.events[0]?.[1]).toMatchObject({ account: { provider: 'second', providerAccountId: 'x', type: 'oidc' } });
    expect(app.events[1]?.[1]).toMatchObject({ isNewUser: false });
  });

  it('an account of another user is refused, and the session stays', async () => {
    const app = shop(door);
    await app.signIn(app.fake);
    const other = app.visitor();
    await app.signIn(app.fake, {
      browser: other,
      id: 'second',
      consent: { user: { sub: 'bob', email: 'bob@example.com' } },
    });
    const page = await app.signIn(app.fake, {
      id: 'second',
      consent: { user: { sub: 'bob', email: 'bob@example.com' } },
    });
    expect(page.location).toBe(
      'http://localhost:3000/auth/signin?error=OAuthAccountNotLinked&provider=second&reason=other-user',
    );
    expect(app.log.types()).toEqual(['OAuthAccountNotLinked']);
    expect(app.log.errors[0]?.message).toMatch(/belongs to another user than the one who is signed in/);
    expect(startsSession(page)).toBe(false);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(app.store.accounts.size).toBe(2);
  });

  it('a taken address is refused: nothing is stored, and no event is emitted', async () => {
    const app = shop(door);
    await app.signIn(app.fake);
    app.events.length = 0;
    const other = app.visitor();
    expectRefused(app, await app.signIn(app.fake, { browser: other, id: 'second' }), 'OAuthAccountNotLinked', other);
    expect(app.store.accounts.size).toBe(1);
    expect(app.events).toEqual([]);
  });

  it('a taken address is linked if the configuration allows it, without a `createUser` event', async () => {
    const app = shop(door, { allowDangerousEmailAccountLinking: true });
    await app.signIn(app.fake);
    app.events.length = 0;
    const page = await app.signIn(app.fake, { browser: app.visitor(), id: 'second' });
    expect(startsSession(page)).toBe(true);
    expect(app.store.users.size).toBe(1);
    expect(app.store.accounts.size).toBe(2);
    // The provider has verified the address, which is the first proof of it.
    expect(app.events.map(([name]) => name)).toEqual(['updateUser', 'linkAccount', 'signIn']);
  });

  it('an address of which the provider says nothing is linked if the configuration allows it, and stays unproven', async () => {
    const app = shop(door, { allowDangerousEmailAccountLinking: true, unverifiedEmail: 'allow' });
    const consent = { user: { sub: 'ada', email: 'ada@example.com' } };
    await app.signIn(app.fake, { consent });
    app.events.length = 0;
    expect(startsSession(await app.signIn(app.fake, { browser: app.visitor(), id: 'second', consent }))).toBe(true);
    expect(app.events.map(([name]) => name)).toEqual(['linkAccount', 'signIn']);
    expect([...app.store.users.values()].map(({ emailVerified }) => emailVerified)).toEqual([null]);
  });

  it.each([false, true])('an unverified address is never linked to its user (linking allowed: %s)', async (allowed) => {
    const app = shop(door, { allowDangerousEmailAccountLinking: allowed, unverifiedEmail: 'allow' });
    await app.signIn(app.fake);
    const other = app.visitor();
    const page = await app.signIn(app.fake, { browser: other, id: 'second', consent: { user: unverified } });
    expectRefused(app, page, 'OAuthAccountNotLinked', other);
    expect(app.store.accounts.size).toBe(1);
  });

  it('an unverified address leads to the same page whether or not a user has it', async () => {
    const app = shop(door);
    await app.signIn(app.fake);
    const pages = ['ada@example.com', 'unknown@example.com'].map(async (email) => {
      const browser = app.visitor();
      return (await app.signIn(app.fake, { browser, id: 'second', consent: { user: { ...unverified, email } } }))
        .location;
    });
    const [taken, free] = await Promise.all(pages);
    expect(taken).toContain('error=OAuthCreateAccount');
    expect(taken).toBe(free);
    expect(app.store.users.size).toBe(1);
  });

  it('an unverified address does not become a user, unless the configuration allows it', async () => {
    const strict = shop(door);
    expectRefused(strict, await strict.signIn(strict.fake, { consent: { user: unverified } }), 'OAuthCreateAccount');
    expect(strict.store.users.size).toBe(0);
    const lax = shop(door, { unverifiedEmail: 'allow' });
    expect(startsSession(await lax.signIn(lax.fake, { consent: { user: unverified } }))).toBe(true);
    expect([...lax.store.users.values()][0]?.emailVerified).toBeNull();
  });

  it('two profiles without an address are two users', async () => {
    const app = shop(door, {}, {});
    await app.signIn(app.fake, { consent: { user: { sub: 'a' } } });
    await app.signIn(app.fake, { consent: { user: { sub: 'A' } }, browser: app.visitor() });
    expect(app.store.users.size).toBe(2);
    expect(app.store.names()).not.toContain('getUserByEmail');
  });

  it('the store gets the members of the tokens that the provider option names', async () => {
    const app = shop(door, { account: (tokens) => ({ access_token: tokens.access_token, userId: 'victim' }) as never });
    await app.signIn(app.fake);
    expect([...app.store.accounts.values()]).toEqual([
      {
        access_token: expect.any(String),
        providerAccountId: 'ada-1815',
        provider: 'fake',
        type: 'oidc',
        userId: [...app.store.users.keys()][0],
      },
    ]);
  });

  it('the application does not see what the provider changes for the store', async () => {
    const seen: unknown[] = [];
    const app = shop(
      door,
      {
        account(tokens) {
          delete tokens.scope;
          return Object.assign(tokens, { access_token: 'sealed' });
        },
      },
      { callbacks: { jwt: ({ token, account }) => noting(seen, account, token) } },
    );
    await app.signIn(app.fake);
    expect(seen).toEqual([expect.objectContaining({ scope: 'openid profile email' })]);
    expect(seen).not.toContainEqual(expect.objectContaining({ access_token: 'sealed' }));
    const [stored] = app.store.accounts.values();
    expect(stored).toMatchObject({ access_token: 'sealed', providerAccountId: 'ada-1815' });
    expect(stored).not.toHaveProperty('scope');
  });

  it('the provider is not asked what to store if the profile has no id', async () => {
    const asked: unknown[] = [];
    const app = shop(door, { account: (tokens) => noting(asked, tokens, tokens), profile: () => ({ id: '' }) });
    expectRefused(app, await app.signIn(app.fake), 'Callback');
    expect(asked).toEqual([]);
  });

  it('the jwt callback learns of a new user, who goes to `pages.newUser`', async () => {
    const triggers: unknown[] = [];
    const app = shop(
      door,
      {},
      {
        pages: { newUser: '/welcome?from=auth' },
        callbacks: { jwt: ({ token, trigger, isNewUser }) => noting(triggers, [trigger, isNewUser], token) },
      },
    );
    const first = await app.signIn(app.fake, { fields: { callbackUrl: '/deep' } });
    expect(first.location).toBe('/welcome?from=auth&callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fdeep');
    const second = await app.signIn(app.fake, { fields: { callbackUrl: '/deep' } });
    expect(second.location).toBe('http://localhost:3000/deep');
    expect(triggers).toEqual([
      ['signUp', true],
      ['signIn', false],
    ]);
  });

  it('session and account have the id that the store gives the user', async () => {
    const store = memoryStore();
    const adapter: Adapter = {
      ...store.adapter,
      createUser: async (user) => store.adapter.createUser?.({ ...user, id: 'row-1' }) as never,
    };
    const app = shop(door, {}, { adapter, callbacks: { session: ({ token }) => ({ id: token.sub }) as never } }, store);
    await app.signIn(app.fake);
    expect(await app.session()).toEqual({ id: 'row-1' });
    expect([...store.accounts.values()][0]?.userId).toBe('row-1');
  });

  it('a sign-in that was started signed out never links, no matter who is signed in at the callback', async () => {
    const app = shop(door);
    const started = await app.begin('second');
    const back = await app.fake.authorize(started.location ?? '', { user: { sub: 'm', email: 'mallory@example.com' } });
    await app.signIn(app.fake);
    await app.finish(back);
    const owners = [...app.store.accounts.values()].map(({ userId }) => userId);
    expect(new Set(owners).size).toBe(2);
    expect(await app.session()).toMatchObject({ user: { email: 'mallory@example.com' } });
  });

  it('a sign-in that was started by one user never links to another who is signed in at the callback', async () => {
    const app = shop(door);
    await app.signIn(app.fake);
    const started = await app.begin('second');
    const back = await app.fake.authorize(started.location ?? '', { user: { sub: 'x', email: 'x@example.com' } });
    await app.post('signout');
    await app.signIn(app.fake, { consent: { user: { sub: 'bob', email: 'bob@example.com' } } });
    await app.finish(back);
    const owners = [...app.store.accounts.values()].map(({ userId }) => userId);
    expect(new Set(owners).size).toBe(3);
  });
});
