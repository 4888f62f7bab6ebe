import { libraryProblem } from '../../config/check-providers.ts';
import { AuthError } from '../../errors.ts';
import type {
  AuthenticationOptions,
  RegistrationOptions,
  VerifyAuthenticationOptions,
  VerifyRegistrationOptions,
} from '../../providers/webauthn.ts';
import type { WebAuthnProvider } from './provider.ts';

/** A passkey as options name it: its id in base64url, and the ways in which it can be reached. */
export interface CredentialDescriptor {
  id: string;
  transports?: string[] | undefined;
}

interface RequestFacts {
  /** Domain. */
  rpID: string;
  challenge: Uint8Array<ArrayBuffer>;
}

interface VerificationFacts {
  /** The browser's answer. */
  response: object;
  /** Base64url. */
  expectedChallenge: string;
  expectedOrigin: string[];
  expectedRPID: string;
}

/** The functions of `@simplewebauthn/server` that are used. */
export interface Library {
  generateAuthenticationOptions(
    options: AuthenticationOptions & RequestFacts & { allowCredentials: CredentialDescriptor[] | undefined },
  ): Promise<object>;
  generateRegistrationOptions(
    options: RegistrationOptions &
      RequestFacts & {
        rpName: string;
        userID: Uint8Array<ArrayBuffer>;
        userName: string;
        userDisplayName: string;
        excludeCredentials: CredentialDescriptor[];
      },
  ): Promise<object>;
  verifyAuthenticationResponse(
    options: VerifyAuthenticationOptions &
      VerificationFacts & {
        credential: CredentialDescriptor & { publicKey: Uint8Array<ArrayBuffer>; counter: number };
      },
  ): Promise<{ verified: boolean; authenticationInfo: AuthenticationInfo }>;
  verifyRegistrationResponse(
    options: VerifyRegistrationOptions & VerificationFacts,
  ): Promise<{ verified: boolean; registrationInfo?: RegistrationInfo | undefined }>;
}

/** The ceremony that was verified. */
export interface CeremonyInfo {
  /** `singleDevice`, or `multiDevice` for a passkey that may be copied (WebAuthn §6.1.3). */
  credentialDeviceType: string;
  /** The authenticator has asked for a fingerprint, a PIN or the like. */
  userVerified: boolean;
}

/** The passkey that was used. */
export interface AuthenticationInfo extends CeremonyInfo {
  newCounter: number;
}

/** The passkey that was registered. */
export interface RegistrationInfo extends CeremonyInfo {
  credential: { id: string; publicKey: Uint8Array; counter: number };
  credentialBackedUp: boolean;
}

/**
 * Returns the library that makes options and verifies answers. It is loaded when it is first needed.
 *
 * @throws {AuthError} if it cannot be loaded, or its version is not supported.
 */
export async function libraryOf({ id, simpleWebAuthn }: WebAuthnProvider): Promise<Library> {
  const library = typeof simpleWebAuthn === 'function' ? await simpleWebAuthn() : simpleWebAuthn;
  const problem = libraryProblem(library);
  if (problem !== undefined || !library) throw new AuthError(`provider "${id}": ${problem}`, { provider: id });
  return library as unknown as Library;
}

/** EdDSA, ES256, and RS256 (RFC 9053, RFC 8812). Every authenticator supports one of them. */
const ALGORITHMS: readonly number[] = [-8, -7, -257];

/** Returns the algorithms that a registration accepts, as COSE numbers. */
export function algorithmsOf(options: RegistrationOptions | undefined): number[] {
  return [...(options?.supportedAlgorithmIDs ?? ALGORITHMS)];
}
