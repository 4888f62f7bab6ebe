import { defaults } from '../config/defaults.ts';
import { RateLimited } from '../errors.ts';
import { takeRow } from '../identity/email/store.ts';
import type { Store } from '../store/store.ts';
import type { AccountOwner } from './actor.ts';
import { accountRow } from './token-row.ts';

// After an address was restored, it stays for 72 hours. In this time, the undo links of later changes expire, which an
// attacker may have.

/** Remembers that the address of a user was restored. */
export async function rememberRestoredAddress(store: Store, userId: string, now: Date): Promise<void> {
  const expires = new Date(now.getTime() + defaults.account.undo * 1000);
  await store.createVerificationToken?.(await accountRow('restored', [userId], expires));
}

/**
 * Checks that the address of a user may change.
 *
 * @throws {RateLimited} if it was restored in the last 72 hours.
 */
export async function requireNoRestoredAddress({ store, user, now }: AccountOwner): Promise<void> {
  const { identifier, token } = await accountRow('restored', [String(user.id)], now);
  const row = await takeRow(store, identifier, token);
  if (!row || row.expires <= now) return;
  // The store tells only by giving the row out.
  await store.createVerificationToken?.({ identifier, token, expires: row.expires });
  const retryAfter = Math.ceil((row.expires.getTime() - now.getTime()) / 1000);
  throw new RateLimited('the address was restored, and stays for 72 hours', { by: 'identifier', retryAfter });
}
