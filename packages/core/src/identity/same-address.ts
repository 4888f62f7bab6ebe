import type { AdapterUser } from '../adapters.ts';
import { need } from '../config/need.ts';
import type { Store } from '../config/store.ts';

/**
 * The user who has an address. Stores may take addresses for one that are not: many collations do so with `é` and `e`, some
 * key-value stores with all that follows a `?`. Whoever owns the look-alike must not get the other's user.
 */
export async function userByAddress(store: Store, address: string): Promise<AdapterUser | null> {
  const user = await need(store, 'getUserByEmail')(address);
  return user && hasAddress(user, address) ? user : null;
}

/** Is it this user's address, letter case aside? A user without one was found by another identifier. */
export function hasAddress(user: AdapterUser, address: string): boolean {
  return typeof user.email !== 'string' || folded(user.email) === folded(address);
}

/** Rows that others wrote may hold an address in another than its canonical form. */
function folded(address: string): string {
  return address.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}
