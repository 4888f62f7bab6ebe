import { equal } from '../crypto/bytes.ts';
import { sha256Base64Url } from '../crypto/hash.ts';
import { AccountChanged } from '../errors.ts';
import type { ProvenAccount } from '../pending/kinds.ts';
import type { Proof } from './proof.ts';

/** Returns the hash by which a browser remembers an account while a mail proves its address. */
export async function accountHash({ account: { provider, providerAccountId } }: Proof): Promise<string> {
  return sha256Base64Url(JSON.stringify(['account', provider, providerAccountId]));
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
  if (!equal(await accountHash(proof), account))
    throw new AccountChanged('the provider returned another account than the one whose address was confirmed', {
      provider,
    });
  if (proof.user.email !== email)
    throw new AccountChanged('the address of the account has changed since it was confirmed', { provider });
  return provenByMail(proof);
}
