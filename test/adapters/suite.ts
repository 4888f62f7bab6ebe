import { type AdapterSuiteOptions, adapterSuite } from '@latchkey/testing/adapter-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenStore, OpenStoreFunction } from './store.ts';

/** Cases of the suite that an adapter does not stand on a certain store. */
export interface Known {
  /** Why, in a sentence for the reader of the test. */
  readonly because: string;
  /** Titles of the cases. */
  readonly cases: readonly string[];
  /** What each of them fails with. */
  readonly error: RegExp;
}

/**
 * Registers `adapterSuite` for another project's adapter. A case that is in `known` must fail as it is said there: one that
 * passes, or that the suite does not have, is an error, so that the list stays true.
 *
 * @param open Opens the store; once for all cases, closed after the last.
 */
export function peerSuite(
  open: OpenStoreFunction,
  known: readonly Known[] = [],
  options: AdapterSuiteOptions = {},
): void {
  const expected = new Map(known.flatMap(({ cases, ...entry }) => cases.map((title) => [title, entry] as const)));
  const met = new Set<string>();
  const register = (title: string, body: () => Promise<void>): void => {
    const entry = expected.get(title);
    if (!entry) {
      it(title, body);
      return;
    }
    met.add(title);
    it(`does not stand: ${title} (${entry.because})`, async () => {
      await expect(body(), 'it stands the case now: take it off the list').rejects.toThrow(entry.error);
    });
  };
  describe('adapterSuite', () => {
    let store: OpenStore | undefined;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store?.close());

    const subject = (): { adapter: OpenStore['adapter'] } => {
      if (!store) throw new Error('the store is not open');
      return { adapter: store.adapter };
    };
    adapterSuite(subject, { describe, it: register }, options);

    it('has all cases of the list', () => {
      expect([...expected.keys()].filter((title) => !met.has(title))).toEqual([]);
    });
  });
}
