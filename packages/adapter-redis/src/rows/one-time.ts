import { type Adapter, fields, type VerificationToken } from '@latchkey/core/adapters';
import { UniqueViolation } from '../errors.ts';
import { partOf } from '../keys.ts';
import { retry } from '../plan.ts';
import { markOf, membersOf, rowText } from '../row.ts';
import { KEEP, lifetime, type Store } from '../store.ts';
import { checked, instant, lookupPair, lookupPart, required } from '../values.ts';

/** Methods about one-time values. */
export type OneTimeMethods = Required<
  Pick<Adapter, 'createVerificationToken' | 'useVerificationToken' | 'deleteVerificationTokens' | 'spendOnce'>
>;

/**
 * Returns the methods about one-time values. One command reads and deletes a value, so only one caller gets it.
 *
 * The list of an identifier's tokens has an entry for each token that this release has stored. An entry stays when its
 * token is used or deleted, and expires with it. Earlier releases wrote no list; their tokens can be used, but
 * `deleteVerificationTokens` does not find them.
 */
export function oneTimeOf(store: Store): OneTimeMethods {
  const { keys } = store;

  return {
    createVerificationToken: async (verificationToken) => {
      const identifier = required('verificationToken.identifier', verificationToken.identifier);
      const token = required('verificationToken.token', verificationToken.token);
      const expires = instant('verificationToken.expires', verificationToken.expires);
      const { expires: _, ...members } = checked(
        'verificationToken',
        fields.verificationTokens,
        verificationToken,
        'leave out',
      );
      const part = partOf([identifier, token]);
      const row = rowText(null, expires.getTime(), members);
      const key = keys.of('token', part);
      const now = store.now();
      const schedule = [String(expires.getTime()), String(now.getTime()), String(KEEP)] as const;
      const unmet = await store.commit([
        // The list comes first: it may name tokens that do not exist, but it never misses one.
        { write: [['schedule', keys.of('tokens', partOf(identifier)), part, ...schedule]] },
        {
          need: [['absent', key]],
          write: [
            ['put', key, row, lifetime(expires, now)],
            ['schedule', keys.expiring(part), `token:${part}`, ...schedule],
          ],
        },
      ]);
      if (unmet !== null) throw new UniqueViolation('verificationToken.token');
      return readToken(row);
    },
    useVerificationToken: async ({ identifier, token }) => {
      const part = lookupPair(identifier, token);
      const row = part && (await store.take(keys.of('token', part)));
      return row ? readToken(row) : null;
    },
    deleteVerificationTokens: async ({ identifier }) => {
      const list = lookupPart(identifier);
      const parts = list === null ? [] : await store.scheduled(keys.of('tokens', list));
      await store.commit([parts.map((part) => ({ write: [['drop', keys.of('token', part)]] }))]);
    },
    spendOnce: async (key, expires) => {
      const spent = keys.of('spent', partOf(required('key', key)));
      const row = rowText(null, instant('expires', expires).getTime(), {});
      const write = [['put', spent, row, lifetime(expires, store.now())]] as const;
      let earlier: string | null = null;
      return retry(async () => {
        const free = earlier === null ? (['absent', spent] as const) : (['is', spent, earlier] as const);
        if ((await store.commit([{ need: [free], write }])) === null) return { done: true };
        earlier = await store.get(spent);
        // The server keeps an expired row for another hour, but the key is free.
        return earlier !== null && markOf(earlier) >= store.now().getTime() ? { done: false } : undefined;
      });
    },
  };
}

function readToken(row: string): VerificationToken {
  return { ...membersOf<Omit<VerificationToken, 'expires'>>(row), expires: new Date(markOf(row)) };
}
