import type { Context } from '../context.ts';
import { AccountNotLinked, AdapterError, WebAuthnVerificationError } from '../errors.ts';
import type { Proof } from '../identity/proof.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import { isSameUser } from '../store/users.ts';
import type { AdapterAuthenticator, AdapterUser } from '../types/adapter.ts';
import { decideLink, type LinkedUser } from './link.ts';

/**
 * Signs in the owner of a passkey. Nothing is stored.
 *
 * @param signedIn The user who has started the sign-in and is still signed in.
 * @throws {AccountNotLinked} if `signedIn` is not the owner.
 * @throws {WebAuthnVerificationError} if the passkey no longer belongs to the user of the proof.
 */
export async function signInWithPasskey(
  store: Store,
  { user, account }: Proof,
  signedIn: AdapterUser | null,
): Promise<LinkedUser> {
  const { provider, providerAccountId } = account;
  const owner = await requireMethod(store, 'getUserByAccount')({ provider, providerAccountId });
  if (!owner || !isSameUser(owner, user))
    throw new WebAuthnVerificationError('the passkey no longer belongs to its owner', { provider });
  const decision = decideLink({
    owner,
    signedIn,
    isSessionOfBrowser: false,
    sameEmail: null,
    mayLinkByEmail: false,
    emailStatus: undefined,
    unproven: 'proceed',
  });
  if (decision.do !== 'use')
    throw new AccountNotLinked('the passkey belongs to another user than the one who is signed in', { provider });
  return { user: decision.user, isNewUser: false };
}

/**
 * Stores a new passkey. If a store writes it and loses only the answer, the stored passkey decides. Only a store with
 * `updateAuthenticator` gets `createdAt`: adapters for Auth.js v5 may refuse members that they do not know.
 */
export async function storeAuthenticator(
  { call }: Context,
  store: Store,
  authenticator: AdapterAuthenticator,
): Promise<void> {
  const row = store.updateAuthenticator ? { ...authenticator, createdAt: call.now?.() ?? new Date() } : authenticator;
  try {
    await requireMethod(store, 'createAuthenticator')(row);
  } catch (error) {
    if (!(error instanceof AdapterError) || !(await isStored(store, authenticator))) throw error;
  }
}

async function isStored(store: Store, authenticator: AdapterAuthenticator): Promise<boolean> {
  try {
    const stored = await requireMethod(store, 'getAuthenticator')(authenticator.credentialID);
    return (
      stored?.credentialPublicKey === authenticator.credentialPublicKey &&
      isSameUser({ id: stored.userId }, { id: authenticator.userId })
    );
  } catch {
    return false; // The first failure of the store is the one that is reported.
  }
}
