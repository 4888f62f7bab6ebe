import { limits } from '../../config/defaults.ts';
import type { ResumedSignIn } from '../../pending/kinds.ts';
import type { Proof } from '../proof.ts';
import { provenByMail } from '../proven.ts';
import { refusal, type WebAuthnProvider } from './provider.ts';

/** A new passkey that waits in a cookie until a mail has proven the address of its user. */
type SealedPasskey = Required<Pick<Proof, 'user' | 'authenticator'>>;

/**
 * Returns a verified new passkey and its user, for the cookie of the mail.
 *
 * @throws {WebAuthnVerificationError} if the id of the credential is too long.
 */
export function sealedPasskey(provider: WebAuthnProvider, { user, authenticator }: Proof): Record<string, unknown> {
  const { credentialID = '' } = authenticator ?? {};
  // Base64: four characters for three bytes.
  if ((credentialID.length * 3) / 4 > limits.sealedCredentialId + 2)
    throw refusal(provider, `the id of the new passkey has more than ${limits.sealedCredentialId} bytes`);
  return { user, authenticator };
}

/**
 * Returns the proof of a passkey from the cookie of the mail that has proven the address of its user.
 *
 * @throws {WebAuthnVerificationError} if the cookie holds no passkey.
 */
export function openedPasskey(provider: WebAuthnProvider, { passkey }: ResumedSignIn, email: string): Proof {
  // `as`: the seal proves that `sealedPasskey` has written it.
  const { user, authenticator } = (passkey ?? {}) as Partial<SealedPasskey>;
  if (!user || !authenticator) throw refusal(provider, 'the cookie of the mail holds no passkey');
  return provenByMail({
    account: { providerAccountId: authenticator.credentialID, provider: provider.id, type: 'webauthn' },
    user: { ...user, email },
    authenticator,
    emailVerification: 'never',
    unverifiedEmail: provider.unverifiedEmail,
    mustBeNew: true,
  });
}
