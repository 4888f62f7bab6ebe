import { AuthError, type ErrorType } from './base.ts';

// What signing in may end in.

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

/** Credentials were refused. Throw it, or a subclass with its own `code`, from `authorize()`. */
export class CredentialsSignin extends SignInError {
  static override type: ErrorType = 'CredentialsSignin';
  static override shown = 'CredentialsSignin';
  /** Value of `?code=` on the sign-in page. Visible to the visitor: it must not tell which credential was wrong. */
  code: string = 'credentials';
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

/** The `redirect` callback returned something that is no address. */
export class InvalidCallbackUrl extends AuthError {
  static override type: ErrorType = 'InvalidCallbackUrl';
}

/** State, PKCE, nonce or challenge of a sign-in is missing, expired or another one's. Trying again helps. */
export class InvalidCheck extends SignInError {
  static override type: ErrorType = 'InvalidCheck';
  static override shown = 'InvalidCheck';
}

/** The address names a provider that is not configured, or that cannot do this. */
export class InvalidProvider extends SignInError {
  static override type: ErrorType = 'InvalidProvider';
  static override shown = 'InvalidProvider';
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

/** The CSRF token of a form was missing or wrong, or the form was posted from another site. */
export class MissingCSRF extends SignInError {
  static override type: ErrorType = 'MissingCSRF';
  static override shown = 'MissingCSRF';
}
