import { createContext, runInContext } from 'node:vm';
import { AuthError } from '../../../src/errors.ts';

/** A way to fail: what a function of the application's does in place of its work. */
export interface Way {
  readonly name: string;
  readonly fail: () => unknown;
  /** It is an answer, so that there is nothing to log. */
  readonly isAnswer?: boolean;
}

/** Part of each error that is thrown. Pages must not show it. */
export const HIDDEN = 'hunter2';

/** An Error of which nothing can be read, not even that it cannot. */
class Unreadable extends Error {
  override get name(): string {
    throw this;
  }
  override get message(): string {
    throw this;
  }
  override get stack(): string {
    throw this;
  }
  override get cause(): unknown {
    throw this;
  }
}

const thenThrows = {
  // biome-ignore lint/suspicious/noThenProperty: that is the point
  get then(): never {
    throw new Error(HIDDEN);
  },
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const things: readonly [name: string, make: () => unknown][] = [
  ['an Error', () => new Error(HIDDEN)],
  ['undefined', () => undefined],
  ['null', () => null],
  ['a text', () => HIDDEN],
  ['a frozen object', () => Object.freeze({ reason: HIDDEN })],
  ['a frozen Error', () => Object.freeze(new Error(HIDDEN))],
  ['a frozen AuthError', () => Object.freeze(new AuthError(HIDDEN))],
  ['an Error that cannot be read', () => new Unreadable()],
  ['an object whose `then` throws', () => thenThrows],
  ['a proxy that was revoked', revoked],
];

const otherRealm = createContext({});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Results that are not promises of a row, which shows only after `await`. */
const answers: readonly Way[] = [
  {
    name: 'rejects later',
    fail: async () => {
      for (let turns = 0; turns < 3; turns++) await turn();
      throw new Error(HIDDEN);
    },
  },
  {
    name: 'rejects with a promise of another realm',
    fail: () => runInContext('Promise.reject(new Error())', otherRealm),
  },
  { name: 'returns an object whose `then` throws', fail: () => thenThrows },
  {
    name: 'returns something like a promise, which fails as it is waited for',
    fail: () => ({
      // biome-ignore lint/suspicious/noThenProperty: that is the point
      then(): never {
        throw new Error(HIDDEN);
      },
    }),
  },
];

export const ways: readonly Way[] = [
  ...things.map(([what, make]) => ({
    name: `throws ${what}`,
    fail: () => {
      throw make();
    },
  })),
  ...things.map(([what, make]) => ({ name: `rejects with ${what}`, fail: () => Promise.reject(make()) })),
  ...answers,
];

/** A valid session of a user without an id. */
const row = { session: { sessionToken: 'x', userId: 'x', expires: new Date(8e15) }, user: {} };

/** Rows as a broken driver, proxy or serializer may return them. */
export const wrongRows: readonly Way[] = [
  undefined, null, {}, [{}], 7, HIDDEN, row, { ...row, user: undefined },
].map((answer, index) => ({ name: `answers ${index}`, fail: async () => answer, isAnswer: true })); // biome-ignore format: a list
