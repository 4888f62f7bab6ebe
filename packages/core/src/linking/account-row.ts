import type { Context } from '../context.ts';
import type { Proof } from '../identity/proof.ts';
import type { Store } from '../store/store.ts';
import type { AccountDetails, AdapterAccount, StoredAccount } from '../types/adapter.ts';

/** Returns the row of the account. The ids are set last, so that no member of the tokens can replace them. */
export function storedAccount({ account, stored }: Proof, userId: string): AdapterAccount {
  const { provider, providerAccountId, type } = account;
  return { ...stored, providerAccountId, provider, type: type as AdapterAccount['type'], userId };
}

/**
 * Returns the row of a new account with the members that its owner sees in a list. Only a store that lists accounts
 * gets them: adapters for Auth.js v5 may refuse members that they do not know.
 */
export function withDetails({ call }: Context, store: Store, proof: Proof, row: AdapterAccount): StoredAccount {
  if (!store.listAccountsByUserId) return row;
  const { label: _, ...account } = row;
  const label = labelOf(proof);
  // Not the time of the request: the provider may have let it wait, and the undo of a change compares these times.
  const details: AccountDetails = { createdAt: call.now?.() ?? new Date(), ...(label && { label }) };
  return Object.assign(account, details);
}

/** Returns the row of a known account with its new tokens. The members for its owner do not change. */
export function withNewTokens(store: Store, row: AdapterAccount): AdapterAccount {
  const { createdAt: _, label: __, ...tokens } = row;
  return store.listAccountsByUserId ? tokens : row;
}

/** The most characters of a label: an address has no more (RFC 5321 section 4.5.3.1). */
const LONGEST = 254;

/** The address or name at the provider. A passkey has neither. */
function labelOf({ account, user }: Proof): string | undefined {
  const text = account.type === 'webauthn' ? null : user.email || user.name;
  if (typeof text !== 'string') return undefined;
  // Stores may refuse control characters and halves of surrogate pairs.
  return [...text.replace(/[\p{Cc}\p{Surrogate}]/gu, '').trim()].slice(0, LONGEST).join('');
}
