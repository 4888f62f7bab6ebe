import { equal } from '../crypto/bytes.ts';
import { sha256Base64Url } from '../crypto/hash.ts';
import { AccountChanged } from '../errors.ts';
import type { ProvenAccount } from '../pending/kinds.ts';
import type { Proof } from './proof.ts';

/** The id of an account. */
export interface AccountId {
  readonly provider: string;
  readonly providerAccountId: string;
}

/** Returns the hash by which a browser remembers an account while its address is proven, or while it is added. */
export async function accountHash({ account }: { readonly account: AccountId }): Promise<string> {
  const { provider, providerAccountId } = account;
  return sha256Base64Url(JSON.stringify(['account', provider, providerAccountId]));
}

/** Returns whether the hash belongs to this account. */
export async function isSameAccount(account: AccountId, hash: string): Promise<boolean> {
  return equal(await accountHash({ account }), hash);
}

/**
 * Returns the proof of an account whose address a mail has proven. The account may be linked to the user who has the
 * address, and a new user's address is verified.
 */
export function provenByMail(proof: Proof): Proof {
  return { ...proof, emailStatus: 'verified', mayLinkByEmail: true, isProvenByMail: true };
}

/**
 * Compares the account that a provider has returned with the one whose address was proven before.
 *
 * @throws {AccountChanged} if the account or its address is another one.
 */
export async function requireSameAccount(proof: Proof, { email, account }: ProvenAccount): Promise<Proof> {
  const { provider } = proof.account;
  if (!(await isSameAccount(proof.account, account)))
    throw new AccountChanged('the provider returned another account than the one whose address was confirmed', {
      provider,
    });
  if (proof.user.email !== email)
    throw new AccountChanged('the address of the account has changed since it was confirmed', { provider });
  return provenByMail(proof);
}
