import type { Adapter } from '@latchkey/core/adapters';
import type { Awaitable } from '@latchkey/core/types';
import { MissingMethod } from './expect.ts';

/** The test runner. `vitest` and `node:test` fit; your own object can skip cases by their titles. */
export interface SuiteRunner {
  /** Defines a group of cases. */
  describe(title: string, body: () => void): unknown;
  /** Defines a case. It fails if the promise rejects. */
  it(title: string, body: () => Promise<void>): unknown;
}

/** The adapter under test. */
export interface SuiteSubject {
  /** The adapter under test. Its store may hold rows of earlier cases. */
  readonly adapter: Adapter;
  /** Called after the case. */
  close?(): Awaitable<void>;
}

/** Makes the subject of one case. The store may hold rows of earlier cases: each case uses its own keys. */
export type MakeSubject = () => Awaitable<SuiteSubject>;

/** Registers a case. If the adapter lacks a method, each case that calls it fails. */
export type Case = (title: string, body: (adapter: Required<Adapter>) => Promise<void>) => void;

/** Returns a function that registers cases; each case makes and closes its own subject. */
export function casesOf(make: MakeSubject, runner: SuiteRunner): Case {
  return (title, body) => {
    runner.it(title, async () => {
      const subject = await make();
      try {
        await body(demanding(subject.adapter));
      } finally {
        await subject.close?.();
      }
    });
  };
}

/** Returns the adapter with its methods bound. Reading a method that it lacks throws. */
function demanding(adapter: Adapter): Required<Adapter> {
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') throw new MissingMethod(`the adapter has no \`${String(name)}\``);
      return method.bind(target);
    },
  }) as Required<Adapter>;
}
