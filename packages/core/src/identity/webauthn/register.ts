import type { Context } from '../../context.ts';
import { toBase64 } from '../../crypto/bytes.ts';
import { InvalidCheck } from '../../errors.ts';
import { requireMethod } from '../../store/methods.ts';
import type { Store } from '../../store/store.ts';
import { isSameUser } from '../../store/users.ts';
import type { AdapterAuthenticator, AdapterUser } from '../../types/adapter.ts';
import type { Account } from '../../types/user.ts';
import type { Proof } from '../proof.ts';
import type { Answer } from './answer.ts';
import { passkeyMethods } from './authenticate.ts';
import type { Challenge } from './challenge.ts';
import { isKeyOfItsAlgorithm } from './cose.ts';
import { toStored, transportsOf } from './credential-id.ts';
import { algorithmsOf, libraryOf, type RegistrationInfo } from './library.ts';
import { passkeyStore, refusal, siteOf, type WebAuthnProvider } from './provider.ts';

/** A new passkey, and the user it is for. */
export interface Registration {
  readonly proof: Proof;
  /** The data of the passkey that the store keeps. */
  readonly authenticator: Omit<AdapterAuthenticator, 'userId'>;
}

/**
 * Verifies the registration of a passkey (WebAuthn §7.1). Nothing is stored yet.
 *
 * @param challenge The challenge, which is spent already.
 * @param visitor The user who is signed in now.
 * @throws {WebAuthnVerificationError} if the answer is not valid, or the passkey or the user exists already.
 * @throws {InvalidCheck} if the user who started the registration is not signed in any more.
 */
export async function finishRegistration(
  context: Context,
  provider: WebAuthnProvider,
  challenge: Challenge,
  answer: Answer,
  visitor: AdapterUser | null,
): Promise<Registration> {
  const { by, registerData, newId, taken } = challenge;
  if (!registerData) throw new InvalidCheck('the challenge names no user to register', { provider: provider.id });
  if (by !== undefined && !isSameUser(visitor, { id: by }))
    throw new InvalidCheck('the user who started the registration is not signed in any more', {
      provider: provider.id,
    });
  const store = await passkeyStore(context);
  const info = await verified(context, provider, store, challenge, answer);
  const authenticator = storedOf(info, answer);
  const { credentialID: providerAccountId } = authenticator;
  const account: Account = { providerAccountId, provider: provider.id, type: 'webauthn' };
  await checkNew(store, provider, account);
  const person = by !== undefined && visitor ? visitor : { ...registerData, id: newId ?? crypto.randomUUID() };
  const proof: Proof = {
    account,
    user: person,
    // An address that a signed-out visitor has typed is not proven.
    emailStatus: by === undefined && person.email ? 'unknown' : undefined,
    emailVerification: 'never',
    unverifiedEmail: provider.unverifiedEmail,
    mustBeNew: true,
    isTaken: taken,
    startedBy: by,
    authentication: passkeyMethods(info),
  };
  return { proof, authenticator };
}

async function verified(
  context: Context,
  provider: WebAuthnProvider,
  store: Store,
  challenge: Challenge,
  answer: Answer,
): Promise<RegistrationInfo> {
  if (answer.framed) throw refusal(provider, 'the page that made the passkey was in a frame of another site');
  const library = await libraryOf(provider);
  const site = siteOf(context, provider, store);
  const { verified, registrationInfo: made } = await library
    .verifyRegistrationResponse({
      supportedAlgorithmIDs: algorithmsOf(provider.registrationOptions),
      ...provider.verifyRegistrationOptions,
      response: answer.response,
      expectedChallenge: challenge.challenge,
      expectedOrigin: site.origins,
      expectedRPID: site.id,
    })
    .catch((error: unknown) => {
      throw refusal(provider, 'the new passkey did not verify', error);
    });
  if (verified !== true || !made) throw refusal(provider, 'the attestation of the new passkey is not valid');
  const { id, publicKey } = made.credential;
  // The browser names the credential a second time, outside of what the library verifies.
  if (toStored(id) !== answer.credentialID)
    throw refusal(provider, 'the browser and the authenticator name different passkeys');
  // The signature of a sign-in is verified by the type of the key.
  if (!isKeyOfItsAlgorithm(publicKey))
    throw refusal(provider, 'the type of the public key does not belong to its algorithm');
  return made;
}

/** Returns the data of the passkey that the store keeps. */
function storedOf(
  { credential, credentialBackedUp, credentialDeviceType }: RegistrationInfo,
  { credentialID, transports }: Answer,
): Omit<AdapterAuthenticator, 'userId'> {
  return {
    credentialID,
    credentialPublicKey: toBase64(credential.publicKey),
    counter: credential.counter,
    credentialBackedUp,
    credentialDeviceType,
    transports: transportsOf(transports),
    providerAccountId: credentialID,
  };
}

/**
 * Ids of passkeys are not secret. A visitor who registers the id of another user's passkey must not be taken for that
 * user.
 *
 * @throws {WebAuthnVerificationError} if the store has a passkey of this id.
 */
export async function checkNew(
  store: Store,
  provider: WebAuthnProvider,
  { providerAccountId }: Account,
): Promise<void> {
  const known =
    (await requireMethod(store, 'getAuthenticator')(providerAccountId)) ??
    (await requireMethod(store, 'getAccount')(providerAccountId, provider.id));
  if (known) throw refusal(provider, 'a passkey of this id exists already');
}
