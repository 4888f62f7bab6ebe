import { isSameUser } from '../store/users.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { User } from '../types/user.ts';

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
  /** The user who has the email address of the account. */
  readonly sameEmail: U | null;
  readonly mayLinkByEmail: boolean;
  /** The provider says that the address is not verified. */
  readonly emailUnverified: boolean;
  readonly mayCreateUnverified: boolean;
  /** The account is being created, so it must not belong to anyone yet. */
  readonly mustBeNew?: boolean | undefined;
}

/** Why a sign-in is refused. */
export type LinkRefusal =
  | 'reassigned'
  | 'owned-by-another-user'
  | 'foreign-session'
  | 'email-taken'
  | 'email-unverified';

/** The decision about a proven account. */
export type LinkDecision<U> =
  | { readonly do: 'use'; readonly user: U }
  | { readonly do: 'link'; readonly user: U }
  | { readonly do: 'create' }
  | { readonly do: 'refuse'; readonly reason: LinkRefusal };

/**
 * Decides to whom a proven account belongs. The rows are in `link.test.ts`, one test per row.
 *
 * An address that the provider calls unverified never links. Unless the provider's option allows it, it never becomes
 * a user, and the refusal does not depend on whether a user has it. Nothing that is stored changes because of it. A
 * user without accounts is not given to anyone.
 */
export function decideLink<U extends { id: string }>(facts: LinkFacts<U>): LinkDecision<U> {
  const { owner, signedIn, sameEmail } = facts;
  if (owner && facts.isReassigned) return { do: 'refuse', reason: 'reassigned' };
  if (owner && facts.mustBeNew) return { do: 'refuse', reason: 'owned-by-another-user' };
  if (owner && signedIn && !isSameUser(owner, signedIn)) return { do: 'refuse', reason: 'owned-by-another-user' };
  if (owner) return { do: 'use', user: owner };
  if (signedIn && !facts.isSessionOfBrowser) return { do: 'refuse', reason: 'foreign-session' };
  if (signedIn) return { do: 'link', user: signedIn };
  if (facts.emailUnverified && !facts.mayCreateUnverified) return { do: 'refuse', reason: 'email-unverified' };
  if (sameEmail) {
    if (facts.mayLinkByEmail && !facts.emailUnverified) return { do: 'link', user: sameEmail };
    return { do: 'refuse', reason: 'email-taken' };
  }
  return { do: 'create' };
}
