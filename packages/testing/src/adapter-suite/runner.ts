import type { Adapter } from '@latchkey/core/adapters';
import type { Awaitable } from '@latchkey/core/types';
import { MissingMethod } from './expect.ts';

/** What the suite needs of a test runner; `vitest` and `node:test` fit. A runner of one's own may skip cases by title. */
export interface SuiteRunner {
  describe(title: string, body: () => void): unknown;
  it(title: string, body: () => Promise<void>): unknown;
}

/** An adapter to be tested. */
export interface SuiteSubject {
  readonly adapter: Adapter;
  /** Called when the case is over. */
  close?(): Awaitable<void>;
}

/** Makes the subject of one case. The store may hold rows of earlier cases: no case uses another's keys. */
export type MakeSubject = () => Awaitable<SuiteSubject>;

/** Registers a case whose body receives an adapter. A method that the adapter lacks fails the case that needs it. */
export type Case = (title: string, body: (adapter: Required<Adapter>) => Promise<void>) => void;

/** Cases over subjects that `make` makes. */
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

/** The adapter with all methods bound; asking for one that it lacks throws. */
function demanding(adapter: Adapter): Required<Adapter> {
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') throw new MissingMethod(`the adapter has no \`${String(name)}\``);
      return method.bind(target);
    },
  }) as Required<Adapter>;
}
