import { limits } from '../../config/defaults.ts';
import type { Context } from '../../context.ts';
import type { ResumedSignIn } from '../../pending/kinds.ts';
import type { Account } from '../../types/user.ts';
import type { Proof } from '../proof.ts';
import { provenByMail } from '../proven.ts';
import { passkeyMethods } from './authenticate.ts';
import { fromStored } from './credential-id.ts';
import { passkeyStore, refusal, type WebAuthnProvider } from './provider.ts';
import { checkNew } from './register.ts';

/** A new passkey that waits in a cookie until a mail has proven the address of its user. */
interface SealedPasskey {
  readonly user: Proof['user'];
  /** Without the id of its account, which is that of the credential. */
  readonly authenticator: Omit<NonNullable<Proof['authenticator']>, 'providerAccountId'>;
}

/**
 * The user is padded to a multiple of this many bytes. A hook of the application may know the names of users who exist
 * already, and the cookie's length must not tell who does.
 */
const USER_BLOCK = 128;

/**
 * Returns a verified new passkey and its user, for the cookie of the mail.
 *
 * @throws {WebAuthnVerificationError} if the id of the credential is too long.
 */
export function sealedPasskey(provider: WebAuthnProvider, { user, authenticator }: Proof): Record<string, unknown> {
  const { providerAccountId: _, ...credential } = authenticator ?? { credentialID: '' };
  const id = fromStored(credential.credentialID);
  if (!id || id.length > limits.sealedCredentialId)
    throw refusal(provider, `the id of the new passkey has more than ${limits.sealedCredentialId} bytes`);
  const length = new TextEncoder().encode(JSON.stringify(user)).byteLength;
  return { user, authenticator: credential, pad: ' '.repeat(USER_BLOCK - (length % USER_BLOCK)) };
}

/**
 * Returns the proof of a passkey from the cookie of the mail that has proven the address of its user.
 *
 * @throws {WebAuthnVerificationError} if the cookie holds no passkey, or if it was registered in the meantime.
 */
export async function openedPasskey(
  context: Context,
  provider: WebAuthnProvider,
  { passkey }: ResumedSignIn,
  email: string,
): Promise<Proof> {
  // `as`: the seal proves that `sealedPasskey` has written it.
  const { user, authenticator } = (passkey ?? {}) as Partial<SealedPasskey>;
  if (!user || !authenticator) throw refusal(provider, 'the cookie of the mail holds no passkey');
  const providerAccountId = authenticator.credentialID;
  const account: Account = { providerAccountId, provider: provider.id, type: 'webauthn' };
  await checkNew(await passkeyStore(context), provider, account);
  return provenByMail({
    account,
    user: { ...user, email },
    authenticator: { ...authenticator, providerAccountId },
    emailVerification: 'never',
    unverifiedEmail: provider.unverifiedEmail,
    mustBeNew: true,
    authentication: passkeyMethods(authenticator),
  });
}
