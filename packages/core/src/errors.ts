/** Facts of an error, for the log; `err` is the exception it comes from. */
export type ErrorCause = Record<string, unknown> & { err?: Error };

/** `type` of each error class; identifies the error in the log and in `docs/errors.md`. */
export type ErrorType =
  | 'AuthError'
  | 'AccessDenied'
  | 'AccountNotLinked'
  | 'AdapterError'
  | 'CallbackRouteError'
  | 'CookiesNotWritable'
  | 'CredentialsSignin'
  | 'DuplicateConditionalUI'
  | 'EmailCreateAccountError'
  | 'EmailSignInError'
  | 'ErrorPageLoop'
  | 'EventError'
  | 'ExperimentalFeatureNotEnabled'
  | 'InvalidCallbackUrl'
  | 'InvalidCheck'
  | 'InvalidEndpoints'
  | 'InvalidProvider'
  | 'JWTSessionError'
  | 'MissingAdapter'
  | 'MissingAdapterMethods'
  | 'MissingAuthorize'
  | 'MissingCSRF'
  | 'MissingSecret'
  | 'MissingWebAuthnAutocomplete'
  | 'OAuthAccountNotLinked'
  | 'OAuthCallbackError'
  | 'OAuthCreateAccountError'
  | 'OAuthProfileParseError'
  | 'OAuthSignInError'
  | 'RateLimited'
  | 'SessionTokenError'
  | 'SignOutError'
  | 'UnknownAction'
  | 'UnsupportedStrategy'
  | 'UntrustedHost'
  | 'Verification'
  | 'WebAuthnVerificationError'
  // A subclass of the application may have its own.
  | (string & {});

/**
 * Base of all errors of the library.
 *
 * `new AuthError(message, facts)`, `new AuthError(message, { cause })`, `new AuthError(exception, facts)`, `new AuthError(facts)`.
 * The facts become {@link cause}; an exception becomes `cause.err`, and the facts it carries itself are kept beside it.
 */
export class AuthError extends Error {
  static type: ErrorType = 'AuthError';
  /** Which page tells the visitor. */
  static kind: 'signIn' | 'error' = 'error';
  /** Value of `?error=` on that page. A stable code, never a reason. */
  static shown = 'Configuration';

  override cause?: ErrorCause;

  constructor(message?: string | Error | ErrorCause, errorOptions?: Error | ErrorCause | { cause?: unknown }) {
    super();
    const cause = causeOf(message instanceof Error ? { err: message, ...factsOf(message) } : message, errorOptions);
    if (cause) this.cause = cause;
    // Bundlers shorten the names of classes, not the types of ours.
    this.name = Object.hasOwn(this.constructor, 'type') ? this.type : this.constructor.name;
    const text = message instanceof Error ? message.message : typeof message === 'string' ? message : '';
    this.message = `${text && `${text.replace(/\.$/, '')}. `}See docs/errors.md#${this.type.toLowerCase()}`;
  }

  /** Identifies the error in the log; a subclass made by the application inherits it. */
  get type(): ErrorType {
    return (this.constructor as typeof AuthError).type;
  }

  /** Which page tells the visitor. */
  get kind(): 'signIn' | 'error' {
    return (this.constructor as typeof AuthError).kind;
  }
}

function factsOf({ cause }: Error): Record<string, unknown> {
  try {
    return typeof cause === 'object' && cause !== null ? { ...cause } : {};
  } catch {
    return {}; // A getter or a proxy of the application's.
  }
}

function causeOf(first: unknown, second: unknown): ErrorCause | undefined {
  const facts = typeof first === 'object' && first !== null ? (first as ErrorCause) : undefined;
  if (second instanceof Error) return { ...facts, err: second, ...factsOf(second) };
  if (typeof second !== 'object' || second === null) return facts;
  if (!Object.hasOwn(second, 'cause')) return { ...facts, ...second };
  const { cause } = second as { cause?: unknown };
  if (cause instanceof Error) return { ...facts, err: cause, ...factsOf(cause) };
  return cause === undefined ? facts : ({ ...facts, ...(cause as object) } as ErrorCause);
}

/** Errors that end on the sign-in page. */
export class SignInError extends AuthError {
  static override kind: 'signIn' | 'error' = 'signIn';
}

/** The `signIn` callback refused, or threw. */
export class AccessDenied extends AuthError {
  static override type: ErrorType = 'AccessDenied';
  static override shown = 'AccessDenied';
}

/** The passkey that was used belongs to another user than the one who is signed in. */
export class AccountNotLinked extends SignInError {
  static override type: ErrorType = 'AccountNotLinked';
  static override shown = 'AccountNotLinked';
}

/** A method of the adapter threw. */
export class AdapterError extends AuthError {
  static override type: ErrorType = 'AdapterError';
}

/** The user of a first OAuth sign-in could not be created, or its provider does not vouch for the address. */
export class OAuthCreateAccountError extends SignInError {
  static override type: ErrorType = 'OAuthCreateAccountError';
  static override shown = 'OAuthCreateAccount';
}

/** The callback action failed for a reason that no other class names. */
export class CallbackRouteError extends AuthError {
  static override type: ErrorType = 'CallbackRouteError';
}

/** A sign-in, sign-out or update was called where the framework lets nobody set cookies, for example while a page is rendered. */
export class CookiesNotWritable extends AuthError {
  static override type: ErrorType = 'CookiesNotWritable';
}

/** Credentials were refused. Throw it, or a subclass with its own `code`, from `authorize()`. */
export class CredentialsSignin extends SignInError {
  static override type: ErrorType = 'CredentialsSignin';
  static override shown = 'CredentialsSignin';
  /** Value of `?code=` on the sign-in page. Visible to the visitor: it must not tell which credential was wrong. */
  code: string = 'credentials';
}

/** More than one WebAuthn provider wants the browser's autofill. */
export class DuplicateConditionalUI extends AuthError {
  static override type: ErrorType = 'DuplicateConditionalUI';
}

/** The user of a first sign-in by email could not be created. */
export class EmailCreateAccountError extends SignInError {
  static override type: ErrorType = 'EmailCreateAccountError';
  static override shown = 'EmailCreateAccount';
}

/** What was typed is no address, or the sign-in mail could not be sent. */
export class EmailSignInError extends SignInError {
  static override type: ErrorType = 'EmailSignInError';
  static override shown = 'EmailSignin';
}

/** `pages.error` is itself behind a sign-in. */
export class ErrorPageLoop extends AuthError {
  static override type: ErrorType = 'ErrorPageLoop';
}

/** An event handler threw; the flow went on. */
export class EventError extends AuthError {
  static override type: ErrorType = 'EventError';
}

/** A feature behind a switch of `experimental` is used without it. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: ErrorType = 'ExperimentalFeatureNotEnabled';
}

/** The `redirect` callback returned something that is no address. */
export class InvalidCallbackUrl extends AuthError {
  static override type: ErrorType = 'InvalidCallbackUrl';
}

/** State, PKCE, nonce or challenge of a sign-in is missing, expired or another one's. Trying again helps. */
export class InvalidCheck extends SignInError {
  static override type: ErrorType = 'InvalidCheck';
  static override shown = 'InvalidCheck';
}

/** A provider has neither an issuer nor the endpoints it needs, or an endpoint's address is unusable. */
export class InvalidEndpoints extends AuthError {
  static override type: ErrorType = 'InvalidEndpoints';
}

/** The address names a provider that is not configured, or that cannot do this. */
export class InvalidProvider extends SignInError {
  static override type: ErrorType = 'InvalidProvider';
  static override shown = 'InvalidProvider';
}

/** The session cookie could not be read or re-issued. Log only: the visitor is signed out. */
export class JWTSessionError extends AuthError {
  static override type: ErrorType = 'JWTSessionError';
}

/** Something configured needs an adapter. */
export class MissingAdapter extends AuthError {
  static override type: ErrorType = 'MissingAdapter';
}

/** The adapter lacks methods that something configured needs. */
export class MissingAdapterMethods extends AuthError {
  static override type: ErrorType = 'MissingAdapterMethods';
}

/** A credentials provider without `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type: ErrorType = 'MissingAuthorize';
}

/** The CSRF token of a form was missing or wrong, or the form was posted from another site. */
export class MissingCSRF extends SignInError {
  static override type: ErrorType = 'MissingCSRF';
  static override shown = 'MissingCSRF';
}

/** No secret is configured. */
export class MissingSecret extends AuthError {
  static override type: ErrorType = 'MissingSecret';
}

/** The specification's name of {@link MissingSecret}. */
export const MissingSecretError: typeof MissingSecret = MissingSecret;
/** An instance of {@link MissingSecret}. */
export type MissingSecretError = MissingSecret;

/** No form field of the WebAuthn provider with autofill has `autocomplete="… webauthn"`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: ErrorType = 'MissingWebAuthnAutocomplete';
}

/** The address belongs to a user who signed in another way, or the account to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: ErrorType = 'OAuthAccountNotLinked';
  static override shown = 'OAuthAccountNotLinked';
}

/** The provider answered with an error, or with something that could not be accepted. */
export class OAuthCallbackError extends SignInError {
  static override type: ErrorType = 'OAuthCallbackError';
  static override shown = 'OAuthCallbackError';
}

/** `profile()` threw, or returned no id. */
export class OAuthProfileParseError extends SignInError {
  static override type: ErrorType = 'OAuthProfileParseError';
  static override shown = 'Callback';
}

/** The sign-in at the provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type: ErrorType = 'OAuthSignInError';
  static override shown = 'OAuthSignin';
}

/** One failed sign-in, or one mail, too many; see the option `rateLimit`. Answered with status 429. */
export class RateLimited extends SignInError {
  static override type: ErrorType = 'RateLimited';
  static override shown = 'RateLimited';

  /** Seconds until another attempt is looked at; 0 where that is not known. */
  get retryAfter(): number {
    const seconds = Number(this.cause?.['retryAfter']);
    return Number.isFinite(seconds) ? seconds : 0;
  }
}

/** A database session could not be read. Log only: no session in this answer, the cookie is kept. */
export class SessionTokenError extends AuthError {
  static override type: ErrorType = 'SessionTokenError';
}

/** The session could not be ended in the store. Log only: the cookie is gone all the same. */
export class SignOutError extends AuthError {
  static override type: ErrorType = 'SignOutError';
}

/** No action at this address, or not by this method. */
export class UnknownAction extends AuthError {
  static override type: ErrorType = 'UnknownAction';
}

/** A provider cannot be used with the session strategy. */
export class UnsupportedStrategy extends AuthError {
  static override type: ErrorType = 'UnsupportedStrategy';
}

/** The host of the request's address may not be believed. */
export class UntrustedHost extends AuthError {
  static override type: ErrorType = 'UntrustedHost';
}

/** A mailed link was used already, has expired, or was never valid. */
export class Verification extends AuthError {
  static override type: ErrorType = 'Verification';
  static override shown = 'Verification';
}

/** What a passkey answered was not accepted; why is told to the log alone. */
export class WebAuthnVerificationError extends SignInError {
  static override type: ErrorType = 'WebAuthnVerificationError';
  static override shown = 'WebAuthnVerificationError';
}

const clientErrors: ReadonlySet<ErrorType> = new Set<ErrorType>([
  'CredentialsSignin',
  'OAuthAccountNotLinked',
  'OAuthCallbackError',
  'AccessDenied',
  'Verification',
  'MissingCSRF',
  'AccountNotLinked',
  'WebAuthnVerificationError',
]);

/** May the error's `type` be told to the client? */
export function isClientError(error: Error): error is AuthError {
  return error instanceof AuthError && clientErrors.has(error.type);
}
