import {
  AccountReassigned,
  OAuthAccountNotLinked,
  OAuthCreateAccountError,
  RecentSignInRequired,
  TooManyWays,
  WebAuthnVerificationError,
} from '../errors.ts';
import type { Proof } from '../identity/proof.ts';
import type { LinkRefusal } from './link.ts';

/**
 * Returns the error of a refused sign-in. For a new passkey, all reasons have one error; the log has the reason.
 *
 * @param signInUrl Where the visitor signs in again.
 */
export function refusal(
  reason: LinkRefusal,
  { account: { provider, type }, emailStatus }: Proof,
  signInUrl?: string,
): Error {
  if (reason === 'too-many-ways') {
    return new TooManyWays('the user has as many accounts or passkeys as one user can have', { provider });
  }
  if (type === 'webauthn') {
    // The visitor must not learn which addresses are taken.
    const remedy =
      reason === 'email-unproven'
        ? '. The typed address is not proven, and another provider opens the user of an address. To create such users nevertheless, set the option `unverifiedEmail: "allow"`'
        : '';
    return new WebAuthnVerificationError(`the new passkey cannot be linked to a user: ${reason}${remedy}`, {
      provider,
    });
  }
  switch (reason) {
    case 'reassigned':
      return new AccountReassigned(
        'the second id of this account differs from the stored one, or is missing: the vendor may have given the account to another person. To let that person in, unlink the account from its user',
        { provider },
      );
    case 'owned-by-another-user':
      return new OAuthAccountNotLinked('the account belongs to another user than the one who is signed in', {
        provider,
        reason: 'other-user',
      });
    case 'foreign-session':
      return new OAuthAccountNotLinked(
        'the session was not started in this browser. Sign in again in this browser, then add the account',
        { provider },
      );
    case 'sign-in-again':
      return new RecentSignInRequired(
        'an account can be added in the 10 minutes after a sign-in. The visitor signs in again, then adds the account',
        { provider, signInUrl },
      );
    case 'requester-signed-out':
      return new OAuthAccountNotLinked('the user who wanted to add the account is not signed in any more', {
        provider,
      });
    case 'email-taken':
      return new OAuthAccountNotLinked(
        'another user has the same address. Sign in as that one and add the account, or set the option `allowDangerousEmailAccountLinking`',
        { provider },
      );
    case 'email-unproven':
      return new OAuthCreateAccountError(
        emailStatus === 'unverified'
          ? 'the provider has not verified the address. Verify it at the provider, or set the option `unverifiedEmail: "allow"`'
          : 'the provider does not tell whether the address is verified. If it verifies all addresses, set the option `emailVerification: "always"`; to create users nevertheless, `unverifiedEmail: "allow"`',
        { provider, ...(emailStatus === 'unverified' && { reason: 'unverified' }) },
      );
  }
}
