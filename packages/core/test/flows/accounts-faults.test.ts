import { describe, expect, it } from 'vitest';
import type { Adapter, AdapterUser } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { type Door, oneDoor } from './doors.ts';
import { expectConfiguration, fakeProvider, leadsTo, oidc, type Scene, scene, startsSession } from './scene.ts';
import { type MemoryStore, memoryStore } from './store.ts';

function shop(
  door: Door,
  config: Partial<AuthConfig> = {},
  store: MemoryStore = memoryStore(),
): Scene & { store: MemoryStore; fake: ReturnType<typeof fakeProvider>; events: string[] } {
  const fake = fakeProvider();
  const events: string[] = [];
  const app = scene(door, {
    providers: [oidc(fake)],
    adapter: store.adapter,
    session: { strategy: 'jwt' },
    events: {
      createUser: () => void events.push('createUser'),
      linkAccount: () => void events.push('linkAccount'),
      signIn: () => void events.push('signIn'),
    },
    ...config,
  });
  return { ...app, store, fake, events };
}

const steps = ['getUserByAccount', 'getUserByEmail', 'createUser', 'linkAccount'] as const;

describe.each(oneDoor)('a store that fails through $name', (door) => {
  it.each(steps.flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]))(
    'in %s, %s writing, gives no half session, and the next sign-in works: one user, one account',
    async (step, when) => {
      const app = shop(door);
      app.store.faults[step] = when;
      const page = await app.signIn(app.fake);
      if (!startsSession(page)) {
        expect(page.location).toMatch(/\/auth\/(error|signin)\?error=(Configuration|OAuthCreateAccount)/);
        expect(page.location).not.toContain(step);
        expect(await app.session()).toBeNull();
        expect(app.events).toEqual([]);
        expect(app.log.errors.length).toBeGreaterThan(0);
      }
      expect(startsSession(await app.signIn(app.fake))).toBe(true);
      expect(app.store.users.size).toBe(1);
      expect([...app.store.accounts.values()].map(({ userId }) => userId)).toEqual([...app.store.users.keys()]);
      expect(app.events.filter((event) => event === 'createUser')).toHaveLength(1);
      expect(app.events.filter((event) => event === 'linkAccount')).toHaveLength(1);
    },
  );

  it('after writing the link for the user who is signed in, still emits the event', async () => {
    const app = shop(door);
    await app.signIn(app.fake);
    app.events.length = 0;
    app.store.faults.linkAccount = 'after';
    const page = await app.signIn(app.fake, { consent: { user: { sub: 'other' } } });
    expect(startsSession(page)).toBe(true);
    expect(app.events).toEqual(['linkAccount', 'signIn']);
  });

  it('leaves a user without an account only if the user cannot be deleted either, and logs it', async () => {
    const app = shop(door, {}, memoryStore(['deleteUser']));
    app.store.faults.linkAccount = 'before';
    const page = await app.signIn(app.fake);
    expect(leadsTo(page)).toBe('/auth/signin?error=OAuthCreateAccount');
    expect(app.store.users.size).toBe(1);
    expect(app.log.types()).toEqual(['AdapterError', 'OAuthCreateAccountError']);
    expect(app.log.errors[0]?.message).toMatch(/left behind/);
    expect(app.log.errors[0]?.cause?.userId).toBe([...app.store.users.keys()][0]);
    // A user without accounts is not linked either, because its owner may sign in by mail.
    expect((await app.signIn(app.fake)).location).toContain('OAuthAccountNotLinked');
  });

  it('by throwing `undefined` or a string causes an AdapterError', async () => {
    for (const thrown of [undefined, 'down', null, 7]) {
      const store = memoryStore();
      const getUserByAccount = (): Promise<never> => Promise.reject(thrown);
      const app = shop(door, { adapter: { ...store.adapter, getUserByAccount } }, store);
      expectConfiguration(app, await app.signIn(app.fake));
      expect(app.log.types()).toEqual(['AdapterError']);
    }
  });

  it('creates one user and one account for six simultaneous first sign-ins', async () => {
    const app = shop(door);
    const visitors = Array.from({ length: 6 }, () => app.visitor());
    const pages = await Promise.all(visitors.map((browser) => app.signIn(app.fake, { browser })));
    expect(pages.some(startsSession)).toBe(true);
    expect(app.store.users.size).toBe(1);
    expect(app.store.accounts.size).toBe(1);
    expect(app.events.filter((event) => event === 'createUser')).toHaveLength(1);
    expect(startsSession(await app.signIn(app.fake, { browser: app.visitor() }))).toBe(true);
  });
});

/** A store as a class: methods on the prototype, state in `this`. */
class ClassStore implements Adapter {
  readonly users: Map<string, AdapterUser> = new Map();
  readonly accounts: Map<string, string> = new Map();
  async createUser(user: AdapterUser): Promise<AdapterUser> {
    this.users.set(user.id, user);
    return user;
  }
  async getUser(id: string): Promise<AdapterUser | null> {
    return this.users.get(id) ?? null;
  }
  async getUserByEmail(email: string): Promise<AdapterUser | null> {
    return [...this.users.values()].find((user) => user.email === email) ?? null;
  }
  async getUserByAccount(account: { provider: string; providerAccountId: string }): Promise<AdapterUser | null> {
    return this.users.get(this.accounts.get(account.providerAccountId) ?? '') ?? null;
  }
  async updateUser(user: Partial<AdapterUser> & { id: string }): Promise<AdapterUser> {
    return { ...(this.users.get(user.id) as AdapterUser), ...user };
  }
  async linkAccount(account: { providerAccountId: string; userId: string }): Promise<undefined> {
    this.accounts.set(account.providerAccountId, account.userId);
  }
}

describe.each(oneDoor)('an adapter through $name', (door) => {
  it('may be an instance of a class', async () => {
    const adapter = new ClassStore();
    const app = shop(door, { adapter });
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(adapter.users.size).toBe(1);
    expect(app.log.errors).toEqual([]);
  });

  it('may be a function, which is called once when it is first needed, and again after a failure', async () => {
    const made: ClassStore[] = [];
    const broken = { now: true };
    const adapter = async (): Promise<Adapter> => {
      if (broken.now) throw new Error('no connection');
      made.push(new ClassStore());
      return made[0] as ClassStore;
    };
    const app = shop(door, { adapter });
    expect(await app.session()).toBeNull();
    await app.browser.get('/auth/providers');
    expect(made).toEqual([]);
    const visitors = Array.from({ length: 3 }, () => app.visitor());
    expectConfiguration(app, await app.begin());
    expect(app.log.types()).toEqual(['AdapterError']);
    broken.now = false;
    await Promise.all(visitors.map((browser) => app.signIn(app.fake, { browser })));
    expect(made).toHaveLength(1);
  });

  it('that a function creates without all methods is refused with the names of those methods', async () => {
    const app = shop(door, { adapter: () => ({ getUser: () => null }) });
    expectConfiguration(app, await app.begin());
    expect(app.log.types()).toEqual(['MissingAdapterMethods']);
    expect(app.log.errors[0]?.message).toMatch(/createUser, getUserByEmail, getUserByAccount, updateUser, linkAccount/);
  });

  it('that can create user and account at once is used for that, with the same events', async () => {
    const store = memoryStore();
    const { adapter } = store;
    const createUserWithAccount: Adapter['createUserWithAccount'] = async (user, account) => {
      await adapter.createUser?.(user);
      await adapter.linkAccount?.({ ...account, userId: user.id } as never);
      return user;
    };
    const app = shop(door, { adapter: { ...adapter, createUserWithAccount } }, store);
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(app.events).toEqual(['createUser', 'linkAccount', 'signIn']);
    expect(store.users.size).toBe(1);
  });
});
