import type { AdapterAuthenticator, AdapterUser } from '../../adapters.ts';
import { need } from '../../config/need.ts';
import type { Store } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { toBase64Url } from '../../crypto/encoding.ts';
import type { Account } from '../../types.ts';
import { isSameUser } from '../link.ts';
import type { Answer } from './answer.ts';
import { type Challenge, isTagOf } from './challenge.ts';
import { descriptorOf, fromStored } from './credential-id.ts';
import { libraryOf } from './library.ts';
import { passkeyStore, type WebAuthnProvider } from './provider.ts';
import { refusal } from './refusal.ts';
import { siteOf } from './relying-party.ts';

/** A passkey that was used: this visitor has it. */
export interface PasskeyProof {
  /** The owner, as the store has them. */
  readonly user: AdapterUser;
  readonly account: Account;
  /** Id of the user who was signed in when the sign-in was started. */
  readonly startedBy: string | undefined;
}

/**
 * Judges a sign-in with a passkey (WebAuthn §7.2). Who it is is decided by the credential alone: the user handle is not signed,
 * and other members of the family have stored none.
 *
 * @param challenge Spent already.
 * @throws {WebAuthnVerificationError} whatever is wrong with the answer.
 */
export async function finishAuthentication(
  context: Context,
  provider: WebAuthnProvider,
  challenge: Challenge,
  answer: Answer,
): Promise<PasskeyProof> {
  const store = await passkeyStore(context);
  const authenticator = await need(store, 'getAuthenticator')(answer.credentialID);
  if (!authenticator || !isOf(authenticator, answer.credentialID))
    throw refusal(provider, 'there is no passkey of this id in the store');
  const newCounter = await verified({ context, provider, store, challenge, answer }, authenticator);
  await need(store, 'updateAuthenticatorCounter')(authenticator.credentialID, newCounter);
  const { user, account } = await ownerOf(store, provider, authenticator);
  if (challenge.user !== undefined && !(await isTagOf(challenge.user, user.id)))
    throw refusal(provider, "the passkey is another user's than the one who was asked for");
  return { user, account, startedBy: challenge.by };
}

interface Work {
  readonly context: Context;
  readonly provider: WebAuthnProvider;
  readonly store: Store;
  readonly challenge: Challenge;
  readonly answer: Answer;
}

/** Stores may take ids for one that differ in letter case. */
function isOf({ credentialID }: AdapterAuthenticator, asked: string): boolean {
  const [one, other] = [fromStored(credentialID), fromStored(asked)];
  return one !== undefined && other !== undefined && toBase64Url(one) === toBase64Url(other);
}

/** The number of uses that the authenticator tells. */
async function verified(work: Work, authenticator: AdapterAuthenticator): Promise<number> {
  const { context, provider, store, challenge, answer } = work;
  const own = provider.verifyAuthenticationOptions;
  if (answer.framed && own?.expectedTopOrigin === undefined)
    throw refusal(provider, 'the page that asked for the passkey stood in a frame of another site');
  const [credential] = descriptorOf(authenticator);
  const publicKey = fromStored(authenticator.credentialPublicKey);
  if (!credential || !publicKey) throw refusal(provider, 'the stored passkey cannot be read');
  const library = await libraryOf(provider);
  const site = siteOf(context, provider, store);
  const judged = await library
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
  if (judged.verified !== true) throw refusal(provider, 'the signature is not that of the passkey');
  const { newCounter, credentialDeviceType } = judged.authenticationInfo;
  // Whether a passkey can be copied never changes (WebAuthn §7.2, backup eligibility).
  if (isDeviceType(authenticator.credentialDeviceType) && authenticator.credentialDeviceType !== credentialDeviceType)
    throw refusal(provider, 'the passkey says otherwise than at its registration whether it can be copied');
  return newCounter;
}

function isDeviceType(type: string): boolean {
  return type === 'singleDevice' || type === 'multiDevice';
}

async function ownerOf(
  store: Store,
  provider: WebAuthnProvider,
  { providerAccountId, userId }: AdapterAuthenticator,
): Promise<Pick<PasskeyProof, 'user' | 'account'>> {
  const account = await need(store, 'getAccount')(providerAccountId, provider.id);
  if (!account || account.providerAccountId !== providerAccountId)
    throw refusal(provider, 'the passkey belongs to no account of this provider');
  const user = await need(store, 'getUser')(account.userId);
  if (!user || !isSameUser(user, { id: userId }))
    throw refusal(provider, 'the passkey and its account are not one user’s');
  return { user, account };
}
