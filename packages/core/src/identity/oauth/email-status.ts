import type { EmailVerification } from '../../providers/oauth.ts';
import type { EmailStatus } from '../../types/user.ts';

/**
 * Returns the status of an address.
 *
 * @param claim The claim `email_verified`; `undefined` if the profile does not have it.
 * @param verification How the provider vouches for addresses; `undefined` if that is not known.
 * @example emailStatus(undefined, 'claim') // 'unverified'
 */
export function emailStatus(claim: unknown, verification: EmailVerification | undefined): EmailStatus {
  if (isDenied(claim)) return 'unverified';
  if (verification === 'never') return 'unknown';
  if (claim !== undefined || verification === 'always') return 'verified';
  return verification === 'claim' ? 'unverified' : 'unknown';
}

/** Returns whether the claim `email_verified` says that an address is not verified: it is present, and not true. */
export function isDenied(claim: unknown): boolean {
  return claim !== undefined && claim !== true && claim !== 'true';
}
