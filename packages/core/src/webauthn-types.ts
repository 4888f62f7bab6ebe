/** A passkey as browsers are told of it (WebAuthn Level 3 §5.1.8). */
export interface PasskeyDescriptor {
  /** Base64url. */
  id: string;
  type: 'public-key';
  transports?: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[];
}

/** What a browser needs to use a passkey: `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9). */
export interface PasskeyRequestOptions {
  /** Base64url. */
  challenge: string;
  /** Milliseconds. */
  timeout?: number;
  rpId?: string;
  allowCredentials?: PasskeyDescriptor[];
  userVerification?: 'required' | 'preferred' | 'discouraged';
  extensions?: { appid?: string; credProps?: boolean; minPinLength?: boolean };
}

/** What a browser needs to make a passkey: `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.8). */
export interface PasskeyCreationOptions {
  rp: { id?: string; name: string };
  /** `id`: base64url. */
  user: { id: string; name: string; displayName: string };
  /** Base64url. */
  challenge: string;
  /** COSE numbers, the best first. */
  pubKeyCredParams: { type: 'public-key'; alg: number }[];
  /** Milliseconds. */
  timeout?: number;
  excludeCredentials?: PasskeyDescriptor[];
  authenticatorSelection?: {
    authenticatorAttachment?: 'platform' | 'cross-platform';
    requireResidentKey?: boolean;
    residentKey?: 'required' | 'preferred' | 'discouraged';
    userVerification?: 'required' | 'preferred' | 'discouraged';
  };
  attestation?: 'none' | 'indirect' | 'direct' | 'enterprise';
  hints?: ('hybrid' | 'security-key' | 'client-device')[];
  extensions?: { appid?: string; credProps?: boolean; minPinLength?: boolean };
}
