import { type AdapterSuiteOptions, adapterSuite } from '@latchkey/testing/adapter-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenStore, OpenStoreFunction } from './store.ts';

/** Cases of the suite that an adapter fails on a certain store. */
export interface Known {
  /** The reason, as a clause that the test's title can quote. */
  readonly because: string;
  /** Titles of the cases. */
  readonly cases: readonly string[];
  /** The message that each of them fails with. */
  readonly error: RegExp;
}

/** How much of the tests runs on a store: everything on one store of each adapter, a sample on its others. */
export type Extent = 'whole' | 'sample';

/** A case for each method of an adapter, and three for the keys of the database. Known failures run on every store. */
const sample: ReadonlySet<string> = new Set([
  'creates a user and finds them by id and by address',
  'updates the members that are given and leaves the others',
  'deletes a user with their accounts, and no other user',
  'links an account and finds the user by it',
  'refuses to link an account twice',
  'distinguishes addresses byte by byte',
  'distinguishes accounts byte by byte',
  'unlinks one account and leaves the others',
  'returns a token once',
  'creates one user for fifty simultaneous calls',
  'creates a session and reads it with its user',
  'moves the expiry of one session and leaves the others',
  'deletes one session and leaves the others',
]);
const authenticatorSample: ReadonlySet<string> = new Set([
  'reads an account with its tokens',
  'creates an authenticator and finds it by its credential',
  'lists the authenticators of a user',
  'stores the counter of an authenticator',
]);

/**
 * Registers `adapterSuite` for another project's adapter. A case that is in `known` must fail as described there. A
 * listed case that passes, or that the suite does not have, is an error, so that the list stays true.
 *
 * @param open Opens the store: once for all cases. It is closed after the last case.
 * @param options Options of the suite, and how much of it runs. Default: the whole suite.
 */
export function peerSuite(
  open: OpenStoreFunction,
  known: readonly Known[] = [],
  { extent = 'whole', ...options }: AdapterSuiteOptions & { readonly extent?: Extent } = {},
): void {
  const expected = new Map(known.flatMap(({ cases, ...entry }) => cases.map((title) => [title, entry] as const)));
  const sampled = new Set([...sample, ...(options.authenticators ? authenticatorSample : [])]);
  const titles = new Set<string>();
  const register = (title: string, body: () => Promise<void>): void => {
    titles.add(title);
    const entry = expected.get(title);
    if (entry) {
      it(`fails: ${title} (${entry.because})`, async () => {
        await expect(body(), 'the case passes now: take it off the list').rejects.toThrow(entry.error);
      });
    } else if (extent === 'whole' || sampled.has(title)) it(title, body);
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
    // The sample takes no case of some groups, and vitest fails a group without tests.
    const group = extent === 'whole' ? describe : (_title: string, body: () => void): void => body();
    adapterSuite(subject, { describe: group, it: register }, options);

    it('has all cases of the lists', () => {
      const listed = [...expected.keys(), ...(extent === 'sample' ? sampled : [])];
      expect(listed.filter((title) => !titles.has(title))).toEqual([]);
    });
  });
}
