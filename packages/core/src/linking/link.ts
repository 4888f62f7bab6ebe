import { isSameUser } from '../store/users.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { EmailStatus, User } from '../types/user.ts';
import type { UnprovenResult } from './unproven.ts';

/** The user who is signed in with a proven account, as the store agrees. */
export interface LinkedUser {
  readonly user: User | AdapterUser;
  /** `undefined` without an adapter, because nothing is stored. */
  readonly isNewUser: boolean | undefined;
}

/** The facts in the store about a proven account. They are read before the decision. */
export interface LinkFacts<U extends { id: string }> {
  /** The user to whom the account is linked. */
  readonly owner: U | null;
  /** The vendor has given the id of the account to another person since it was linked. Default: `false`. */
  readonly isReassigned?: boolean | undefined;
  /** The user of the request's session, if this user has started the sign-in. */
  readonly signedIn: U | null;
  /** The session of {@link signedIn} was started in this browser, and not set by a subdomain. */
  readonly isSessionOfBrowser: boolean;
  /**
   * The option `account` is set, and {@link signedIn} has neither signed in recently nor asked for the account after a
   * recent sign-in. Default: `false`.
   */
  readonly mustSignInAgain?: boolean | undefined;
  /** The user who has the email address of the account. */
  readonly sameEmail: U | null;
  readonly mayLinkByEmail: boolean;
  /** `undefined`: there is no address, or the sign-in method proves it. */
  readonly emailStatus: EmailStatus | undefined;
  /** The decision of `decideUnproven` about a new account with this address. */
  readonly unproven: UnprovenResult;
  /** A user has the typed name, which need not be an address. Default: `false`. */
  readonly isTaken?: boolean | undefined;
  /** The user to whom the account would be linked has as many as one user can have. Default: `false`. */
  readonly isFull?: boolean | undefined;
  /** The account is being created, so it must not belong to anyone yet. */
  readonly mustBeNew?: boolean | undefined;
}

/** Why a sign-in is refused. */
export type LinkRefusal =
  | 'reassigned'
  | 'owned-by-another-user'
  | 'foreign-session'
  | 'sign-in-again'
  | 'requester-signed-out'
  | 'email-taken'
  | 'too-many-ways'
  | 'email-unproven';

/** The decision about a proven account. */
export type LinkDecision<U> =
  | { readonly do: 'use'; readonly user: U }
  | { readonly do: 'link'; readonly user: U; readonly by: 'session' | 'address' }
  | { readonly do: 'verify' }
  | { readonly do: 'create' }
  | { readonly do: 'refuse'; readonly reason: LinkRefusal };

/**
 * Decides to whom a proven account belongs. The rows are in `link.test.ts`, one test per row.
 *
 * An address that the provider calls unverified never links. Whether an address that is not proven becomes a user,
 * `decideUnproven` decides. `verify` and the refusal do not depend on whether a user has the address. A user without
 * accounts is not given to anyone.
 */
export function decideLink<U extends { id: string }>(facts: LinkFacts<U>): LinkDecision<U> {
  const { owner, signedIn, sameEmail } = facts;
  if (owner && facts.isReassigned) return { do: 'refuse', reason: 'reassigned' };
  if (owner && facts.mustBeNew) return { do: 'refuse', reason: 'owned-by-another-user' };
  if (owner && signedIn && !isSameUser(owner, signedIn)) return { do: 'refuse', reason: 'owned-by-another-user' };
  if (owner) return { do: 'use', user: owner };
  if (signedIn && !facts.isSessionOfBrowser) return { do: 'refuse', reason: 'foreign-session' };
  if (signedIn && facts.mustSignInAgain) return { do: 'refuse', reason: 'sign-in-again' };
  if (signedIn) return linkUnlessFull(facts, signedIn, 'session');
  if (sameEmail && facts.mayLinkByEmail && facts.emailStatus !== 'unverified')
    return linkUnlessFull(facts, sameEmail, 'address');
  if (facts.unproven === 'verify') return { do: 'verify' };
  if (facts.unproven === 'refuse') return { do: 'refuse', reason: 'email-unproven' };
  if (sameEmail || facts.isTaken) return { do: 'refuse', reason: 'email-taken' };
  return { do: 'create' };
}

function linkUnlessFull<U extends { id: string }>(
  { isFull }: LinkFacts<U>,
  user: U,
  by: 'session' | 'address',
): LinkDecision<U> {
  return isFull ? { do: 'refuse', reason: 'too-many-ways' } : { do: 'link', user, by };
}
