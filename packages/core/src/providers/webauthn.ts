import type { CredentialInput } from './credentials.ts';
import type { CommonProviderOptions } from './index.ts';

/** Provider type of passkeys. */
export type WebAuthnProviderType = 'webauthn';

/** A provider for passkeys and security keys. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType;
  /** Browsers offer passkeys in the autofill of a form field. At most one provider can have it. */
  enableConditionalUI: boolean;
  /** Inputs of the form on the sign-in page. */
  formFields: Record<string, CredentialInput>;
  simpleWebAuthnBrowserVersion?: string | false | undefined;
  [option: string]: unknown;
}
