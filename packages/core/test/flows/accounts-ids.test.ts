import { describe, expect, it } from 'vitest';
import type { Adapter, AdapterUser } from '../../src/adapters.ts';
import { doors } from './doors.ts';
import { fakeProvider, oidc, type Scene, scene, startsSession } from './scene.ts';
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

describe.each(doors)('a store whose ids are no texts through $name', (door) => {
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

  it.each(cases)('(%s, %s sessions) links to the user who is signed in, and knows them again', async (_, way, idOf) => {
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
  });

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
