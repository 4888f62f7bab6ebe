import type { Adapter } from '../adapters.ts';
import { AuthError } from '../errors.ts';
import type { Optional, SemverString, User } from '../types.ts';
import type { CredentialInput } from './credentials.ts';
import type { CommonProviderOptions } from './index.ts';

/** Provider type of passkeys. */
export type WebAuthnProviderType = 'webauthn';

/** Milliseconds that browsers give a person for a ceremony. */
export const DEFAULT_WEBAUTHN_TIMEOUT: number = 300_000;
/** The value that the family has here. Nothing is loaded by it: the page's script is our own. */
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: SemverString = 'v9.0.1';

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
  /** Its methods are bound. */
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

type UserVerification = 'required' | 'preferred' | 'discouraged';

/** What a sign-in asks for (WebAuthn §5.5); members that the library takes and we do not set ourselves. */
export interface AuthenticationOptions {
  /** Milliseconds. */
  timeout?: number | undefined;
  /** Default: `required`, unless {@link VerifyAuthenticationOptions.requireUserVerification} is `false`. */
  userVerification?: UserVerification | undefined;
  extensions?: object | undefined;
}

/** What a registration asks for (WebAuthn §5.4). */
export interface RegistrationOptions {
  /** Milliseconds. */
  timeout?: number | undefined;
  /** Default: `none`. */
  attestationType?: 'none' | 'indirect' | 'direct' | 'enterprise' | undefined;
  authenticatorSelection?:
    | {
        authenticatorAttachment?: 'platform' | 'cross-platform' | undefined;
        requireResidentKey?: boolean | undefined;
        residentKey?: 'required' | 'preferred' | 'discouraged' | undefined;
        userVerification?: UserVerification | undefined;
      }
    | undefined;
  extensions?: object | undefined;
  /** COSE numbers, the best first; nothing else is accepted. Default: EdDSA (-8), ES256 (-7), RS256 (-257). */
  supportedAlgorithmIDs?: number[] | undefined;
  preferredAuthenticatorType?: 'securityKey' | 'localDevice' | 'remoteDevice' | undefined;
}

/** What a sign-in must prove (WebAuthn §7.2). */
export interface VerifyAuthenticationOptions {
  /** Default: `true`. */
  requireUserVerification?: boolean | undefined;
  /** Sites that may show ours in a frame for a sign-in. Default: none. */
  expectedTopOrigin?: string | string[] | undefined;
  expectedType?: string | string[] | undefined;
  advancedFIDOConfig?: { userVerification?: UserVerification | undefined } | undefined;
}

/** What a registration must prove (WebAuthn §7.1). */
export interface VerifyRegistrationOptions {
  /** Default: `true`. */
  requireUserVerification?: boolean | undefined;
  /** Default: `true`. */
  requireUserPresence?: boolean | undefined;
  expectedType?: string | string[] | undefined;
  supportedAlgorithmIDs?: number[] | undefined;
  attestationSafetyNetEnforceCTSCheck?: boolean | undefined;
}

/**
 * The functions of `@simplewebauthn/server` that are used: those of version 11 or newer, or whatever acts like them. What they
 * are called with is said by that library's own types.
 */
export interface SimpleWebAuthn {
  generateAuthenticationOptions(options: never): Promise<object>;
  generateRegistrationOptions(options: never): Promise<object>;
  verifyAuthenticationResponse(options: never): Promise<{ verified: boolean }>;
  verifyRegistrationResponse(options: never): Promise<{ verified: boolean }>;
}

/** A provider for passkeys and security keys. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType;
  /**
   * The site to which passkeys belong. Of several names and ids the first counts; of several origins each may use the
   * passkeys, see `relatedOrigins`. Default: the site itself.
   */
  relayingParty?: Optional<{ [K in keyof RelayingParty]: string | string[] }> | undefined;
  /** The same, told for each request. */
  getRelayingParty?: { call(options: WebAuthnContext, request: WebAuthnRequest): RelayingParty }['call'] | undefined;
  /** Browsers offer passkeys in the autofill of a form field. At most one provider can have it. Default: `true`. */
  enableConditionalUI: boolean;
  /** Inputs of the form on the sign-in page. Default: `email`. */
  formFields: Record<string, CredentialInput>;
  /** Accepted for the family's sake. */
  simpleWebAuthnBrowserVersion?: SemverString | false | undefined;
  authenticationOptions?: AuthenticationOptions | undefined;
  registrationOptions?: RegistrationOptions | undefined;
  verifyAuthenticationOptions?: VerifyAuthenticationOptions | undefined;
  verifyRegistrationOptions?: VerifyRegistrationOptions | undefined;
  /**
   * Whose passkey is asked for. Anybody may ask: the answer must not tell what only the user should know. Default: by the
   * parameter `email`.
   */
  getUserInfo?: GetUserInfo | undefined;
  /** The functions of `@simplewebauthn/server`, or what loads them. Default: the package that the application has installed. */
  simpleWebAuthn?: SimpleWebAuthn | (() => Promise<SimpleWebAuthn>) | undefined;
}

/**
 * Passkeys and security keys with `@simplewebauthn/server` (version 14 or newer), which the application installs. A key that
 * is not discoverable is found by the address that was typed.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @see https://simplewebauthn.dev/docs/packages/server
 * @reviewed 2026-11-21
 * @register Nothing. Set `experimental: { enableWebAuthn: true }` and an adapter. Passkeys belong to the site's domain and are lost with it.
 * @option `relayingParty` Domain, name and origins of the site. Default: those of the request.
 * @option `enableConditionalUI` Browsers offer passkeys in the autofill of a field; one provider may have it. Default: `true`.
 * @option `formFields` Inputs of the form on the sign-in page, by name. Default: `email`.
 * @option `getUserInfo(context, request)` Whose passkey is asked for. Default: by the parameter `email`.
 */
export default function WebAuthn(config: Partial<WebAuthnConfig> = {}): WebAuthnConfig {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  return {
    id: 'webauthn',
    name: 'WebAuthn',
    enableConditionalUI: true,
    simpleWebAuthnBrowserVersion: DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION,
    formFields: { email: { label: 'Email', required: true, autocomplete: 'username webauthn' } },
    simpleWebAuthn: load,
    ...given,
    authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT, ...config.authenticationOptions },
    registrationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT, ...config.registrationOptions },
    type: 'webauthn',
  };
}

async function load(): Promise<SimpleWebAuthn> {
  try {
    return await import('@simplewebauthn/server');
  } catch (error) {
    throw new AuthError(
      'the package `@simplewebauthn/server` cannot be loaded. Install it: `npm install @simplewebauthn/server`',
      { cause: error },
    );
  }
}
