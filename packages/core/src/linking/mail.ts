import type { Context } from '../context.ts';
import { AdapterError, EmailCreateAccountError, errorOf } from '../errors.ts';
import type { Proof } from '../identity/proof.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import { isSameUser, userByAddress } from '../store/users.ts';
import type { AdapterUser } from '../types/adapter.ts';
import { recordFirstProof } from './first-proof.ts';
import type { LinkedUser } from './link.ts';

/**
 * Updates the store after a mailed link was used. A new address becomes a user. The first link of a known address makes
 * it verified.
 *
 * @throws {EmailCreateAccountError} if the user cannot be created.
 */
export async function linkEmail(context: Context, store: Store, { account }: Proof): Promise<LinkedUser> {
  const email = account.providerAccountId;
  const known = await userByAddress(store, email);
  return known ? verifyUser(context, store, known) : createUser(context, store, email);
}

async function verifyUser(context: Context, store: Store, known: AdapterUser): Promise<LinkedUser> {
  return { user: await recordFirstProof(context, store, known), isNewUser: false };
}

async function createUser(context: Context, store: Store, email: string): Promise<LinkedUser> {
  const draft: AdapterUser = { id: crypto.randomUUID(), email, emailVerified: context.now };
  try {
    return await created(context, await requireMethod(store, 'createUser')(draft));
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    // The store may have lost only the answer, or another link of this address may have been faster.
    const known = await userByAddress(store, email).catch(() => null);
    if (!known) throw new EmailCreateAccountError('the user could not be created', { err: errorOf(error) });
    return isSameUser(known, draft) ? created(context, known) : verifyUser(context, store, known);
  }
}

async function created({ settings }: Context, user: AdapterUser): Promise<LinkedUser> {
  await settings.emit('createUser', { user });
  return { user, isNewUser: true };
}
