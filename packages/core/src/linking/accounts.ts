import { signInAgainUrl } from '../config/paths.ts';
import type { Context } from '../context.ts';
import { AdapterError, errorOf, OAuthCreateAccountError } from '../errors.ts';
import type { Proof } from '../identity/proof.ts';
import { lazily } from '../lazy.ts';
import { requireMethod } from '../store/methods.ts';
import { isSameUser } from '../store/users.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { Account } from '../types/user.ts';
import { storedKey, userOfAccount } from './account-key.ts';
import { storedAccount, withDetails, withNewTokens } from './account-row.ts';
import { decide, decideOnce, roomOf, starter, type Work } from './decide.ts';
import { recordFirstProof } from './first-proof.ts';
import type { LinkDecision, LinkedUser } from './link.ts';
import { linkEmail } from './mail.ts';
import type { GuidedDecision, OfferDecision } from './offer.ts';
import { signInWithPasskey, storeAuthenticator } from './passkeys.ts';
import { refusal } from './refusal.ts';

/** The user of a proven account, or the step that comes before. */
export type LinkResult = LinkedUser | 'verify' | OfferDecision<AdapterUser>;

const notices = lazily(() => import('../account/notices.ts'));

/**
 * Finds, creates or links the user of a proven account.
 *
 * Here a Proof becomes a user. Credentials change nothing in the store. A mailed link verifies or creates the user of
 * its address. A passkey signs in its owner. For an OAuth account and a new passkey, {@link decide} decides.
 * Without a store, the user is the one that the account describes.
 *
 * @returns `verify` if a mail must prove the address before a user is created. With `linking: 'guided'`, an
 *   {@link OfferDecision} if the user must agree first. Nothing is stored in both cases.
 * @throws {RecentSignInRequired} with the option `account`, if the user who would get the account has not signed in
 *   recently.
 * @throws {AccountReassigned} if the vendor may have given the account to another person.
 * @throws {OAuthAccountNotLinked} if the account or its address belongs to another user. For a passkey the error is a
 *   {@link WebAuthnVerificationError}.
 * @throws {OAuthCreateAccountError} if the store fails while it creates or links, or if the address is not proven. For
 *   a passkey the error is an {@link AdapterError}.
 */
export async function linkAccount(context: Context, proof: Proof): Promise<LinkResult> {
  const { user, account } = proof;
  if (account.type === 'credentials') return { user, isNewUser: false };
  const store = await context.settings.store();
  if (!store) return linkWithoutStore(proof);
  const work: Work = { context, store, proof };
  if (account.type === 'email') return linkEmail(context, store, proof);
  if (account.type === 'webauthn' && !proof.authenticator) return signInWithPasskey(store, proof, await starter(work));
  const decision = await decide(work);
  try {
    return await carryOut(work, decision);
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    return decideAgain(work, error);
  }
}

/**
 * The stored user of an OAuth account, for the `signIn` callback; `null` if the account is unknown or of another
 * type.
 */
export async function findLinkedUser({ settings }: Context, proof: Proof): Promise<AdapterUser | null> {
  const { account } = proof;
  if (account.type !== 'oauth' && account.type !== 'oidc') return null;
  const store = await settings.store();
  return store ? userOfAccount(store, proof) : null;
}

function linkWithoutStore(proof: Proof): LinkedUser {
  const { user, emailStatus = 'verified', unverifiedEmail } = proof;
  // Nothing can be taken over without a store. Only the owner's explicit option refuses addresses that are not proven.
  if (emailStatus !== 'verified' && unverifiedEmail === 'refuse') throw refusal('email-unproven', proof);
  return { user, isNewUser: undefined };
}

async function carryOut(work: Work, decision: GuidedDecision<AdapterUser>): Promise<LinkResult> {
  switch (decision.do) {
    case 'use':
      await updateTokens(work, decision.user);
      return { user: decision.user, isNewUser: false };
    case 'link':
      return { user: await link(work, decision), isNewUser: false };
    case 'verify':
      return 'verify';
    case 'create':
      return { user: await create(work), isNewUser: true };
    case 'offer':
    case 'choose-again':
      return decision;
    case 'refuse':
      throw refusal(decision.reason, work.proof, signInAgainUrl(work.context, work.context.callbackUrl));
  }
}

/** Stores the new tokens of a known account. If the store fails, the sign-in continues. */
async function updateTokens({ context, store, proof }: Work, user: AdapterUser): Promise<void> {
  if (!store.updateAccount) return;
  try {
    const { providerAccountId } = await storedKey(store, proof);
    await store.updateAccount({ ...withNewTokens(store, storedAccount(proof, user.id)), providerAccountId });
  } catch (error) {
    context.settings.logger.error(
      new AdapterError('the new tokens of the account could not be stored', { err: errorOf(error) }),
    );
  }
}

async function link(work: Work, decision: LinkDecision<AdapterUser> & { do: 'link' }): Promise<AdapterUser> {
  const { context, store, proof } = work;
  const isProof = decision.by === 'address' && proof.emailStatus === 'verified';
  const user = isProof ? await recordFirstProof(context, store, decision.user) : decision.user;
  await insertAccount(work, user);
  await requireRoom(work, user);
  await storeBeside(work, user, false);
  await context.settings.emit('linkAccount', { user, account: accountForEvent(proof), profile: proof.user });
  await notifyAdded(work, user);
  return user;
}

/** Mails the user that the account can sign in now, with the option `account`. */
async function notifyAdded({ context, store, proof }: Work, user: AdapterUser): Promise<void> {
  if (!context.settings.account) return;
  const { notifyWayAdded } = await notices();
  await notifyWayAdded(context, store, user, { ...proof.account, label: proof.user.email });
}

/**
 * Counts again after the account was inserted. If simultaneous sign-ins have added more accounts than one user can
 * have, each of them removes its own.
 *
 * @throws {TooManyWays} if there are too many.
 */
async function requireRoom(work: Work, user: AdapterUser): Promise<void> {
  if (!work.store.unlinkAccount || (await roomOf(work, user)) >= 0) return;
  await rollBackAccount(work, user, false);
  throw refusal('too-many-ways', work.proof);
}

/** Inserts the account. If a store writes it and loses only the answer, the owner of the account decides. */
async function insertAccount(work: Work, user: AdapterUser): Promise<void> {
  const { context, store, proof } = work;
  try {
    await requireMethod(store, 'linkAccount')(withDetails(context, store, proof, storedAccount(proof, user.id)));
  } catch (error) {
    if (error instanceof AdapterError && isSameUser(await ownerIfReadable(work), user)) return;
    throw error;
  }
}

async function create(work: Work): Promise<AdapterUser> {
  const { context, store, proof } = work;
  const emailVerified = proof.isProvenByMail ? context.now : null;
  const draft: AdapterUser = { ...(proof.user as AdapterUser), emailVerified };
  const user = await (store.createUserWithAccount ? createAtOnce(work, draft) : createInSteps(work, draft));
  await storeBeside(work, user, true);
  await context.settings.emit('createUser', { user });
  await context.settings.emit('linkAccount', { user, account: accountForEvent(proof), profile: proof.user });
  return user;
}

async function createAtOnce(work: Work, draft: AdapterUser): Promise<AdapterUser> {
  const { context, store, proof } = work;
  const account = withDetails(context, store, proof, storedAccount(proof, draft.id));
  try {
    return await requireMethod(store, 'createUserWithAccount')(draft, account);
  } catch (error) {
    const owner = await ownerIfReadable(work);
    if (owner && isSameUser(owner, draft)) return owner;
    throw error;
  }
}

async function createInSteps(work: Work, draft: AdapterUser): Promise<AdapterUser> {
  const user = await createUser(work, draft);
  try {
    await insertAccount(work, user);
  } catch (error) {
    await rollBackUser(work, user);
    throw error;
  }
  return user;
}

/** If the store fails but has a user with the new random id, that user was created. */
async function createUser({ store }: Work, draft: AdapterUser): Promise<AdapterUser> {
  try {
    return await requireMethod(store, 'createUser')(draft);
  } catch (error) {
    const created = await valueOrNull(async () => store.getUser?.(draft.id));
    if (created) return created;
    throw error;
  }
}

/** The owner of the account, as far as a store that has just failed can tell. */
function ownerIfReadable(work: Work): Promise<AdapterUser | null> {
  return valueOrNull(() => ownerOf(work));
}

function ownerOf({ store, proof }: Work): Promise<AdapterUser | null> {
  return userOfAccount(store, proof);
}

/** The value, or `null` if it cannot be read. */
async function valueOrNull<T>(read: () => Promise<T | null | undefined>): Promise<T | null> {
  try {
    return (await read()) ?? null;
  } catch {
    return null; // The first failure of the store is the one that is reported.
  }
}

/**
 * Deletes a user that was just created, because its account could not be linked. Otherwise the address would be taken
 * and the visitor locked out. If the account was linked after all, the user stays. A failure is logged.
 */
async function rollBackUser(work: Work, user: AdapterUser): Promise<void> {
  const { context, store } = work;
  try {
    if (!isSameUser(await ownerOf(work), user)) await requireMethod(store, 'deleteUser')(user.id);
  } catch (error) {
    context.settings.logger.error(
      new AdapterError('a user without an account was left behind. Delete it by hand', {
        err: errorOf(error),
        userId: user.id,
      }),
    );
  }
}

/** Stores what belongs to a new account: the authenticator of a passkey. If that fails, the account is removed. */
async function storeBeside(work: Work, user: AdapterUser, isNewUser: boolean): Promise<void> {
  const { context, store, proof } = work;
  if (!proof.authenticator) return;
  try {
    await storeAuthenticator(context, store, { ...proof.authenticator, userId: user.id });
  } catch (error) {
    await rollBackAccount(work, user, isNewUser);
    throw error;
  }
}

/** Removes an account that was just linked: one without its authenticator cannot be used, and blocks the next try. */
async function rollBackAccount(
  { context, store, proof }: Work,
  { id }: AdapterUser,
  isNewUser: boolean,
): Promise<void> {
  const { provider, providerAccountId } = proof.account;
  try {
    // If the store cannot unlink, deleting the new user removes the account, too.
    if (store.unlinkAccount || !isNewUser) await requireMethod(store, 'unlinkAccount')({ provider, providerAccountId });
    if (isNewUser) await requireMethod(store, 'deleteUser')(id);
  } catch (error) {
    context.settings.logger.error(
      new AdapterError('an account that cannot be used was left behind. Delete it by hand', {
        err: errorOf(error),
        userId: id,
      }),
    );
  }
}

/**
 * Looks again after the store has failed. A simultaneous sign-in with the same account may have been faster, or the
 * store may have written the row and lost only the answer. The sign-in continues only if the account is known now.
 */
async function decideAgain(work: Work, error: AdapterError): Promise<LinkedUser> {
  const { proof } = work;
  const decision = await valueOrNull(() => decideOnce(work));
  if (decision?.do === 'use') return { user: decision.user, isNewUser: false };
  if (proof.account.type === 'webauthn') {
    const wasOvertaken = decision?.do === 'refuse' && decision.reason === 'email-taken';
    throw wasOvertaken ? refusal(decision.reason, proof) : error;
  }
  throw new OAuthCreateAccountError('the store failed while the account was being created or linked', {
    err: error,
    provider: proof.account.provider,
  });
}

/** The account as events get it: what is stored of it, without the user. */
function accountForEvent(proof: Proof): Account {
  const { userId: _, ...account } = storedAccount(proof, '');
  return account;
}
