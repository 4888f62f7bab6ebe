import { LastWayIn } from '../errors.ts';
import { endAllSessions } from '../session/end.ts';
import { requireMethod } from '../store/methods.ts';
import type { ChangedWays } from '../types/account.ts';
import type { AccountChange, AccountOwner } from './actor.ts';
import { accountProviders, otherWays, type StoredWay, storedWays } from './ways.ts';

/** Removes the way to sign in that the field `id` names. */
export const unlink: AccountChange = async (actor, fields) => {
  const result = await unlinkWay(actor, fields['id'], actor.facts?.id);
  return { done: result.count > 0 ? 'unlink' : undefined, result };
};

/**
 * Removes an account or a passkey of a user. Where sessions have records, those that began at its provider end.
 *
 * @param id Of a way in the list of the user. Another id removes nothing.
 * @param except Id of a session that stays: that of the visitor. Default: none.
 * @throws {LastWayIn} if the user could not sign in any more.
 * @throws {MissingAdapterMethods} if the adapter cannot list accounts, or cannot remove them safely.
 */
export async function unlinkWay(owner: AccountOwner, id: unknown, except?: string): Promise<ChangedWays> {
  const { settings, store, user } = owner;
  const remove = requireMethod(store, 'unlinkAccountIfNotLast');
  const way = (await storedWays(owner)).find((one) => one.id === id);
  if (!way) return { count: 0 };
  const { provider, providerAccountId, type } = way.account;
  const answer = await remove({
    userId: user.id,
    account: { provider, providerAccountId },
    providers: accountProviders(settings),
    otherWays: (await otherWays(owner)).length,
  });
  if (answer === 'last') throw new LastWayIn('the user has no other way to sign in', { provider });
  if (answer === 'missing') return { count: 0 };
  await settings.emit('unlinkAccount', { user, account: { provider, providerAccountId, type, userId: user.id } });
  await endSessionsOf(owner, way, except);
  return { count: 1 };
}

async function endSessionsOf(
  { settings, user, now }: AccountOwner,
  { account }: StoredWay,
  except?: string,
): Promise<void> {
  if (!settings.records) return;
  await endAllSessions(settings, now, { userId: user.id, provider: account.provider, except, reason: 'unlink' });
}
