/** A passkey as browsers are told of it (WebAuthn Level 3 §5.1.8). */
export interface PasskeyDescriptor {
  /** Base64url. */
  id: string;
  type: 'public-key';
  transports?: string[] | undefined;
}

/** What a browser needs to use a passkey: `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9). */
export interface PasskeyRequestOptions {
  /** Base64url. */
  challenge: string;
  /** Milliseconds. */
  timeout?: number | undefined;
  rpId?: string | undefined;
  allowCredentials?: PasskeyDescriptor[] | undefined;
  userVerification?: 'required' | 'preferred' | 'discouraged' | undefined;
  extensions?: object | undefined;
}

/** What a browser needs to make a passkey: `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.8). */
export interface PasskeyCreationOptions {
  rp: { id?: string | undefined; name: string };
  /** `id`: base64url. */
  user: { id: string; name: string; displayName: string };
  /** Base64url. */
  challenge: string;
  /** COSE numbers, the best first. */
  pubKeyCredParams: { type: 'public-key'; alg: number }[];
  /** Milliseconds. */
  timeout?: number | undefined;
  excludeCredentials?: PasskeyDescriptor[] | undefined;
  authenticatorSelection?:
    | {
        authenticatorAttachment?: 'platform' | 'cross-platform' | undefined;
        requireResidentKey?: boolean | undefined;
        residentKey?: 'required' | 'preferred' | 'discouraged' | undefined;
        userVerification?: 'required' | 'preferred' | 'discouraged' | undefined;
      }
    | undefined;
  attestation?: string | undefined;
  extensions?: object | undefined;
}
