import { defaults } from '../config/defaults.ts';
import { RateLimited } from '../errors.ts';
import { takeRow } from '../identity/email/store.ts';
import type { Store } from '../store/store.ts';
import type { AccountOwner } from './actor.ts';
import { accountRow } from './token-row.ts';

// After an address was restored, it stays for 72 hours. In this time, the undo links of earlier changes expire, which
// an attacker may have.

/**
 * Remembers that the address of a user was restored. If it was restored before, the 72 hours of that time go on: no
 * address has changed since, so no later link exists.
 */
export async function rememberRestoredAddress(store: Store, userId: string, now: Date): Promise<void> {
  const expires = new Date(now.getTime() + defaults.account.undo * 1000);
  if (store.spendOnce) {
    await store.spendOnce(await keyOf(userId), expires);
    return;
  }
  const row = await accountRow('restored', [userId], expires);
  // An attacker may have restored an address before. Most stores refuse a second row with the same key.
  await takeRow(store, row.identifier, row.token);
  await store.createVerificationToken?.(row);
}

/**
 * Checks that the address of a user may change.
 *
 * @throws {RateLimited} if it was restored in the last 72 hours.
 */
export async function requireNoRestoredAddress(owner: AccountOwner): Promise<void> {
  const retryAfter = await (owner.store.spendOnce ? secondsOfKey(owner) : secondsOfRow(owner));
  if (retryAfter === 0) return;
  throw new RateLimited('the address was restored, and stays for 72 hours', { by: 'identifier', retryAfter });
}

/** An instant that has passed by every clock. Not zero, which `TIMESTAMP` of MySQL cannot hold. */
const PAST = new Date(86_400_000);

/** A key that has expired changes nothing. Simultaneous requests cannot hide the stored key from one another. */
async function secondsOfKey({ store, user }: AccountOwner): Promise<number> {
  const isFree = await store.spendOnce?.(await keyOf(String(user.id)), PAST);
  return isFree === false ? defaults.account.undo : 0;
}

/** Reading the row deletes it until it is stored again, so a simultaneous request may not find it. */
async function secondsOfRow({ store, user, now }: AccountOwner): Promise<number> {
  const { identifier, token } = await accountRow('restored', [String(user.id)], now);
  const row = await takeRow(store, identifier, token);
  if (!row || row.expires <= now) return 0;
  await store.createVerificationToken?.({ identifier, token, expires: row.expires });
  return Math.ceil((row.expires.getTime() - now.getTime()) / 1000);
}

async function keyOf(userId: string): Promise<string> {
  return (await accountRow('restored', [userId], PAST)).identifier;
}
