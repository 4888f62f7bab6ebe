import fc from 'fast-check';
import { afterEach, beforeAll, describe, it } from 'vitest';
import { hostileJson, type Members, members, withMembers } from './json-changes.ts';
import { type Case, fuzz, PATIENCE } from './run.ts';
import { type Scenery, sceneries } from './scenery.ts';
import { doors } from './sent.ts';
import type { Instead } from './shelf.ts';

let all: readonly Scenery[] = [];
beforeAll(async () => {
  all = (await sceneries()).filter(({ app }) => app.shelf && !app.variant.broken);
});

afterEach(() => {
  for (const { app } of all) app.shelf?.answerInstead(undefined);
});

/** A change of one result of a store: the result of call number `call` in a request. */
interface StoreChange {
  readonly call: number;
  readonly how: 'value' | 'members' | 'throws' | 'fails after';
  readonly value: unknown;
  readonly members: Members;
  /** In a member of the row, such as the user beside a session. */
  readonly inside: boolean;
}

const NAMES = ['id', 'userId', 'email', 'name', 'image', 'emailVerified', 'sessionToken', 'expires', 'identifier', 'token', 'session', 'user', 'provider', 'providerAccountId', 'credentialID', 'credentialPublicKey', 'counter', 'transports']; // biome-ignore format: a list

/** Drivers know more than JSON does. */
const value = fc.oneof(
  { weight: 3, arbitrary: hostileJson },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(undefined, Number.NaN, 7n, new Date(Number.NaN), new Date(8e15), new Map()),
  },
);

const storeChange: fc.Arbitrary<StoreChange> = fc.record({
  call: fc.nat(4),
  how: fc.constantFrom('value', 'members', 'members', 'throws', 'fails after'),
  value,
  members: fc.oneof(
    members(NAMES),
    fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { minLength: 1, maxLength: 2 }),
  ),
  inside: fc.boolean(),
});

function insteadOf(change: StoreChange): Instead {
  const counted = { calls: 0 };
  return async (_method, right) => {
    if (counted.calls++ !== change.call) return right();
    if (change.how === 'throws') throw change.value;
    const answer = await right();
    if (change.how === 'fails after') throw new Error('the answer was lost');
    return change.how === 'value' ? change.value : rowOf(answer, change);
  };
}

function rowOf(answer: unknown, { inside, members: changes }: StoreChange): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map((row: object) => withMembers(row, changes));
  if (!inside || !('user' in answer)) return withMembers(answer, changes);
  return { ...answer, user: withMembers(Object(answer.user), changes) };
}

interface Drawn {
  readonly scenery: number;
  readonly seed: number;
  readonly door: number;
  readonly change: StoreChange;
}

function prepared({ scenery, seed, door, change }: Drawn): Case {
  const { app, known, seeds } = all[scenery % all.length] as Scenery;
  const { sent, rows } = seeds[seed % seeds.length] as Scenery['seeds'][number];
  app.shelf?.answerInstead(insteadOf(change));
  return { app, known, sent, rows, door, disturbed: 'store' };
}

describe('a store that answers anything', () => {
  it('breaks nothing, and nothing of it gets out', { timeout: PATIENCE }, async () => {
    const drawn = fc.record({
      scenery: fc.nat(1000),
      seed: fc.nat(1000),
      door: fc.nat(doors.length - 1),
      change: storeChange,
    });
    await fuzz('breaks nothing, and nothing of it gets out', 1000, drawn, prepared);
  });
});
