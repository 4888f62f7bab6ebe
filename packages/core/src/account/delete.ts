import { BadRequest } from '../errors.ts';
import { endUserSessions } from '../session/end-user.ts';
import { requireMethod } from '../store/methods.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { AccountChange, AccountOwner } from './actor.ts';
import { notify } from './notices.ts';

/**
 * Deletes the account of the visitor. On the built-in page, the visitor types the address or name of the account into
 * the field `confirm`. Without that field, the application has asked the visitor itself.
 *
 * @throws {BadRequest} if the field has another text.
 */
export const deleteAccount: AccountChange = async (actor, fields) => {
  const { context, user } = actor;
  const typed = fields['confirm'];
  if (typed !== undefined && !isConfirmation(typed, user)) {
    throw new BadRequest('the field `confirm` must be the address or the name of the account');
  }
  await deleteOwner(actor, () => context.call.now?.() ?? new Date());
  await notify(context, user.email, { kind: 'accountDeleted' });
  return { next: context.origin, signsOut: true, result: { deleted: true } };
};

/** Returns the text that the visitor types to delete the account. The name counts, too. */
export function confirmation({ email, name, id }: AdapterUser): string {
  return email || name || String(id);
}

function isConfirmation(typed: unknown, user: AdapterUser): boolean {
  return (
    typeof typed === 'string' && [confirmation(user), user.name].some((text) => text && folded(text) === folded(typed))
  );
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/**
 * Deletes a user, in this order: `beforeDelete`, sessions, user. An error ends the order, and the call can be repeated.
 * Sessions that begin in between end, too. Sessions in cookies without records last until they expire.
 *
 * @param clock Returns the present time. With records, a sign-in that has begun before the user was deleted then starts
 *   no session.
 * @throws the error of `beforeDelete`.
 * @throws {MissingAdapterMethods} before anything happens, if the adapter has no `deleteUser`.
 * @throws {SessionRecordsError} if the record store fails.
 * @throws {AdapterError} if the adapter fails.
 */
export async function deleteOwner(
  { settings, account, store, user, now }: AccountOwner,
  clock: () => Date,
): Promise<void> {
  const remove = requireMethod(store, 'deleteUser');
  await account.beforeDelete?.(user);
  const end = { userId: String(user.id), reason: 'delete' };
  await endUserSessions(settings, now, end);
  await remove(user.id);
  await endUserSessions(settings, clock(), end);
  await settings.emit('deleteUser', { user });
}
