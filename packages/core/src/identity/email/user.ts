import type { AdapterUser } from '../../adapters.ts';
import type { Context } from '../../context.ts';
import { userByAddress } from '../same-address.ts';
import { emailStore } from './store.ts';

/** The stored user of an address, or the one that it would become. */
export async function userOf(context: Context, identifier: string): Promise<AdapterUser> {
  const known = await userByAddress(await emailStore(context), identifier);
  return known ?? { id: crypto.randomUUID(), email: identifier, emailVerified: null };
}
