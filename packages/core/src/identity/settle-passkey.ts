import { need } from '../config/need.ts';
import type { Store } from '../config/store.ts';
import type { Context } from '../context.ts';
import { AccountNotLinked, WebAuthnVerificationError } from '../errors.ts';
import { decideLink, isSameUser } from './link.ts';
import type { Settled, Visitor } from './settle.ts';
import type { PasskeyProof } from './webauthn/finish-authentication.ts';
import { passkeyStore } from './webauthn/provider.ts';

/**
 * What a sign-in with a passkey does to the store: nothing. A passkey signs in its owner, or nobody.
 *
 * @throws {AccountNotLinked} when another user was signed in when the sign-in was started, and still is.
 * @throws {WebAuthnVerificationError} when the passkey is its owner's no longer.
 */
export async function settlePasskey(context: Context, proof: PasskeyProof, visitor: Visitor): Promise<Settled> {
  const store = await passkeyStore(context);
  const owner = await ownerOf(store, proof);
  const { provider } = proof.account;
  if (!owner || !isSameUser(owner, proof.user))
    throw new WebAuthnVerificationError('the passkey was taken from its owner meanwhile', { provider });
  const decision = decideLink({
    owner,
    signedIn: await starter(proof, visitor),
    sameEmail: null,
    mayLinkByEmail: false,
    emailUnverified: false,
    mayCreateUnverified: false,
  });
  if (decision.do !== 'use')
    throw new AccountNotLinked('the passkey belongs to another user than the one who is signed in', { provider });
  return { user: decision.user, isNewUser: false };
}

async function ownerOf(store: Store, { account }: PasskeyProof): ReturnType<Visitor> {
  const { provider, providerAccountId } = account;
  return need(store, 'getUserByAccount')({ provider, providerAccountId });
}

async function starter({ startedBy }: PasskeyProof, visitor: Visitor): ReturnType<Visitor> {
  if (startedBy === undefined) return null;
  const user = await visitor();
  return isSameUser(user, { id: startedBy }) ? user : null;
}
