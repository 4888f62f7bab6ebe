import type { Adapter, VerificationToken } from '@latchkey/core/adapters';
import { UniqueViolation } from '../errors.ts';
import { partOf } from '../keys.ts';
import { KEEP, lifetime } from '../lifetime.ts';
import { again } from '../retry.ts';
import { markOf, membersOf, rowText } from '../row.ts';
import type { Store } from '../store.ts';
import { instant, lookupPair, required } from '../values.ts';

/** Methods about one-time values. */
export type OneTimeMethods = Required<Pick<Adapter, 'createVerificationToken' | 'useVerificationToken' | 'spendOnce'>>;

/** The one-time values of a store. Each is taken by one command: of two callers, one gets it. */
export function oneTimeOf(store: Store): OneTimeMethods {
  const { keys } = store;

  return {
    createVerificationToken: async ({ identifier, token, expires }) => {
      const part = partOf([
        required('verificationToken.identifier', identifier),
        required('verificationToken.token', token),
      ]);
      const row = rowText(null, instant('verificationToken.expires', expires).getTime(), { identifier, token });
      const key = keys.of('token', part);
      const now = store.now();
      const schedule = [String(expires.getTime()), String(now.getTime()), String(KEEP)] as const;
      const unmet = await store.commit([
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
    spendOnce: async (key, expires) => {
      const spent = keys.of('spent', partOf(required('key', key)));
      const row = rowText(null, instant('expires', expires).getTime(), {});
      const write = [['put', spent, row, lifetime(expires, store.now())]] as const;
      let standing: string | null = null;
      return again(async () => {
        const free = standing === null ? (['absent', spent] as const) : (['is', spent, standing] as const);
        if ((await store.commit([{ need: [free], write }])) === null) return { done: true };
        standing = await store.get(spent);
        // What has expired was forgotten; it is there still for the sake of clocks that are late.
        return standing !== null && markOf(standing) >= store.now().getTime() ? { done: false } : undefined;
      });
    },
  };
}

function readToken(row: string): VerificationToken {
  const { identifier, token } = membersOf(row) as { identifier: string; token: string };
  return { identifier, token, expires: new Date(markOf(row)) };
}
