import type { AdapterAccount, AdapterUser } from '../adapters.ts';
import { chain, rescue } from '../chain.ts';
import { errorOf } from '../config/hooks.ts';
import { need } from '../config/need.ts';
import type { Store } from '../config/store.ts';
import type { Context } from '../context.ts';
import { AdapterError, OAuthAccountNotLinked, OAuthCreateAccountError, WebAuthnVerificationError } from '../errors.ts';
import type { Account, Awaitable, User } from '../types.ts';
import { decideLink, isSameUser, type LinkDecision, type LinkFacts, type LinkRefusal } from './link.ts';
import type { Proof } from './proof.ts';
import { hasAddress } from './same-address.ts';

/** Whose account it is, now that the store agrees. */
export interface Settled {
  readonly user: User | AdapterUser;
  /** `undefined` without an adapter: nobody can tell. */
  readonly isNewUser: boolean | undefined;
}

/**
 * Carries out what {@link decideLink} decides about a proven OAuth account or a new passkey: gathers the facts, creates and
 * links, tells the events. Without an adapter the user is the one that the provider describes.
 *
 * @param keep Stores what belongs to a new account beside it. When it fails, the account goes again, and so does its new user.
 * @throws {OAuthAccountNotLinked} when the account or its address is somebody else's; {@link WebAuthnVerificationError} for a passkey.
 * @throws {OAuthCreateAccountError} when the store fails while creating or linking, or the address is unverified;
 *   {@link AdapterError} for a passkey.
 */
export function settle(context: Context, proof: Proof, visitor: Visitor, keep?: Keep): Awaitable<Settled> {
  return chain(context.settings.store(), (store) =>
    store ? settleIn({ context, store, proof, visitor, keep }) : settleUnstored(proof),
  );
}

function settleUnstored(proof: Proof): Settled {
  // Nothing is opened here, so that only who was told to keep them out does so.
  if (proof.emailUnverified && proof.mustBeVerified) throw refusal('email-unverified', proof.account);
  return { user: proof.user, isNewUser: undefined };
}

async function settleIn(work: Work): Promise<Settled> {
  const decision = await decide(work);
  try {
    return await carryOut(work, decision);
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    return decideAgain(work, error);
  }
}

/** The user of the request's session, as the store knows it; confirmed, where something is to be given to that user. */
export type Visitor = (isConfirmed?: boolean) => Promise<AdapterUser | null>;

/** Stores what belongs to an account of this user. */
export type Keep = (user: AdapterUser) => Promise<void>;

interface Work {
  readonly context: Context;
  readonly store: Store;
  readonly proof: Proof;
  readonly visitor: Visitor;
  readonly keep: Keep | undefined;
}

/**
 * Whoever has the address may have been made by a simultaneous sign-in of this very account, after we had looked for the
 * account. Where both are made at once, looking again tells.
 */
async function decide(work: Work): Promise<LinkDecision<AdapterUser>> {
  const decision = decideLink(await gather(work));
  const isTaken = decision.do === 'refuse' && decision.reason === 'email-taken';
  return isTaken && work.store.createUserWithAccount ? decideLink(await gather(work)) : decision;
}

async function gather(work: Work): Promise<LinkFacts<AdapterUser>> {
  const { store, proof, visitor } = work;
  const { user } = proof;
  const found = await starter(proof, visitor);
  const owner = await ownerOf(work);
  // A new account is given only to somebody whose session goes on.
  const signedIn = found && !owner ? await starter(proof, () => visitor(true)) : found;
  const sameEmail = !owner && !signedIn && user.email ? await need(store, 'getUserByEmail')(user.email) : null;
  const { mayCreateUnverified, emailUnverified, mustBeNew } = proof;
  const mayLinkByEmail = proof.mayLinkByEmail && !!sameEmail && hasAddress(sameEmail, user.email ?? '');
  return { owner, signedIn, sameEmail, mayLinkByEmail, mayCreateUnverified, emailUnverified, mustBeNew };
}

/** A sign-in that was started signed out never links, whoever is signed in when it comes back. */
async function starter(proof: Proof, visitor: Visitor): Promise<AdapterUser | null> {
  if (proof.startedBy === undefined) return null;
  const user = await visitor();
  return isSameUser(user, { id: proof.startedBy }) ? user : null;
}

async function carryOut(work: Work, decision: LinkDecision<AdapterUser>): Promise<Settled> {
  switch (decision.do) {
    case 'use':
      await freshen(work, decision.user);
      return { user: decision.user, isNewUser: false };
    case 'link':
      await link(work, decision.user);
      return { user: decision.user, isNewUser: false };
    case 'create':
      return { user: await create(work), isNewUser: true };
    case 'refuse':
      throw refusal(decision.reason, work.proof.account);
  }
}

function refusal(reason: LinkRefusal, { provider, type }: Account): Error {
  if (type === 'webauthn') {
    // One error for all reasons: the visitor must not learn which addresses are taken.
    return new WebAuthnVerificationError(`the new passkey can be nobody's: ${reason}`, { provider });
  }
  switch (reason) {
    case 'owned-by-another-user':
      return new OAuthAccountNotLinked('the account belongs to another user than the one who is signed in', {
        provider,
      });
    case 'email-taken':
      return new OAuthAccountNotLinked(
        'another user has the same address. Sign in as that one and add the account, or set the option `allowDangerousEmailAccountLinking`',
        { provider },
      );
    case 'email-unverified':
      return new OAuthCreateAccountError(
        'the provider does not vouch for the address. Have it verified there, or set the option `unverifiedEmail: "allow"`',
        { provider },
      );
  }
}

/** A returning account brings fresh tokens; that they cannot be stored is no reason to refuse the sign-in. */
async function freshen({ context, store, proof }: Work, user: AdapterUser): Promise<void> {
  if (!store.updateAccount) return;
  try {
    await store.updateAccount(storedAccount(proof, user.id));
  } catch (error) {
    await context.settings.logger.error(
      new AdapterError('the fresh tokens of the account could not be stored', { err: errorOf(error) }),
    );
  }
}

async function link(work: Work, user: AdapterUser): Promise<void> {
  const { context, proof } = work;
  await connect(work, user);
  await keepBeside(work, user, false);
  await context.settings.emit('linkAccount', { user, account: toldAccount(proof), profile: proof.user });
}

/** Writes the link. A store may write and lose only its answer: what counts is whose the account is then. */
async function connect(work: Work, user: AdapterUser): Promise<void> {
  const { store, proof } = work;
  try {
    await need(store, 'linkAccount')(storedAccount(proof, user.id));
  } catch (error) {
    if (error instanceof AdapterError && isSameUser(await knownOwner(work), user)) return;
    throw error;
  }
}

async function create(work: Work): Promise<AdapterUser> {
  const { context, store, proof } = work;
  const draft = { ...proof.user, emailVerified: null } as AdapterUser;
  const user = await (store.createUserWithAccount ? createAtOnce(work, draft) : createInSteps(work, draft));
  await keepBeside(work, user, true);
  await context.settings.emit('createUser', { user });
  await context.settings.emit('linkAccount', { user, account: toldAccount(proof), profile: proof.user });
  return user;
}

async function createAtOnce(work: Work, draft: AdapterUser): Promise<AdapterUser> {
  const { store, proof } = work;
  try {
    return await need(store, 'createUserWithAccount')(draft, storedAccount(proof, draft.id));
  } catch (error) {
    const owner = await knownOwner(work);
    if (owner && isSameUser(owner, draft)) return owner;
    throw error;
  }
}

async function createInSteps(work: Work, draft: AdapterUser): Promise<AdapterUser> {
  const user = await createUser(work, draft);
  try {
    await connect(work, user);
  } catch (error) {
    await undo(work, user);
    throw error;
  }
  return user;
}

/** Where the store has failed, a user of the id that was drawn just now is ours all the same. */
async function createUser({ store }: Work, draft: AdapterUser): Promise<AdapterUser> {
  try {
    return await need(store, 'createUser')(draft);
  } catch (error) {
    const made = await rescue(
      () => store.getUser?.(draft.id),
      () => null,
    );
    if (made) return made;
    throw error;
  }
}

/** Whose the account is, as far as a store tells that has just failed. */
function knownOwner(work: Work): Awaitable<AdapterUser | null> {
  return rescue(
    () => ownerOf(work),
    () => null,
  );
}

function ownerOf({ store, proof }: Work): Awaitable<AdapterUser | null> {
  return userOf(store, proof.account);
}

function userOf(store: Store, { provider, providerAccountId }: Account): Awaitable<AdapterUser | null> {
  return need(store, 'getUserByAccount')({ provider, providerAccountId });
}

/**
 * A user just created whose account could not be linked would lock the visitor out: the address is taken then. Unless the
 * account was linked all the same, the user goes again; one that cannot go is logged.
 */
async function undo(work: Work, user: AdapterUser): Promise<void> {
  const { context, store } = work;
  try {
    if (!isSameUser(await ownerOf(work), user)) await need(store, 'deleteUser')(user.id);
  } catch (error) {
    await context.settings.logger.error(
      new AdapterError('a user without account was left behind. Delete it by hand', {
        err: errorOf(error),
        userId: user.id,
      }),
    );
  }
}

async function keepBeside(work: Work, user: AdapterUser, isNewUser: boolean): Promise<void> {
  try {
    await work.keep?.(user);
  } catch (error) {
    await takeBack(work, user, isNewUser);
    throw error;
  }
}

/** An account without what belongs to it is of no use, and would be in the way of the next try. */
async function takeBack({ context, store, proof }: Work, { id }: AdapterUser, isNewUser: boolean): Promise<void> {
  const { provider, providerAccountId } = proof.account;
  try {
    // Deleting the user takes the account along, at the latest.
    if (store.unlinkAccount || !isNewUser) await need(store, 'unlinkAccount')({ provider, providerAccountId });
    if (isNewUser) await need(store, 'deleteUser')(id);
  } catch (error) {
    await context.settings.logger.error(
      new AdapterError('an account of no use was left behind. Delete it by hand', { err: errorOf(error), userId: id }),
    );
  }
}

/**
 * The store failed midway. Perhaps a simultaneous sign-in of the same account was faster, or the write went through and only
 * its answer was lost: look once more, and go on only if the account is known or may be linked now.
 */
async function decideAgain(work: Work, error: AdapterError): Promise<Settled> {
  const { account } = work.proof;
  const { provider } = account;
  const decision = await gather(work).then(decideLink, () => undefined);
  if (decision?.do === 'use') return { user: decision.user, isNewUser: false };
  if (account.type === 'webauthn') {
    const overtaken = decision?.do === 'refuse' && decision.reason === 'email-taken';
    throw overtaken ? refusal(decision.reason, account) : error;
  }
  throw new OAuthCreateAccountError('the store failed while the account was being created or linked', {
    err: error,
    provider,
  });
}

/** What the store keeps of the account; identity comes last, so that no token member can pose as it. */
function storedAccount({ account, stored }: Proof, userId: string): AdapterAccount {
  const { provider, providerAccountId, type } = account;
  return { ...stored, providerAccountId, provider, type: type as AdapterAccount['type'], userId };
}

/** The account as the event tells it: what is stored of it, the user apart. */
function toldAccount(proof: Proof): Account {
  const { userId: _, ...account } = storedAccount(proof, '');
  return account;
}

/** The user that the `signIn` callback is asked about: the store's, when the account is known. */
export function knownUser(context: Context, account: Account): Awaitable<AdapterUser | null> {
  return chain(context.settings.store(), (store) => (store ? userOf(store, account) : null));
}
