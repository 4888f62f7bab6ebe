import { isSameUser } from '../store/users.ts';
import { decideLink, type LinkDecision, type LinkFacts } from './link.ts';

/**
 * Whether the user has asked to add the account. `offered-account` and `other-account`: the user has agreed to an
 * offer, and the provider has returned that account, or another one.
 */
export type AddRequestState = 'none' | 'free-choice' | 'offered-account' | 'other-account';

/** The facts about a proven account with `linking: 'guided'`. */
export interface GuidedFacts<U extends { id: string }> extends LinkFacts<U> {
  readonly request: AddRequestState;
  /** The address of {@link sameEmail} equals the account's address exactly. Some stores also find similar addresses. */
  readonly isExactAddress: boolean;
}

/** The user has to be asked before the account is added. */
export type OfferDecision<U> =
  | { readonly do: 'offer'; readonly user: U; readonly isSignedIn: boolean }
  | { readonly do: 'choose-again' };

/** The decision about a proven account with `linking: 'guided'`. */
export type GuidedDecision<U> = LinkDecision<U> | OfferDecision<U>;

/**
 * Decides to whom a proven account belongs with `linking: 'guided'`. An account is added to a user only if this user
 * has asked for it. The rows are in `offer.test.ts`, one test per row.
 *
 * `decideLink` decides everything else. If it would add the account to the user who is signed in, that user gets an
 * offer. If it refuses the account because a user has its address, that user gets one.
 */
export function decideGuided<U extends { id: string }>(facts: GuidedFacts<U>): GuidedDecision<U> {
  const { request, signedIn, sameEmail } = facts;
  if (request !== 'none' && !signedIn) return { do: 'refuse', reason: 'requester-signed-out' };
  if (request === 'other-account') return { do: 'choose-again' };
  const decision = decideLink(facts);
  if (decision.do === 'link' && decision.by === 'session' && request === 'none')
    return { do: 'offer', user: decision.user, isSignedIn: true };
  if (decision.do === 'refuse' && decision.reason === 'email-taken' && sameEmail && facts.isExactAddress)
    return { do: 'offer', user: sameEmail, isSignedIn: false };
  return decision;
}

/** The facts about an offer that a browser brings. */
export interface OfferFacts {
  /** `undefined`: the browser has no offer, it has expired, or it was made in another browser. */
  readonly offer: { readonly userId: string; readonly address: string | undefined } | undefined;
  /** The user who is signed in. */
  readonly signedIn: { readonly id: string; readonly email?: string | null | undefined } | null;
  /** The offered account belongs to a user. */
  readonly isOwned: boolean;
  /** The provider of the account is configured. */
  readonly isProviderKnown: boolean;
}

/** `show`: the user can be asked. `sign-in`: the visitor has to sign in first. `remove`: the offer is over. */
export type OfferState = 'show' | 'sign-in' | 'remove';

/** Decides whether an offer still holds. The rows are in `offer.test.ts`. */
export function decideOffer({ offer, signedIn, isOwned, isProviderKnown }: OfferFacts): OfferState {
  if (!offer || isOwned || !isProviderKnown) return 'remove';
  if (!signedIn) return 'sign-in';
  if (!isSameUser(signedIn, { id: offer.userId })) return 'remove';
  return (signedIn.email ?? undefined) === offer.address ? 'show' : 'remove';
}
