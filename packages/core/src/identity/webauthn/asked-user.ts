import type { Store } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../types.ts';
import { canonicalAddress } from '../email/address.ts';
import { userByAddress } from '../same-address.ts';
import { hookArguments, type WebAuthnProvider } from './provider.ts';

/** Whom a request names. */
export interface AskedUser {
  /** The user of the store, or the one to be. An address is canonical. */
  readonly user: User;
  readonly exists: boolean;
}

/** The user that a request names, by the provider's hook or by the address; `null` when it names nobody. */
export async function askedUser(context: Context, provider: WebAuthnProvider, store: Store): Promise<AskedUser | null> {
  if (!provider.getUserInfo) return userOfAddress(context, store);
  const told = await provider.getUserInfo(...hookArguments(context, provider, store));
  if (!told?.user || told.exists) return told ?? null;
  const { email } = told.user;
  if (typeof email !== 'string' || email === '') return told;
  const canonical = canonicalAddress(email);
  return canonical === undefined ? null : { user: { ...told.user, email: canonical }, exists: false };
}

async function userOfAddress({ incoming, query, body }: Context, store: Store): Promise<AskedUser | null> {
  const typed = (incoming.method === 'POST' ? body.email : undefined) ?? query.email;
  const email = canonicalAddress(typed);
  if (email === undefined) return null;
  const user = await userByAddress(store, email);
  return user ? { user, exists: true } : { user: { email }, exists: false };
}
