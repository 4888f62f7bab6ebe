import { defaults } from '../config/defaults.ts';
import { RateLimited } from '../errors.ts';
import { takeRow } from '../identity/email/store.ts';
import type { Store } from '../store/store.ts';
import type { AccountOwner } from './actor.ts';
import { accountRow } from './statement.ts';

// After an address was restored, it stays for 72 hours. In this time, the undo links of later changes expire, which an
// attacker may have.

/** Remembers that the address of a user was restored. */
export async function rememberRestoredAddress(store: Store, userId: string, now: Date): Promise<void> {
  const expires = new Date(now.getTime() + defaults.account.undo * 1000);
  const row = await accountRow('restored', [userId], expires);
  if (store.spendOnce) await store.spendOnce(row.identifier, expires);
  else await store.createVerificationToken?.(row);
}

/**
 * Checks that the address of a user may change.
 *
 * @throws {RateLimited} if it was restored in the last 72 hours.
 */
export async function requireNoRestoredAddress({ store, user, now }: AccountOwner): Promise<void> {
  const { identifier, token } = await accountRow('restored', [String(user.id)], now);
  if (store.spendOnce) {
    // A key that has expired already is free for the next question, so that simultaneous requests get the same answer.
    // The store does not tell when the time ends.
    if (await store.spendOnce(identifier, LONG_AGO)) return;
    throw isRestored(defaults.account.undo);
  }
  const row = await takeRow(store, identifier, token);
  if (!row || row.expires <= now) return;
  // The store tells only by giving the row out. Meanwhile another request does not find it.
  await store.createVerificationToken?.({ identifier, token, expires: row.expires });
  throw isRestored(Math.ceil((row.expires.getTime() - now.getTime()) / 1000));
}

/** In the past by all clocks, and an instant that all stores can keep. */
const LONG_AGO = new Date('2000-01-01T00:00:00Z');

function isRestored(retryAfter: number): RateLimited {
  return new RateLimited('the address was restored, and stays for 72 hours', { by: 'identifier', retryAfter });
}
