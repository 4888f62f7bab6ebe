import type { AdapterAuthenticator, AdapterUser } from '../../adapters.ts';
import { rescue } from '../../chain.ts';
import { need } from '../../config/need.ts';
import type { Store } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { toBase64 } from '../../crypto/encoding.ts';
import { randomUUID } from '../../crypto/random.ts';
import { AdapterError, InvalidCheck } from '../../errors.ts';
import type { Account } from '../../types.ts';
import { isSameUser } from '../link.ts';
import type { Proof } from '../proof.ts';
import type { Answer } from './answer.ts';
import type { Challenge } from './challenge.ts';
import { toStored, transportsOf } from './credential-id.ts';
import { algorithmsOf, libraryOf } from './library.ts';
import { passkeyStore, type WebAuthnProvider } from './provider.ts';
import { refusal } from './refusal.ts';
import { siteOf } from './relying-party.ts';

/** A passkey that was made, and for whom. */
export interface Registration {
  readonly proof: Proof;
  /** Stores the passkey, now that it is known whose it is. */
  keep(user: AdapterUser): Promise<void>;
}

/**
 * Judges the making of a passkey (WebAuthn §7.1). Nothing is stored yet.
 *
 * @param challenge Spent already.
 * @param visitor Who is signed in now.
 * @throws {WebAuthnVerificationError} whatever is wrong with the answer, also when somebody has such a passkey or address.
 * @throws {InvalidCheck} when somebody else is signed in than the one who began.
 */
export async function finishRegistration(
  context: Context,
  provider: WebAuthnProvider,
  challenge: Challenge,
  answer: Answer,
  visitor: AdapterUser | null,
): Promise<Registration> {
  const { by, registerData, newId, taken } = challenge;
  if (!registerData) throw new InvalidCheck('the challenge names nobody to register', { provider: provider.id });
  if (by !== undefined && !isSameUser(visitor, { id: by }))
    throw new InvalidCheck('the user who asked for a further passkey is no longer signed in', {
      provider: provider.id,
    });
  const store = await passkeyStore(context);
  const authenticator = await verified(context, provider, store, challenge, answer);
  const { credentialID: providerAccountId } = authenticator;
  const account: Account = { providerAccountId, provider: provider.id, type: 'webauthn' };
  await checkNew(store, provider, account);
  if (taken) throw refusal(provider, 'there is a user of this name already');
  const person = by === undefined ? { ...registerData, id: newId ?? randomUUID() } : (visitor as AdapterUser);
  const proof: Proof = {
    account,
    user: person,
    emailUnverified: false,
    mayLinkByEmail: false,
    mayCreateUnverified: true,
    mustBeNew: true,
    authentication: {},
    startedBy: by,
  };
  return { proof, keep: (user) => keep(store, { ...authenticator, userId: user.id }) };
}

async function verified(
  context: Context,
  provider: WebAuthnProvider,
  store: Store,
  challenge: Challenge,
  answer: Answer,
): Promise<Omit<AdapterAuthenticator, 'userId'>> {
  if (answer.framed) throw refusal(provider, 'the page that made the passkey stood in a frame of another site');
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
  const { credential, credentialBackedUp, credentialDeviceType } = made;
  const credentialID = toStored(credential.id);
  // The browser names the credential beside what the authenticator says; the library compares the two no further.
  if (credentialID === undefined || credentialID !== answer.credentialID)
    throw refusal(provider, 'browser and authenticator name different passkeys');
  return {
    credentialID,
    credentialPublicKey: toBase64(credential.publicKey),
    counter: credential.counter,
    credentialBackedUp,
    credentialDeviceType,
    transports: transportsOf(answer.transports),
    providerAccountId: credentialID,
  };
}

/** Ids of passkeys are no secret: who registers another's must not be taken for that other. */
async function checkNew(store: Store, provider: WebAuthnProvider, { providerAccountId }: Account): Promise<void> {
  const known =
    (await need(store, 'getAuthenticator')(providerAccountId)) ??
    (await need(store, 'getAccount')(providerAccountId, provider.id));
  if (known) throw refusal(provider, 'there is a passkey of this id already');
}

/** A store may write and lose only its answer: what counts is whose the passkey is then. */
async function keep(store: Store, authenticator: AdapterAuthenticator): Promise<void> {
  try {
    await need(store, 'createAuthenticator')(authenticator);
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    const stored = await rescue(
      () => need(store, 'getAuthenticator')(authenticator.credentialID),
      () => null,
    );
    const isOurs =
      stored?.credentialPublicKey === authenticator.credentialPublicKey &&
      isSameUser({ id: stored.userId }, { id: authenticator.userId });
    if (!isOurs) throw error;
  }
}
