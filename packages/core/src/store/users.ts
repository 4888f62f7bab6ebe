import type { AdapterUser } from '../types/adapter.ts';
import { requireMethod, type Store } from './methods.ts';

/**
 * Returns the user who has an address; `null` if no user has exactly this address.
 *
 * Stores may find users by addresses that are only similar. Many collations treat `é` and `e` as equal, and some
 * key-value stores ignore everything after a `?`. The owner of a similar address must not get another person's user.
 */
export async function userByAddress(store: Store, address: string): Promise<AdapterUser | null> {
  const user = await requireMethod(store, 'getUserByEmail')(address);
  return user && hasAddress(user, address) ? user : null;
}

/**
 * Returns whether a user has this address, ignoring case. A user without an address was found by another identifier.
 */
export function hasAddress(user: AdapterUser, address: string): boolean {
  return typeof user.email !== 'string' || folded(user.email) === folded(address);
}

/** Characters of a text that is folded. The time that combining marks take grows with the square of their number. */
const LONGEST = 1024;

/**
 * Returns an address or a name in the form in which it is compared. Other applications may have stored an address that
 * is not in its canonical form. A text of more than 1024 characters is compared as it is.
 */
export function folded(text: string): string {
  if (text.length > LONGEST) return text;
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

/**
 * Returns whether two users are the same. Ids may have any type; an id that is an object is a new object in each
 * result.
 */
export function isSameUser(one: { id: unknown } | null | undefined, other: { id: unknown }): boolean {
  return one != null && String(one.id) === String(other.id);
}
