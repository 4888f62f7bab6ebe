import type { Context } from '../context.ts';
import type { Proof } from '../identity/proof.ts';
import { isSameAccount } from '../identity/proven.ts';
import { lazily } from '../lazy.ts';
import { currentUser, mayAddTo } from '../session/session.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import { hasAddress, isSameUser } from '../store/users.ts';
import type { AdapterUser } from '../types/adapter.ts';
import { hasOtherStableId, userOfAccount } from './account-key.ts';
import { decideLink } from './link.ts';
import type { AddRequestState, GuidedDecision, GuidedFacts } from './offer.ts';
import { unprovenResult } from './unproven.ts';

const guided = lazily(() => import('./offer.ts'));
const limit = lazily(() => import('../account/limit.ts'));
const recent = lazily(() => import('../account/recent.ts'));

/** A proven account, whose user is looked for in the store. */
export interface Work {
  readonly context: Context;
  readonly store: Store;
  readonly proof: Proof;
}

/**
 * Decides to whom a proven account belongs, see {@link decideLink}. With `linking: 'guided'`, or if the user has asked
 * to add the account, see `decideGuided`.
 *
 * A simultaneous sign-in with the same account may have created the user of this address after the account was looked
 * up. If the store creates both at once, a second look finds the account.
 */
export async function decide(work: Work): Promise<GuidedDecision<AdapterUser>> {
  const decision = await decideOnce(work);
  const isTaken = decision.do === 'offer' || (decision.do === 'refuse' && decision.reason === 'email-taken');
  return isTaken && work.store.createUserWithAccount ? decideOnce(work) : decision;
}

/** Decides by the facts as they are now. */
export async function decideOnce(work: Work): Promise<GuidedDecision<AdapterUser>> {
  const facts = await gatherFacts(work);
  return isGuided(work) ? (await guided()).decideGuided(facts) : decideLink(facts);
}

/** A new passkey is always added on request, or makes a new user. */
function isGuided({ context, proof }: Work): boolean {
  return (context.settings.isGuided || proof.adds !== undefined) && proof.account.type !== 'webauthn';
}

async function gatherFacts(work: Work): Promise<GuidedFacts<AdapterUser>> {
  const { context, store, proof } = work;
  const { email } = proof.user;
  const found = await starter(work);
  const owner = await userOfAccount(store, proof);
  // A new account is linked only to a user whose session the application still accepts.
  const signedIn = found && !owner ? await starter(work, true) : found;
  const sameEmail = !owner && !signedIn && email ? await requireMethod(store, 'getUserByEmail')(email) : null;
  const isExactAddress = sameEmail != null && hasAddress(sameEmail, email ?? '');
  const mayLinkByEmail = proof.mayLinkByEmail === true && isExactAddress;
  const receiver = owner ? null : (signedIn ?? (mayLinkByEmail ? sameEmail : null));
  return {
    owner,
    isReassigned: owner !== null && (await hasOtherStableId(context, store, proof)),
    signedIn,
    isSessionOfBrowser: signedIn !== null && !owner && (await mayAddTo(context, signedIn.id)),
    mustSignInAgain: signedIn !== null && !owner && (await mustSignInAgain(work)),
    sameEmail,
    isExactAddress,
    mayLinkByEmail,
    emailStatus: proof.emailStatus,
    unproven: unprovenResult(context, proof),
    isTaken: proof.isTaken,
    isFull: receiver != null && (await roomOf(work, receiver)) <= 0,
    mustBeNew: proof.mustBeNew,
    request: await requestState(proof),
  };
}

/**
 * Returns how many accounts, or passkeys, can be added to a user. There is a limit only with the options that let users
 * remove them, or that ask users before they are added.
 */
export async function roomOf({ context, store, proof }: Work, { id }: AdapterUser): Promise<number> {
  if (!context.settings.needsSignInTime) return Number.POSITIVE_INFINITY;
  return (await limit()).roomFor(store, id, proof.account.type);
}

/**
 * With `account`, an account is added after a recent sign-in only. A request to add an account or a passkey has checked
 * that when it began. With `linking: 'guided'`, other accounts are offered, and the answer to the offer needs it.
 */
async function mustSignInAgain({ context, proof }: Work): Promise<boolean> {
  const { account, isGuided } = context.settings;
  if (!account || isGuided || proof.adds || proof.account.type === 'webauthn') return false;
  return !(await (await recent()).isRecentVisitor(context));
}

async function requestState({ account, adds }: Proof): Promise<AddRequestState> {
  if (!adds) return 'none';
  if (adds.account === undefined) return 'free-choice';
  return (await isSameAccount(account, adds.account)) ? 'offered-account' : 'other-account';
}

/**
 * The user who has started the sign-in and is still signed in. A sign-in that was started signed out never links,
 * no matter who is signed in when it finishes.
 */
export async function starter({ context, proof }: Work, isConfirmed?: boolean): Promise<AdapterUser | null> {
  const { startedBy, signedIn } = proof;
  if (startedBy === undefined) return null;
  const user = signedIn === undefined ? await currentUser(context, isConfirmed) : signedIn;
  return isSameUser(user, { id: startedBy }) ? user : null;
}
