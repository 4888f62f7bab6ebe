import type { AdapterAccount, UnlinkAccountParams, UnlinkAccountResult } from '@latchkey/core/adapters';
import { type Need, type Plan, retry, type Step } from '../plan.ts';
import { membersOf, ownerOf } from '../row.ts';
import { type ListedRow, rowsOfUser, type Store } from '../store.ts';
import { lookupPair, lookupPart } from '../values.ts';

/**
 * Deletes an account of a user if another way in is left. The user's list of accounts decides: the first step removes
 * the account from it, and requires that another account that counts is still in it. So of two simultaneous calls, one
 * sees what the other has left, also if the rows are on other slots.
 *
 * In several steps, the first one moves the account to another list, so that the user still sees it. It never comes
 * back: other calls may have deleted the row meanwhile. The client may stop after any step. The account then does not
 * count any more, and a second call deletes the rest.
 */
export async function unlinkIfNotLast(store: Store, params: UnlinkAccountParams): Promise<UnlinkAccountResult> {
  const owner = lookupPart(params.userId);
  const part = lookupPair(params.account.provider, params.account.providerAccountId);
  if (owner === null || part === null) return 'missing';
  return retry(async () => {
    const [row, listed] = await Promise.all([
      store.get(store.keys.of('account', part)),
      rowsOfUser(store, 'account', owner),
    ]);
    if (row === null || ownerOf(row) !== owner) return { done: 'missing' };
    const others = listed.filter((one) => one.part !== part && isOneOf(params.providers, one));
    // A random one, because simultaneous calls that name the same one would refuse each other again and again.
    const other = others[Math.floor(Math.random() * others.length)];
    if (!other && params.otherWays === 0) return { done: 'last' };
    const isListed = listed.some((one) => one.part === part);
    const witnesses = params.otherWays > 0 || !other ? [part] : [part, other.part];
    const plan: Plan = [
      ...(isListed ? [delist(store, owner, part, witnesses)] : []),
      ...(await passkeysOf(store, owner, row)),
      { need: [['is', store.keys.of('account', part), row]], write: [['drop', store.keys.of('account', part)]] },
      { write: store.keys.tag === 'all' ? [] : [['remove', store.keys.of('unlinking', owner), part]] },
    ];
    return (await store.commit(plan)) === null ? { done: 'unlinked' } : undefined;
  });
}

function isOneOf(providers: readonly string[], { row }: ListedRow): boolean {
  return providers.includes(membersOf<AdapterAccount>(row).provider);
}

/** Removes an account from the user's list of those that count, if all `witnesses` are in it. */
function delist({ keys }: Store, owner: string, part: string, witnesses: readonly string[]): Step {
  const list = keys.of('accounts', owner);
  return {
    need: [['exists', keys.of('user', owner)], ...witnesses.map((one): Need => ['has', list, one])],
    write: [
      ['remove', list, part],
      ...(keys.tag === 'all' ? [] : [['add', keys.of('unlinking', owner), part] as const]),
    ],
  };
}

/** The steps that delete the passkey of an account. They come before the account, so that a second call finds it. */
async function passkeysOf(store: Store, owner: string, accountRow: string): Promise<Step[]> {
  const { type, providerAccountId } = membersOf<AdapterAccount>(accountRow);
  if (type !== 'webauthn') return [];
  const all = await rowsOfUser(store, 'authenticator', owner);
  const own = all.filter(({ row }) => membersOf<AdapterAccount>(row).providerAccountId === providerAccountId);
  return own.flatMap(({ part }): Step[] => [
    { write: [['dropOf', store.keys.of('authenticator', part), owner]] },
    // In several steps the list keeps the entry: meanwhile the same passkey may have been stored again.
    { write: store.keys.tag === 'all' ? [['remove', store.keys.of('authenticators', owner), part]] : [] },
  ]);
}
