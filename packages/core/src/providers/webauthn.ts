import { AuthError } from '../errors.ts';
import type { Adapter } from '../types/adapter.ts';
import type { CommonProviderOptions, SemverString } from '../types/provider.ts';
import type { Optional, User } from '../types/user.ts';
import type { CredentialInput } from './credentials.ts';
import type { UnverifiedEmail } from './oauth.ts';

/** Provider type of passkeys. */
export type WebAuthnProviderType = 'webauthn';

/** Milliseconds that a browser waits for the user during a ceremony. */
export const DEFAULT_WEBAUTHN_TIMEOUT: number = 300_000;
/** The default of Auth.js v5. It has no effect: the sign-in page uses its own script. */
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: SemverString = 'v9.0.1';

/** The Relying Party, which is the site that passkeys belong to (WebAuthn §4). The spelling comes from Auth.js v5. */
export type RelayingParty = {
  /** Domain of the site. */
  id: string;
  /** Name that browsers show. */
  name: string;
  /** Origin of the pages that use passkeys. */
  origin: string;
};

/** Context of `getUserInfo` and `getRelayingParty`. */
export interface WebAuthnContext {
  /** The provider of the request. */
  provider: WebAuthnConfig;
  /** The configured adapter, with bound methods. */
  adapter: Adapter;
  /** URL of the Auth.js endpoints: origin and base path. */
  url: URL;
}

/** The request, as `getUserInfo` and `getRelayingParty` receive it. */
export interface WebAuthnRequest {
  /** HTTP method. */
  method: string;
  /** URL of the request. */
  url: URL;
  /** Query parameters by name. */
  query: Record<string, string>;
  /** Members of the body. `undefined` if the request has no body. */
  body?: Record<string, unknown> | undefined;
}

/** Returns the user whose passkey is used or created, or `null` if the request does not name a user. */
export type GetUserInfo = {
  call(
    options: WebAuthnContext,
    request: WebAuthnRequest,
  ): Promise<{ user: User; exists: true } | { user: Omit<User, 'id'>; exists: false } | null>;
}['call'];

type UserVerification = 'required' | 'preferred' | 'discouraged';

/** Options of a sign-in (WebAuthn §5.5). The engine sets the other members that the library accepts. */
export interface AuthenticationOptions {
  /** Milliseconds that the browser waits for the user. Default: 300000 (5 minutes). */
  timeout?: number | undefined;
  /** Default: `required`, or `preferred` if {@link VerifyAuthenticationOptions.requireUserVerification} is `false`. */
  userVerification?: UserVerification | undefined;
  /** Client extensions (WebAuthn §9). Default: none. */
  extensions?: object | undefined;
}

/** Options of a registration (WebAuthn §5.4). */
export interface RegistrationOptions {
  /** Milliseconds that the browser waits for the user. Default: 300000 (5 minutes). */
  timeout?: number | undefined;
  /** Attestation that the site asks for (WebAuthn §5.4.7). Default: `none`. */
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

/** Requirements for a sign-in (WebAuthn §7.2). */
export interface VerifyAuthenticationOptions {
  /** The authenticator must have verified the user, for example by a PIN. Default: `true`. */
  requireUserVerification?: boolean | undefined;
  /** Origins that may embed the sign-in page in a frame. Default: none. */
  expectedTopOrigin?: string | string[] | undefined;
  /** Accepted `type` of the client data. Default: `webauthn.get`. */
  expectedType?: string | string[] | undefined;
  advancedFIDOConfig?: { userVerification?: UserVerification | undefined } | undefined;
}

/** Requirements for a registration (WebAuthn §7.1). */
export interface VerifyRegistrationOptions {
  /** The authenticator must have verified the user, for example by a PIN. Default: `true`. */
  requireUserVerification?: boolean | undefined;
  /** The user must have touched the authenticator. Default: `true`. */
  requireUserPresence?: boolean | undefined;
  /** Accepted `type` of the client data. Default: `webauthn.create`. */
  expectedType?: string | string[] | undefined;
  /** COSE identifiers of the accepted algorithms. Default: as in `@simplewebauthn/server`. */
  supportedAlgorithmIDs?: number[] | undefined;
  attestationSafetyNetEnforceCTSCheck?: boolean | undefined;
}

/**
 * The functions of `@simplewebauthn/server` (version 11 or newer) that the engine calls. The library's own types
 * describe their parameters.
 */
export interface SimpleWebAuthn {
  generateAuthenticationOptions(options: never): Promise<object>;
  generateRegistrationOptions(options: never): Promise<object>;
  verifyAuthenticationResponse(options: never): Promise<{ verified: boolean }>;
  verifyRegistrationResponse(options: never): Promise<{ verified: boolean }>;
}

/** A provider for passkeys and security keys. */
export interface WebAuthnConfig extends CommonProviderOptions {
  /** The visitor signs in with a passkey. */
  type: WebAuthnProviderType;
  /**
   * The site that passkeys belong to. Of several names and ids, the first is used. Each of several origins may use the
   * passkeys; see `relatedOrigins`. Default: `id` is that of the request, and `name` is `theme.name` or that of the
   * request. `origin` is `https://<id>` if `id` is set, and the origin of `AUTH_URL`. Without an origin, passkeys work
   * on loopback only; elsewhere they are a problem of the configuration.
   *
   * ```ts
   * Passkey({ relayingParty: { id: 'example.com', origin: 'https://www.example.com' } });
   * ```
   */
  relayingParty?: Optional<{ [K in keyof RelayingParty]: string | string[] }> | undefined;
  /** Returns the relying party for a request. Default: `relayingParty`. */
  getRelayingParty?: { call(options: WebAuthnContext, request: WebAuthnRequest): RelayingParty }['call'] | undefined;
  /** `true`: browsers offer passkeys in the autofill of a field. Only one provider can set it. Default: `true`. */
  enableConditionalUI: boolean;
  /** Inputs of the form on the sign-in page, by name. Default: `email`. */
  formFields: Record<string, CredentialInput>;
  /** Accepted for type compatibility with Auth.js v5. It has no effect. */
  simpleWebAuthnBrowserVersion?: SemverString | false | undefined;
  /** Options of each sign-in. Default: as in `@simplewebauthn/server`. */
  authenticationOptions?: AuthenticationOptions | undefined;
  /** Options of each registration. Default: as in `@simplewebauthn/server`. */
  registrationOptions?: RegistrationOptions | undefined;
  /** Requirements for each sign-in. Default: as in `@simplewebauthn/server`. */
  verifyAuthenticationOptions?: VerifyAuthenticationOptions | undefined;
  /** Requirements for each registration. Default: as in `@simplewebauthn/server`. */
  verifyRegistrationOptions?: VerifyRegistrationOptions | undefined;
  /**
   * Returns the user whose passkey is used or created. Any visitor can send this request, so the response must not
   * contain private data of the user. Default: the user with the address in the parameter `email`.
   */
  getUserInfo?: GetUserInfo | undefined;
  /**
   * Whether a visitor who is signed out can create a user with a passkey and an email address. The address is typed and
   * not proven. `refuse`: the passkey is refused with `WebAuthnVerificationError`. `allow`: the user is created with
   * `emailVerified: null`. The first proof of the address by its owner removes the passkey. `verify` needs an email
   * provider: a mail confirms the address before the passkey and its user are stored. Default: `verify` with an email
   * provider, otherwise `refuse` if another provider sets `allowDangerousEmailAccountLinking`, otherwise `allow`.
   *
   * ```ts
   * Passkey({ unverifiedEmail: 'allow' });
   * ```
   */
  unverifiedEmail?: UnverifiedEmail | undefined;
  /** The functions of `@simplewebauthn/server`, or a function that loads them. Default: the installed package. */
  simpleWebAuthn?: SimpleWebAuthn | (() => Promise<SimpleWebAuthn>) | undefined;
}

/**
 * Passkeys and security keys, by the package `@simplewebauthn/server` (version 14 or newer). The application installs
 * that package. If a key is not discoverable, it is found by the email address that the visitor enters.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @see https://simplewebauthn.dev/docs/packages/server
 * @reviewed 2026-11-21
 * @register Not needed. Set `experimental: { enableWebAuthn: true }` and configure an adapter. Passkeys belong to the
 * site's domain: if the domain changes, they no longer work.
 * @option `relayingParty` Domain, name and origins of the site. Default: domain and name of the request (or
 * `theme.name`), and the origin of `AUTH_URL`. Set `origin` if the site has no `AUTH_URL`.
 * @option `enableConditionalUI` `true`: browsers offer passkeys in the autofill of a field. Only one provider can set
 * it. Default: `true`.
 * @option `formFields` Inputs of the form on the sign-in page, by name. Default: `email`.
 * @option `getUserInfo(context, request)` Returns the user whose passkey is used or created. Default: the user with the
 * address in the parameter `email`.
 * @option `unverifiedEmail` `'verify'`: a mail confirms the typed address before a user is created. `'allow'`: visitors
 * create users with addresses that are not proven. `'refuse'`: they cannot. Default: `'verify'` with an email provider,
 * otherwise `'refuse'` if another provider sets `allowDangerousEmailAccountLinking`.
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
