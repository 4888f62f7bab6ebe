import type { Context } from '../context.ts';
import type { Proof } from '../identity/proof.ts';
import type { Warning } from '../log/logger.ts';
import { requireMethod } from '../store/methods.ts';
import { isReassigned } from '../store/stable-id.ts';
import type { Store } from '../store/store.ts';
import type { AdapterAccount, AdapterUser } from '../types/adapter.ts';

type AccountKey = Pick<AdapterAccount, 'provider' | 'providerAccountId'>;

/** The owner of an account. If its id as a string is unknown, Auth.js v5 may have stored the account by the number. */
export async function userOfAccount(store: Store, proof: Proof): Promise<AdapterUser | null> {
  return (await userOf(store, proof.account)) ?? userOfNumber(store, proof);
}

/** The key by which the store has a known account. */
export async function storedKey(store: Store, proof: Proof): Promise<AccountKey> {
  const key = numericKey(proof);
  return key && !(await userOf(store, proof.account)) ? key : proof.account;
}

/**
 * Returns whether a known account has another second id than before, or has lost it. Then the vendor may have given the
 * id of the account to another person.
 */
export async function hasOtherStableId({ settings }: Context, store: Store, proof: Proof): Promise<boolean> {
  if (proof.stableId === undefined) return false;
  if (!store.getAccount) {
    settings.logger.warn(NOT_COMPARED, `provider: ${proof.account.provider}`);
    return false;
  }
  const { provider, providerAccountId } = await storedKey(store, proof);
  return isReassigned(await store.getAccount(providerAccountId, provider), proof.stableId);
}

const NOT_COMPARED: Warning = {
  code: 'stable-id-not-compared',
  words: 'the adapter has no `getAccount`, so a vendor that gives an account id to another person is not noticed.',
};

function userOf(store: Store, { provider, providerAccountId }: AccountKey): Promise<AdapterUser | null> {
  return requireMethod(store, 'getUserByAccount')({ provider, providerAccountId });
}

async function userOfNumber(store: Store, proof: Proof): Promise<AdapterUser | null> {
  const key = numericKey(proof);
  if (!key) return null;
  try {
    return await userOf(store, key);
  } catch {
    // Stores with text columns may refuse a number. If the store is down, it refuses the string, too.
    return userOf(store, proof.account);
  }
}

/** The key of an account that Auth.js v5 stored by a number, although its types have a string there. */
function numericKey({ account: { provider }, numericAccountId }: Proof): AccountKey | undefined {
  if (numericAccountId === undefined) return undefined;
  return { provider, providerAccountId: numericAccountId as unknown as string };
}
