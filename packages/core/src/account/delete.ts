import { lazily } from '../lazy.ts';
import { endUserSessions } from '../session/end-user.ts';
import { requireMethod } from '../store/methods.ts';
import { folded } from '../store/users.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { AccountOwner } from './actor.ts';
import { voidStatements } from './statement.ts';

const tokens = lazily(() => import('../tokens/revoke.ts'));

/** Returns the text that the visitor types to delete the account. The name counts, too. */
export function confirmation({ email, name, id }: AdapterUser): string {
  return email || name || String(id);
}

/** Has the user typed this text? */
export function isConfirmation(typed: unknown, user: AdapterUser): boolean {
  return (
    typeof typed === 'string' && [confirmation(user), user.name].some((text) => text && folded(text) === folded(typed))
  );
}

/**
 * Deletes a user, in this order: `beforeDelete`, sessions, undo links and provider tokens, user. An error ends the
 * order, and the call can be repeated. Sessions, links and tokens from in between end, too. Sessions in cookies without
 * records last until they expire.
 *
 * @param clock Returns the present time. With records, a sign-in that has begun before the user was deleted then starts
 *   no session.
 * @param onSessionsEnded Called as soon as the sessions have ended, also if a later step fails. Default: nothing.
 * @throws the error of `beforeDelete`.
 * @throws {MissingAdapterMethods} before anything happens, if the adapter has no `deleteUser`.
 * @throws {SessionRecordsError} if the record store fails.
 * @throws {TokensUnavailable} if the token vault fails. A provider that does not revoke the tokens is only logged.
 * @throws {AdapterError} if the adapter fails.
 */
export async function deleteOwner(
  owner: AccountOwner,
  clock: () => Date,
  onSessionsEnded?: () => Promise<void>,
): Promise<void> {
  const { settings, account, store, user, now } = owner;
  const remove = requireMethod(store, 'deleteUser');
  await account.beforeDelete?.(user);
  // The tokens in a cookie are those of the session, which ends now.
  if (settings.tokens?.isInCookie) await (await tokens()).revokeOfUser(owner);
  const end = { userId: String(user.id), reason: 'delete' };
  await endUserSessions(settings, now, end);
  await onSessionsEnded?.();
  await voidStatements(store, end.userId);
  if (settings.tokens && !settings.tokens.isInCookie) await (await tokens()).revokeOfUser(owner);
  await remove(user.id);
  await endUserSessions(settings, clock(), end);
  await voidStatements(store, end.userId);
  if (settings.tokens) await (await tokens()).revokeRest(owner);
  await settings.emit('deleteUser', { user });
}
