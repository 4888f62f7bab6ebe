import { libraryProblem } from '../../config/check-webauthn.ts';
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

interface Question {
  /** Domain. */
  rpID: string;
  challenge: Uint8Array<ArrayBuffer>;
}

interface Judgement {
  /** What the browser sent. */
  response: object;
  /** Base64url. */
  expectedChallenge: string;
  expectedOrigin: string[];
  expectedRPID: string;
}

/** What we need of `@simplewebauthn/server`. */
export interface Library {
  generateAuthenticationOptions(
    options: AuthenticationOptions & Question & { allowCredentials: CredentialDescriptor[] | undefined },
  ): Promise<object>;
  generateRegistrationOptions(
    options: RegistrationOptions &
      Question & {
        rpName: string;
        userID: Uint8Array<ArrayBuffer>;
        userName: string;
        userDisplayName: string;
        excludeCredentials: CredentialDescriptor[];
      },
  ): Promise<object>;
  verifyAuthenticationResponse(
    options: VerifyAuthenticationOptions &
      Judgement & { credential: CredentialDescriptor & { publicKey: Uint8Array<ArrayBuffer>; counter: number } },
  ): Promise<{ verified: boolean; authenticationInfo: { newCounter: number; credentialDeviceType: string } }>;
  verifyRegistrationResponse(
    options: VerifyRegistrationOptions & Judgement,
  ): Promise<{ verified: boolean; registrationInfo?: RegistrationInfo | undefined }>;
}

/** The passkey that a registration has made. */
export interface RegistrationInfo {
  credential: { id: string; publicKey: Uint8Array; counter: number };
  credentialDeviceType: string;
  credentialBackedUp: boolean;
}

/**
 * The library that makes options and judges answers, loaded when it is needed first.
 *
 * @throws {AuthError} when it cannot be loaded, or is one that we cannot work with.
 */
export async function libraryOf({ id, simpleWebAuthn }: WebAuthnProvider): Promise<Library> {
  const library = typeof simpleWebAuthn === 'function' ? await simpleWebAuthn() : simpleWebAuthn;
  const problem = libraryProblem(library);
  if (problem !== undefined || !library) throw new AuthError(`provider "${id}": ${problem}`, { provider: id });
  return library as unknown as Library;
}

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): what every authenticator has one of. */
const ALGORITHMS: readonly number[] = [-8, -7, -257];

/** The algorithms that a registration offers, and accepts; COSE numbers. */
export function algorithmsOf(options: RegistrationOptions | undefined): number[] {
  return [...(options?.supportedAlgorithmIDs ?? ALGORITHMS)];
}
