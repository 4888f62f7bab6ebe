/** What the store knows about a proven account; gathered before anything is decided. */
export interface LinkFacts<U extends { id: string }> {
  /** The user the account is linked to. */
  readonly owner: U | null;
  /** The user of the request's session, if the sign-in was started by that user. */
  readonly signedIn: U | null;
  /** The user who has the address of the account. */
  readonly sameEmail: U | null;
  readonly mayLinkByEmail: boolean;
  /** The provider says that the address is not verified. */
  readonly emailUnverified: boolean;
  readonly mayCreateUnverified: boolean;
  /** The account is being made right now: nobody can have it. */
  readonly mustBeNew?: boolean | undefined;
}

/** Why a sign-in is refused. */
export type LinkRefusal = 'owned-by-another-user' | 'email-taken' | 'email-unverified';

/** What is to be done with a proven account. */
export type LinkDecision<U> =
  | { readonly do: 'use'; readonly user: U }
  | { readonly do: 'link'; readonly user: U }
  | { readonly do: 'create' }
  | { readonly do: 'refuse'; readonly reason: LinkRefusal };

/**
 * Who does a proven account belong to? The rows are in `link.test.ts`, one test per row.
 *
 * An address that the provider calls unverified never links and, unless the provider's option allows it, never becomes a
 * user; nothing that is stored changes because of it. A user without accounts is nobody's to take.
 */
export function decideLink<U extends { id: string }>(facts: LinkFacts<U>): LinkDecision<U> {
  const { owner, signedIn, sameEmail } = facts;
  if (owner && facts.mustBeNew) return { do: 'refuse', reason: 'owned-by-another-user' };
  if (owner && signedIn && !isSameUser(owner, signedIn)) return { do: 'refuse', reason: 'owned-by-another-user' };
  if (owner) return { do: 'use', user: owner };
  if (signedIn) return { do: 'link', user: signedIn };
  if (sameEmail) {
    if (facts.mayLinkByEmail && !facts.emailUnverified) return { do: 'link', user: sameEmail };
    return { do: 'refuse', reason: 'email-taken' };
  }
  if (facts.emailUnverified && !facts.mayCreateUnverified) return { do: 'refuse', reason: 'email-unverified' };
  return { do: 'create' };
}

/** Ids may be of any type; those that are objects are new ones in each answer of the store. */
export function isSameUser(one: { id: unknown } | null | undefined, other: { id: unknown }): boolean {
  return one != null && String(one.id) === String(other.id);
}
