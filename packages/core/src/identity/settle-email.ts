import type { AdapterUser } from '../adapters.ts';
import { errorOf } from '../config/hooks.ts';
import { need } from '../config/need.ts';
import type { Store } from '../config/store.ts';
import type { Context } from '../context.ts';
import { AdapterError, EmailCreateAccountError } from '../errors.ts';
import type { EmailProof } from './email/finish.ts';
import { emailStore } from './email/store.ts';
import { isSameUser } from './link.ts';
import { userByAddress } from './same-address.ts';
import type { Settled } from './settle.ts';

/**
 * What a used link does to the store: a new address becomes a user, a known one is verified from its first link on.
 *
 * @throws {EmailCreateAccountError} when the user cannot be created.
 */
export async function settleEmail(context: Context, { user }: EmailProof): Promise<Settled> {
  const store = await emailStore(context);
  const known = await userByAddress(store, user.email);
  return known ? verified(context, store, known) : created(context, store, user.email);
}

/** The instant of the first link stays. */
async function verified({ settings, now }: Context, store: Store, known: AdapterUser): Promise<Settled> {
  if (known.emailVerified) return { user: known, isNewUser: false };
  const updated = await need(store, 'updateUser')({ id: known.id, emailVerified: now });
  // Some adapters answer with nothing but the members that they were given.
  const user = updated?.email ? updated : { ...known, emailVerified: now };
  await settings.emit('updateUser', { user });
  return { user, isNewUser: false };
}

async function created(context: Context, store: Store, email: string): Promise<Settled> {
  const draft: AdapterUser = { id: crypto.randomUUID(), email, emailVerified: context.now };
  try {
    return await told(context, await need(store, 'createUser')(draft));
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    // The write went through and only its answer was lost, or another link of this address was faster: then this one joins.
    const known = await userByAddress(store, email).catch(() => null);
    if (!known) throw new EmailCreateAccountError('the user could not be created', { err: errorOf(error) });
    return isSameUser(known, draft) ? told(context, known) : verified(context, store, known);
  }
}

async function told({ settings }: Context, user: AdapterUser): Promise<Settled> {
  await settings.emit('createUser', { user });
  return { user, isNewUser: true };
}
