import type { Language } from './locale.ts';
import type { MailMessage } from './mail.ts';
import type { Theme } from './theme.ts';
import type { Awaitable, ProviderType, Untyped } from './user.ts';

export type { Theme } from './theme.ts';
export type { ProviderType } from './user.ts';

/** The members that every provider has. */
export interface CommonProviderOptions {
  /** Unique among the providers of a configuration; part of the callback URL. */
  id: string;
  /** Shown on the sign-in page as "Sign in with …". */
  name: string;
  /** The kind of sign-in. */
  type: ProviderType;
}

/** A path of a mark with several colors. */
export interface MarkPath {
  /** Color, in hexadecimal or as `rgb()`. */
  fill: string;
  /** Path data (SVG `d`), in a box of 24 × 24. */
  path: string;
}

/** Type of the providers that mail links. */
export type EmailProviderType = 'email';

/** Parameters of `sendVerificationRequest`. */
export interface EmailProviderSendVerificationRequestParams {
  /** The address, in its canonical form. */
  identifier: string;
  /** The link to mail. */
  url: string;
  /** The instant from which the link is not valid. */
  expires: Date;
  /** The email provider, with its defaults and the application's options. */
  provider: EmailConfig;
  /** The token in the link. */
  token: string;
  /** The option `theme`, for the colors and the logo of the mail. `{}` if it is not set. */
  theme: Theme;
  /** The sign-in request. */
  request: Request;
  /**
   * The eight digits that the mail must show. `undefined` unless the provider has the option `code`, or the mail
   * confirms an address.
   */
  code?: string | undefined;
  /** Who requested the mail, and when. Always set. Optional, so that functions typed with Auth.js fit. */
  asked?: MailRequester | undefined;
  /**
   * The provider whose account or passkey the visitor signs in with, if the mail confirms the address for it.
   * `undefined` if the mail signs in by itself. The mail must name the provider and show the code.
   */
  verifies?: VerifiedProvider | undefined;
  /** The language of the request, for the mail. Always set. Optional, so that functions typed with Auth.js fit. */
  language?: Language | undefined;
}

/** The provider for which a mail confirms an address. */
export interface VerifiedProvider {
  /** The id of the provider, such as `acme`. */
  provider: string;
  /** The name of the provider, such as `Acme`. */
  name: string;
}

/**
 * Who requested a mail, for the mail and for the page behind its link. Browser and system are those that the browser
 * names. They are texts from a fixed list, so that visitors cannot add text of their own.
 */
export interface MailRequester {
  /** The time of the request. */
  at: Date;
  /** For example `Chrome`. `undefined` if the browser is not known. */
  browser?: string | undefined;
  /** For example `Windows`. `undefined` if the operating system is not known. */
  system?: string | undefined;
}

/** A mail that an email provider sends. */
export interface MailDelivery extends MailMessage {
  /** A URL of the site. The default sender is `no-reply@` and its host. */
  url: string;
  /** Name of the application, for the sender. Default: the sender has no name. */
  siteName?: string | undefined;
  /** The email provider that sends the mail, with its options such as `from` and `server`. */
  provider: EmailConfig;
  /** Texts of the mail that must not be logged, such as the token in its link. */
  secrets: readonly string[];
}

/** A provider that mails links. */
export interface EmailConfig extends CommonProviderOptions {
  /** Unique among the providers of a configuration; part of the callback URL. */
  id: string;
  /** The provider mails links. */
  type: EmailProviderType;
  /** Shown on the sign-in page as "Sign in with …". */
  name: string;
  /** The mail server of `Nodemailer`: a URL, or options of its transport. Required by `Nodemailer`. */
  server?: Untyped;
  /** Sender. Default: `no-reply@` and the host of the site. */
  from?: string | undefined;
  /** Seconds that link and code are valid. Default: 86400 (1 day), with `code` 900 (15 minutes). */
  maxAge?: number | undefined;
  /** The mail also shows eight digits to type in the browser that requested it. Default: `false`. */
  code?: boolean | undefined;
  /** Hashes the stored token. Default: the configuration's `secret`. */
  secret?: string | undefined;
  /** Key of the mail service's API. Default: `AUTH_<ID>_KEY` of the environment. */
  apiKey?: string | undefined;
  /** Mails the link. An exception ends the sign-in with `EmailSignInError`. */
  sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Awaitable<void>;
  /**
   * Sends a mail that does not sign in, such as a notice about a change of an account. Default: that of the built-in
   * provider, except Loops. If the application sets only `sendVerificationRequest`, other mails are not sent.
   */
  sendMail?: ((mail: MailDelivery) => Awaitable<void>) | undefined;
  /**
   * Returns the token of a link. Default: 256 random bits, in hexadecimal. A token of fewer than 16 characters is valid
   * for 15 minutes at most. With `code`, a token must have at least 22 characters.
   */
  generateVerificationToken?: (() => Awaitable<string>) | undefined;
  /**
   * Returns the canonical form of the typed text, or throws. A text of more than 320 characters is refused before.
   * Default: checks that it is one address, and writes it in lower case.
   */
  normalizeIdentifier?: ((identifier: string) => string) | undefined;
  /**
   * Whether the link shows a page whose button signs in, so that scanners that follow links do not use it up. `true`:
   * always. `'other-browser'`: except in the browser that requested the mail. Default: `false`, with `code`
   * `'other-browser'`.
   */
  confirm?: boolean | 'other-browser' | undefined;
  /** Internal: options that the application passed to the factory. They override the other members. */
  options?: Partial<EmailUserConfig> | undefined;
}

/** Options of the factory of an email provider. */
export type EmailUserConfig = Omit<Partial<EmailConfig>, 'options' | 'type'>;

/** A version: `v1`, `v1.2` or `v1.2.3`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`;

/** An entry in the response of the `providers` action. */
export interface PublicProvider {
  /** Id of the provider, as in the paths `signin/<id>` and `callback/<id>`. */
  id: string;
  /** Name of the provider for visitors, such as `GitHub`. */
  name: string;
  /** Protocol of the provider: `oauth`, `oidc`, `email`, `credentials` or `webauthn`. */
  type: string;
  /** URL of the sign-in page. */
  signinUrl: string;
  /** URL to which the provider redirects. */
  callbackUrl: string;
}

/** Response of the `webauthn-options` action. */
export type WebAuthnOptionsResponseBody =
  | { action: 'authenticate'; options: PasskeyRequestOptions }
  | { action: 'register'; options: PasskeyCreationOptions };

/** A passkey in the options for a browser: `PublicKeyCredentialDescriptorJSON` (WebAuthn Level 3 §5.1.8). */
export interface PasskeyDescriptor {
  /** Base64url. */
  id: string;
  type: 'public-key';
  transports?: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[];
}

/** Options for a browser to use a passkey: `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9). */
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

/** Options for a browser to create a passkey: `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.8). */
export interface PasskeyCreationOptions {
  rp: { id?: string; name: string };
  /** `id`: base64url. */
  user: { id: string; name: string; displayName: string };
  /** Base64url. */
  challenge: string;
  /** COSE algorithm numbers, most preferred first. */
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
