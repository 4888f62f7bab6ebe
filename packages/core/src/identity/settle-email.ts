import { errorOf } from '../config/hooks.ts';
import { need, type Store } from '../config/store.ts';
import type { Context } from '../context.ts';
import { AdapterError, EmailCreateAccountError, MissingAdapter } from '../errors.ts';
import type { EmailProof } from './email/finish.ts';
import type { Settled } from './settle.ts';

/**
 * What a used link does to the store: a new address becomes a user, a known one is verified from its first link on.
 *
 * @throws {EmailCreateAccountError} when the user cannot be created.
 */
export async function settleEmail(context: Context, { user }: EmailProof): Promise<Settled> {
  const { settings, now } = context;
  const store = await settings.store();
  if (!store) throw new MissingAdapter('sign-in by email keeps its users in a store. Add an `adapter`');
  const known = await need(store, 'getUserByEmail')(user.email);
  if (!known) return create(context, store, user.email);
  if (known.emailVerified) return { user: known, isNewUser: false };
  const updated = await need(store, 'updateUser')({ id: known.id, emailVerified: now });
  await settings.emit('updateUser', { user: updated });
  return { user: updated, isNewUser: false };
}

async function create({ settings, now }: Context, store: Store, email: string): Promise<Settled> {
  try {
    const user = await need(store, 'createUser')({ id: crypto.randomUUID(), email, emailVerified: now });
    await settings.emit('createUser', { user });
    return { user, isNewUser: true };
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    // Two links of one address, used at once: the second joins the first.
    const known = await need(store, 'getUserByEmail')(email).catch(() => null);
    if (known) return { user: known, isNewUser: false };
    throw new EmailCreateAccountError('the user could not be created', { err: errorOf(error) });
  }
}
