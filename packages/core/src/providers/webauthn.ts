import type { Adapter } from '../adapters.ts';
import type { Optional, User } from '../types.ts';
import type { CredentialInput } from './credentials.ts';
import type { CommonProviderOptions } from './index.ts';

/** Provider type of passkeys. */
export type WebAuthnProviderType = 'webauthn';

/** The site to which passkeys belong (a Relying Party, spelled as in the rest of the family). */
export type RelayingParty = {
  /** Domain. */
  id: string;
  name: string;
  origin: string;
};

/** What the hooks of a provider can work with. */
export interface WebAuthnContext {
  provider: WebAuthnConfig;
  adapter: Adapter;
  url: URL;
}

/** The request, as the hooks of a provider see it. */
export interface WebAuthnRequest {
  method: string;
  url: URL;
  query: Record<string, string>;
  body?: Record<string, unknown> | undefined;
}

/** Whose passkey is to be used or made; `null` when nobody is named. */
export type GetUserInfo = {
  call(
    options: WebAuthnContext,
    request: WebAuthnRequest,
  ): Promise<{ user: User; exists: true } | { user: Omit<User, 'id'>; exists: false } | null>;
}['call'];

/** A provider for passkeys and security keys. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType;
  /** Lists name sites that share their passkeys. Default: the site itself. */
  relayingParty?: Optional<{ [K in keyof RelayingParty]: string | string[] }> | undefined;
  getRelayingParty?: { call(options: WebAuthnContext, request: WebAuthnRequest): RelayingParty }['call'] | undefined;
  /** Browsers offer passkeys in the autofill of a form field. At most one provider can have it. */
  enableConditionalUI: boolean;
  /** Inputs of the form on the sign-in page. */
  formFields: Record<string, CredentialInput>;
  simpleWebAuthnBrowserVersion?: string | false | undefined;
  /** Members of `PublicKeyCredentialRequestOptions`. */
  authenticationOptions?: object | undefined;
  /** Members of `PublicKeyCredentialCreationOptions`. */
  registrationOptions?: object | undefined;
  verifyAuthenticationOptions?: object | undefined;
  verifyRegistrationOptions?: object | undefined;
  getUserInfo?: GetUserInfo | undefined;
  /** The functions of `@simplewebauthn/server`. */
  simpleWebAuthn?: object | undefined;
}
