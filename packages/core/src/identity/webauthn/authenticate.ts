import type { Context } from '../../context.ts';
import { toBase64Url } from '../../crypto/bytes.ts';
import { requireMethod } from '../../store/methods.ts';
import type { Store } from '../../store/store.ts';
import { isSameUser } from '../../store/users.ts';
import type { AdapterAuthenticator, AdapterUser } from '../../types/adapter.ts';
import type { Account } from '../../types/user.ts';
import type { Authentication } from '../proof.ts';
import type { Answer } from './answer.ts';
import { type Challenge, isHashOfUser } from './challenge.ts';
import { descriptorOf, fromStored } from './credential-id.ts';
import { type AuthenticationInfo, type CeremonyInfo, libraryOf } from './library.ts';
import { passkeyStore, refusal, siteOf, type WebAuthnProvider } from './provider.ts';

/** Proof that the visitor has a passkey. */
export interface PasskeyProof {
  /** The owner of the passkey, from the store. */
  readonly user: AdapterUser;
  readonly account: Account;
  /** Id of the user who was signed in when the sign-in started. */
  readonly startedBy: string | undefined;
  readonly authentication: Authentication;
}

/**
 * Returns the methods of a passkey (RFC 8176): `hwk` for a key that its device keeps, `swk` for one that may be copied.
 * `user` is added if the authenticator has verified the user.
 */
export function passkeyMethods({
  credentialDeviceType,
  userVerified,
}: Pick<CeremonyInfo, 'credentialDeviceType'> & Partial<CeremonyInfo>): Authentication {
  const key = credentialDeviceType === 'singleDevice' ? 'hwk' : 'swk';
  return { amr: userVerified === true ? [key, 'user'] : [key] };
}

/**
 * Verifies a sign-in with a passkey (WebAuthn §7.2). The credential alone decides who the user is: the user handle is
 * not signed, and Auth.js v5 does not store one.
 *
 * @param challenge The challenge, which is spent already.
 * @throws {WebAuthnVerificationError} if the answer is not valid, for any reason.
 */
export async function finishAuthentication(
  context: Context,
  provider: WebAuthnProvider,
  challenge: Challenge,
  answer: Answer,
): Promise<PasskeyProof> {
  const store = await passkeyStore(context);
  const authenticator = await requireMethod(store, 'getAuthenticator')(answer.credentialID);
  if (!authenticator || !isOf(authenticator, answer.credentialID))
    throw refusal(provider, 'the store has no passkey of this id');
  const work: Work = { context, provider, store, challenge, answer };
  const info = await verified(work, authenticator);
  await recordUse(work, authenticator, info.newCounter);
  const { user, account } = await ownerOf(store, provider, authenticator);
  if (challenge.user !== undefined && !(await isHashOfUser(challenge.user, user.id)))
    throw refusal(provider, 'the passkey belongs to another user than the one who was named');
  return { user, account, startedBy: challenge.by, authentication: passkeyMethods(info) };
}

/** Stores the new counter, and the time of use if the store can: in one statement. */
async function recordUse(
  { context, provider, store }: Work,
  { credentialID }: AdapterAuthenticator,
  counter: number,
): Promise<void> {
  if (!store.updateAuthenticator) {
    await requireMethod(store, 'updateAuthenticatorCounter')(credentialID, counter);
    return;
  }
  if (!(await store.updateAuthenticator(credentialID, { counter, usedAt: context.now })))
    throw refusal(provider, 'the passkey was deleted during the sign-in');
}

interface Work {
  readonly context: Context;
  readonly provider: WebAuthnProvider;
  readonly store: Store;
  readonly challenge: Challenge;
  readonly answer: Answer;
}

/** Some stores ignore case when they look up an id. */
function isOf({ credentialID }: AdapterAuthenticator, asked: string): boolean {
  const [one, other] = [fromStored(credentialID), fromStored(asked)];
  return one !== undefined && other !== undefined && toBase64Url(one) === toBase64Url(other);
}

/** Returns the library's findings, among them the authenticator's new signature counter. */
async function verified(work: Work, authenticator: AdapterAuthenticator): Promise<AuthenticationInfo> {
  const { context, provider, store, challenge, answer } = work;
  const own = provider.verifyAuthenticationOptions;
  if (answer.framed && own?.expectedTopOrigin === undefined)
    throw refusal(provider, 'the page that asked for the passkey was in a frame of another site');
  const [credential] = descriptorOf(authenticator);
  const publicKey = fromStored(authenticator.credentialPublicKey);
  if (!credential || !publicKey) throw refusal(provider, 'the stored passkey cannot be read');
  const library = await libraryOf(provider);
  const site = siteOf(context, provider, store);
  const result = await library
    .verifyAuthenticationResponse({
      ...own,
      response: answer.response,
      expectedChallenge: challenge.challenge,
      expectedOrigin: site.origins,
      expectedRPID: site.id,
      credential: { ...credential, publicKey, counter: Number(authenticator.counter) },
    })
    .catch((error: unknown) => {
      throw refusal(provider, 'the passkey did not verify', error);
    });
  if (result.verified !== true) throw refusal(provider, 'the signature of the passkey is not valid');
  const { credentialDeviceType } = result.authenticationInfo;
  // Backup eligibility never changes (WebAuthn §7.2).
  if (isDeviceType(authenticator.credentialDeviceType) && authenticator.credentialDeviceType !== credentialDeviceType)
    throw refusal(provider, 'the backup eligibility of the passkey has changed since its registration');
  return result.authenticationInfo;
}

function isDeviceType(type: string): boolean {
  return type === 'singleDevice' || type === 'multiDevice';
}

async function ownerOf(
  store: Store,
  provider: WebAuthnProvider,
  { providerAccountId, userId }: AdapterAuthenticator,
): Promise<Pick<PasskeyProof, 'user' | 'account'>> {
  const account = await requireMethod(store, 'getAccount')(providerAccountId, provider.id);
  if (!account || account.providerAccountId !== providerAccountId)
    throw refusal(provider, 'this provider has no account for the passkey');
  const user = await requireMethod(store, 'getUser')(account.userId);
  if (!user || !isSameUser(user, { id: userId }))
    throw refusal(provider, 'the passkey and its account belong to different users');
  return { user, account };
}
