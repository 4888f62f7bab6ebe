import { LastWayIn } from '../errors.ts';
import { lazily } from '../lazy.ts';
import { endAllSessions } from '../session/end.ts';
import { requireMethod } from '../store/methods.ts';
import type { ChangedWays } from '../types/account.ts';
import type { AdapterAccount } from '../types/adapter.ts';
import type { AccountChange, AccountOwner } from './actor.ts';
import { notifyWayRemoved } from './notices.ts';
import { accountProviders, otherWays, type StoredWay, storedWays } from './ways.ts';

const tokens = lazily(() => import('../tokens/revoke.ts'));

/** Removes the way to sign in that the field `id` names. */
export const unlink: AccountChange = async (actor, fields) => {
  const removed = await removeWay(actor, fields['id'], actor.facts?.id);
  if (!removed) return { result: { count: 0 } };
  await notifyWayRemoved(actor.context, actor.user, removed);
  return { done: 'unlink', result: { count: 1 } };
};

/**
 * Removes an account or a passkey of a user. Its provider tokens are revoked before: if the vault fails, the account
 * stays. Where sessions have records, those that began at its provider end.
 *
 * @param id Of a way in the list of the user. Another id removes nothing.
 * @param except Id of a session that stays: that of the visitor. Default: none.
 * @throws {LastWayIn} if the user could not sign in any more.
 * @throws {MissingAdapterMethods} if the adapter cannot list accounts, or cannot remove them safely.
 * @throws {TokensUnavailable} if the token vault fails. The call can be repeated.
 */
export async function unlinkWay(owner: AccountOwner, id: unknown, except?: string): Promise<ChangedWays> {
  return { count: (await removeWay(owner, id, except)) ? 1 : 0 };
}

/** Returns the account that was removed. */
async function removeWay(owner: AccountOwner, id: unknown, except?: string): Promise<AdapterAccount | undefined> {
  const { settings, store, user } = owner;
  const remove = requireMethod(store, 'unlinkAccountIfNotLast');
  const ways = await storedWays(owner);
  const way = ways.find((one) => one.id === id);
  if (!way) return undefined;
  const { provider, providerAccountId, type } = way.account;
  const others = (await otherWays(owner)).length;
  if (settings.tokens) {
    // The adapter checks it again. Its answer would come too late for the tokens.
    const isLast = others === 0 && !ways.some((one) => one !== way && one.isUsable);
    if (isLast) throw lastWayIn(provider);
    await (await tokens()).revokeOfUser(owner, way.account);
  }
  const answer = await remove({
    userId: user.id,
    account: { provider, providerAccountId },
    providers: accountProviders(settings),
    otherWays: others,
  });
  if (answer === 'last') throw lastWayIn(provider);
  if (answer !== 'unlinked') return undefined;
  if (settings.tokens) await (await tokens()).revokeRest(owner, way.account);
  await settings.emit('unlinkAccount', { user, account: { provider, providerAccountId, type, userId: user.id } });
  await endSessionsOf(owner, way, except);
  return way.account;
}

function lastWayIn(provider: string): LastWayIn {
  return new LastWayIn('the user has no other way to sign in', { provider });
}

async function endSessionsOf(
  { settings, user, now }: AccountOwner,
  { account }: StoredWay,
  except?: string,
): Promise<void> {
  if (!settings.records) return;
  await endAllSessions(settings, now, {
    userId: String(user.id),
    provider: account.provider,
    except,
    reason: 'unlink',
  });
}
