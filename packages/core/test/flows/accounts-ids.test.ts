import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import type { Adapter, AdapterAccount, AdapterUser } from '../../src/types/adapter.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import type { User } from '../../src/types/user.ts';
import { readFixture } from '../providers/fixture.ts';
import { journey } from '../providers/journey.ts';
import { changed } from '../providers/pointer.ts';
import { factoryOf } from '../providers/providers.ts';
import { oneDoor } from './doors.ts';
import { expectRefused, fakeProvider, oidc, type Scene, scene, startsSession } from './scene.ts';
import { type MemoryStore, memoryStore } from './store.ts';

/** An id as document stores have it: an object, and another one in each answer. */
class ObjectId {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.#text;
  }
}

type Id = (text: string) => unknown;
const kinds: [string, Id][] = [
  ['objects', (text) => new ObjectId(text)],
  ['bigints', (text) => BigInt(`0x${text.replaceAll('-', '')}`)],
];

/** The adapter of a store, with ids of another type in its answers. */
function withIds({ adapter, users }: MemoryStore, idOf: Id): Adapter {
  const known = (id: unknown): string => [...users.keys()].find((text) => String(idOf(text)) === String(id)) ?? '';
  const inward = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof ObjectId) return value;
    const { userId } = value as { userId?: unknown };
    return userId === undefined ? value : { ...value, userId: known(userId) };
  };
  const outward = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if ('user' in value) return { ...value, user: outward(value.user) };
    return 'id' in value ? { ...value, id: idOf((value as AdapterUser).id) } : value;
  };
  const byId = new Set(['getUser', 'deleteUser']);
  const wrapped = Object.entries(adapter).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      const given = byId.has(name) ? [known(args[0])] : args.map(inward);
      return outward(await (method as (...args: unknown[]) => unknown)(...given));
    },
  ]);
  return Object.fromEntries(wrapped) as Adapter;
}

describe.each(oneDoor)('a store whose ids are not strings, through $name', (door) => {
  function shop(idOf: Id, strategy: 'jwt' | 'database'): Scene & { store: MemoryStore; fake: typeof fake } {
    const store = memoryStore();
    const fake = fakeProvider();
    return {
      ...scene(door, { providers: [oidc(fake)], adapter: withIds(store, idOf), session: { strategy } }),
      store,
      fake,
    };
  }

  const cases = kinds.flatMap(([name, idOf]) =>
    (['jwt', 'database'] as const).map((way) => [name, way, idOf] as const),
  );

  it.each(cases)(
    '(%s, %s sessions) links to the user who is signed in, and finds the user again',
    async (_, way, idOf) => {
      const app = shop(idOf, way);
      expect(startsSession(await app.signIn(app.fake))).toBe(true);
      const second = { consent: { user: { sub: 'other', email: 'other@example.com' } } };
      expect(startsSession(await app.signIn(app.fake, second))).toBe(true);
      expect(startsSession(await app.signIn(app.fake, second))).toBe(true);
      expect(app.store.users.size).toBe(1);
      expect([...app.store.accounts.values()].map(({ userId }) => userId)).toEqual(
        [...app.store.users.keys()].flatMap((id) => [id, id]),
      );
      expect(app.log.types()).toEqual([]);
    },
  );

  it.each(cases)(
    '(%s, %s sessions) keeps the user whose account was linked, when only the answer was lost',
    async (_, way, idOf) => {
      const app = shop(idOf, way);
      app.store.faults.linkAccount = 'after';
      expect(startsSession(await app.signIn(app.fake))).toBe(true);
      expect(app.store.users.size).toBe(1);
      expect(app.store.names()).not.toContain('deleteUser');
    },
  );
});

/** Stores the account of a user as Auth.js v5 did: with a number as id. */
function storeNumericAccount({ users, accounts }: MemoryStore, provider: string, id: number): void {
  users.set('old', { id: 'old', email: 'old@example.com', emailVerified: null });
  const account = { userId: 'old', provider, providerAccountId: id, type: 'oauth' } as unknown as AdapterAccount;
  accounts.set('old', account);
}

/** The adapter of a store that compares ids with their types, as document stores do. */
function comparingTypes({ adapter, users, accounts }: MemoryStore): Adapter {
  type Key = Pick<AdapterAccount, 'provider' | 'providerAccountId'>;
  const entryOf = ({ provider, providerAccountId }: Key): [string, AdapterAccount] | undefined =>
    [...accounts].find(([, row]) => row.provider === provider && row.providerAccountId === providerAccountId);
  return {
    ...adapter,
    getUserByAccount: (key) => users.get(entryOf(key)?.[1].userId ?? '') ?? null,
    updateAccount: (changes) => {
      const [key, row] = entryOf(changes) ?? [];
      if (key && row) accounts.set(key, { ...row, ...changes });
    },
  };
}

describe.each(oneDoor)('accounts that Auth.js v5 stored by a number, through $name', (door) => {
  const profile = (): User => ({ id: 42 as unknown as string, email: 'ada@example.com' });

  function shop(adapt: (store: MemoryStore) => Adapter): Scene & { store: MemoryStore; fake: typeof fake } {
    const store = memoryStore();
    const fake = fakeProvider();
    const config = { adapter: adapt(store), session: { strategy: 'jwt' as const } };
    return { ...scene(door, { providers: [oidc(fake, { profile })], ...config }), store, fake };
  }

  it('are found if `profile()` returns a number, and get the new tokens', async () => {
    const app = shop(comparingTypes);
    storeNumericAccount(app.store, 'fake', 42);
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect([...app.store.users.keys()]).toEqual(['old']);
    expect([...app.store.accounts.values()]).toEqual([
      expect.objectContaining({ providerAccountId: 42, userId: 'old', access_token: expect.any(String) }),
    ]);
  });

  it('are not created: a new account has a string, by which it is found again', async () => {
    const app = shop(comparingTypes);
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(startsSession(await app.signIn(app.fake, { browser: app.visitor() }))).toBe(true);
    expect([...app.store.accounts.values()].map(({ providerAccountId }) => providerAccountId)).toEqual(['42']);
    expect(app.store.users.size).toBe(1);
  });

  it('are not needed for a new user in a store that refuses numbers', async () => {
    const app = shop(({ adapter }) => ({
      ...adapter,
      getUserByAccount: (key) => {
        if (typeof key.providerAccountId !== 'string') throw new TypeError('providerAccountId must be a string');
        return adapter.getUserByAccount?.(key) ?? null;
      },
    }));
    expect(startsSession(await app.signIn(app.fake))).toBe(true);
    expect(app.store.users.size).toBe(1);
    expect(app.log.errors).toEqual([]);
  });

  it('are not replaced by a new user if the store goes down before they are found', async () => {
    let isDown = false;
    const app = shop((store) => {
      const { getUserByAccount, ...rest } = comparingTypes(store);
      return {
        ...rest,
        getUserByAccount: (key) => {
          isDown ||= typeof key.providerAccountId === 'number';
          if (isDown) throw new Error('the store is down');
          return getUserByAccount?.(key) ?? null;
        },
      };
    });
    storeNumericAccount(app.store, 'fake', 42);
    expect(startsSession(await app.signIn(app.fake))).toBe(false);
    expect([...app.store.users.keys()]).toEqual(['old']);
  });
});

describe.each(oneDoor)('an account with a second id, through $name', (door) => {
  it('signs in if the adapter has no `getAccount`, and the log says that the ids are not compared', async () => {
    const fake = fakeProvider();
    const providers = [oidc(fake, { stableId: ({ sub }) => sub ?? undefined })];
    const app = scene(door, { providers, adapter: memoryStore().adapter, session: { strategy: 'jwt' } });
    for (const browser of [app.browser, app.visitor()]) {
      expect(startsSession(await app.signIn(fake, { browser }))).toBe(true);
    }
    expect(app.log.warnings).toEqual([['stable-id-not-compared', 'provider: fake']]);
  });

  it('is not looked for if the provider does not define one', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)], adapter: memoryStore().adapter, session: { strategy: 'jwt' } });
    for (const browser of [app.browser, app.visitor()]) await app.signIn(fake, { browser });
    expect(app.log.warnings).toEqual([]);
  });
});

describe('the account of a built-in provider that Auth.js v5 stored by a number', () => {
  it.each(['concept2', 'freshbooks', 'hubspot', 'mailchimp', 'strava', 'vk', 'wordpress', 'zoho'])(
    'is found (%s)',
    async (file) => {
      const factory = await factoryOf(file);
      const store = memoryStore();
      const fixture = readFixture(file);
      storeNumericAccount(store, factory({}).id, Number(fixture.user.id));
      const way = journey(factory, { fixture, config: (config) => ({ ...config, adapter: comparingTypes(store) }) });
      expect(startsSession(await way.signIn())).toBe(true);
      expect([store.users.size, store.accounts.size]).toEqual([1, 1]);
    },
  );
});

describe('an account whose id the vendor gives to another person', () => {
  const vendors = [
    ['trakt', '/userinfo/0/answer/ids/uuid'],
    ['pinterest', '/userinfo/0/answer/id'],
    ['eveonline', '/userinfo/0/answer/CharacterOwnerHash'],
  ] as const;

  /** Signs in at a vendor that states this second id; `undefined` removes it. */
  async function signIn(file: string, pointer: string, second: string | undefined, adapter: Adapter) {
    const fixture =
      second === undefined
        ? changed(readFixture(file), {}, [pointer])
        : changed(readFixture(file), { [pointer]: second });
    const config = (config: AuthConfig): AuthConfig => ({ ...config, adapter, session: { strategy: 'jwt' } });
    const way = journey(await factoryOf(file), { fixture, config });
    return { way, page: await way.signIn() };
  }

  it.each(vendors)('is refused (%s)', async (file, pointer) => {
    const adapter = memoryAdapter();
    expect(startsSession((await signIn(file, pointer, 'first', adapter)).page)).toBe(true);
    expect(startsSession((await signIn(file, pointer, 'first', adapter)).page)).toBe(true);
    const { way, page } = await signIn(file, pointer, 'second', adapter);
    expectRefused(way.app, page, 'AccountReassigned');
    expect(way.app.log.errors[0]?.message).toMatch(/the second id of this account differs from the stored one/);
    expect(adapter.dump().accounts).toMatchObject([{ session_state: 'stable-id:first' }]);
    expect(adapter.dump().users).toHaveLength(1);
  });

  it.each(vendors)('is refused if the vendor leaves out the second id (%s)', async (file, pointer) => {
    const adapter = memoryAdapter();
    await signIn(file, pointer, 'first', adapter);
    const { way, page } = await signIn(file, pointer, undefined, adapter);
    expectRefused(way.app, page, 'AccountReassigned');
  });

  it.each(vendors)('is known by the second id of the first sign-in that states one (%s)', async (file, pointer) => {
    const adapter = memoryAdapter();
    await signIn(file, pointer, 'first', adapter);
    for (const account of adapter.store.accounts.values()) delete account.session_state;
    expect(startsSession((await signIn(file, pointer, 'first', adapter)).page)).toBe(true);
    expect(startsSession((await signIn(file, pointer, 'second', adapter)).page)).toBe(false);
    expect(startsSession((await signIn(file, pointer, 'first', adapter)).page)).toBe(true);
  });
});
