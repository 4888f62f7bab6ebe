import type * as errors from './errors.ts';
import type { RefusalCause } from './types/cause.ts';

/**
 * The page, as a path that begins with the name of the installed package. If the root `package.json` has a `homepage`,
 * the build replaces it with the page of that site.
 */
export const ERRORS_PAGE: string = '@latchkey/core/docs/errors.md';

/** Facts of an error, for the log; `err` is the exception that caused it. */
export type ErrorCause = Record<string, unknown> & { err?: Error };

type NotAType =
  | 'BadRequest'
  | 'ERRORS_PAGE'
  | 'because'
  | 'MissingSecretError'
  | 'SessionRequired'
  | 'SignInError'
  | 'errorOf'
  | 'isClientError'
  | 'statusOf';

/**
 * Identifies an error in the log and in `docs/errors.md`: the name of one of the error classes of the library. A
 * subclass that the application defines may have a type of its own.
 */
export type ErrorType = Exclude<keyof typeof errors, NotAType> | (string & {});

/**
 * Base of the library's errors.
 *
 * The facts become {@link cause}. An exception becomes `cause.err`, beside the facts that the exception carries itself.
 *
 * ```ts
 * new AuthError('the token has expired', { provider: 'github' });
 * new AuthError('the token could not be read', { cause: exception });
 * new AuthError(exception, { provider: 'github' });
 * new AuthError({ provider: 'github' });
 * ```
 */
export class AuthError extends Error {
  /** Becomes the error's {@link type}. A literal, because bundlers shorten the names of classes. */
  static type: ErrorType = 'AuthError';
  /** Becomes the error's {@link kind}. */
  static kind: 'signIn' | 'error' = 'error';
  /** Value of `?error=` on the page to which the visitor is sent: a stable code that does not reveal the reason. */
  static shown = 'Configuration';

  /** The facts, with the exception in `cause.err`. For the log: visitors do not see them. Default: absent. */
  override cause?: ErrorCause;
  /** All problems of a configuration, if `assertConfig` has thrown the error. */
  declare errors?: readonly AuthError[];
  /** Why the request was refused, if the place that has thrown the error knows more than its type. */
  declare refusal?: RefusalCause;
  /** Identifies the error in the log. A subclass of the application inherits it, or sets its own. */
  type: ErrorType = (this.constructor as typeof AuthError).type;
  /** The page to which the visitor is sent: the sign-in page or the error page. */
  kind: 'signIn' | 'error' = (this.constructor as typeof AuthError).kind;

  constructor(message?: string | Error | ErrorCause, errorOptions?: Error | ErrorCause | { cause?: unknown }) {
    super();
    const cause = causeOf(message instanceof Error ? { err: message, ...factsOf(message) } : message, errorOptions);
    if (cause) this.cause = cause;
    // A subclass of the application has no `type` of its own, so its class name says more.
    this.name = Object.hasOwn(this.constructor, 'type') ? this.type : this.constructor.name;
    const text = message instanceof Error ? message.message : typeof message === 'string' ? message : '';
    this.message = `${text && `${text.replace(/\.$/, '')}. `}See ${ERRORS_PAGE}#${this.type.toLowerCase()}`;
  }
}

function factsOf({ cause }: Error): Record<string, unknown> {
  try {
    return typeof cause === 'object' && cause !== null ? { ...cause } : {};
  } catch {
    return {}; // The application's object has a getter, or is a proxy, that throws.
  }
}

function causeOf(first: unknown, second: unknown): ErrorCause | undefined {
  const facts = typeof first === 'object' && first !== null ? { ...first } : undefined;
  if (second instanceof Error) return { ...facts, err: second, ...factsOf(second) };
  if (typeof second !== 'object' || second === null) return facts;
  if (!('cause' in second)) return { ...facts, ...second };
  const { cause } = second;
  if (cause instanceof Error) return { ...facts, err: cause, ...factsOf(cause) };
  return typeof cause === 'object' ? { ...facts, ...cause } : facts;
}

/**
 * Returns the error with the cause of the refusal.
 *
 * @internal
 */
export function because<E extends AuthError>(refusal: RefusalCause, error: E): E {
  error.refusal = refusal;
  return error;
}

/** Base of the errors that send the visitor to the sign-in page. */
export class SignInError extends AuthError {
  /** `signIn`: the visitor sees the message on the sign-in page. */
  static override kind: 'signIn' | 'error' = 'signIn';
}

// Errors of the configuration.

/** Thrown if more than one WebAuthn provider uses the browser's autofill. */
export class DuplicateConditionalUI extends AuthError {
  static override type: ErrorType = 'DuplicateConditionalUI';
}

/** Logged if `pages.error` is a page that itself needs a sign-in. */
export class ErrorPageLoop extends AuthError {
  static override type: ErrorType = 'ErrorPageLoop';
}

/** Thrown if a feature is used that a member of `experimental` must enable first. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: ErrorType = 'ExperimentalFeatureNotEnabled';
}

/**
 * Thrown if a provider has neither an issuer nor the endpoints that it needs, or if the URL of an endpoint cannot be
 * used.
 */
export class InvalidEndpoints extends AuthError {
  static override type: ErrorType = 'InvalidEndpoints';
}

/** Thrown if an option needs an adapter and none is configured. */
export class MissingAdapter extends AuthError {
  static override type: ErrorType = 'MissingAdapter';
}

/** Thrown if the adapter lacks methods that the configuration needs. */
export class MissingAdapterMethods extends AuthError {
  static override type: ErrorType = 'MissingAdapterMethods';
}

/** Thrown if a credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type: ErrorType = 'MissingAuthorize';
}

/** Thrown if no secret is configured. */
export class MissingSecret extends AuthError {
  static override type: ErrorType = 'MissingSecret';
}

/** The name of {@link MissingSecret} in Auth.js v5. */
export const MissingSecretError: typeof MissingSecret = MissingSecret;
/** An instance of {@link MissingSecret}. */
export type MissingSecretError = MissingSecret;

/** Thrown if the WebAuthn provider with autofill has no form field with `autocomplete="… webauthn"`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: ErrorType = 'MissingWebAuthnAutocomplete';
}

/** Thrown if a provider cannot be used with the session strategy, or if the strategy is unknown. */
export class UnsupportedStrategy extends AuthError {
  static override type: ErrorType = 'UnsupportedStrategy';
}

/** Thrown if the configuration does not trust the host of the request's URL. */
export class UntrustedHost extends AuthError {
  static override type: ErrorType = 'UntrustedHost';
}

// Errors of requests and calls.

/**
 * Thrown if a sign-in, sign-out or update is called where the framework cannot set cookies, for example while it
 * renders a page.
 */
export class CookiesNotWritable extends AuthError {
  static override type: ErrorType = 'CookiesNotWritable';
}

/** Thrown if the CSRF token of a form was missing or wrong, or if another site posted the form. */
export class MissingCSRF extends SignInError {
  static override type: ErrorType = 'MissingCSRF';
  static override shown = 'MissingCSRF';
}

/** Thrown if no action has this path, or if the action does not accept the request's method. */
export class UnknownAction extends AuthError {
  static override type: ErrorType = 'UnknownAction';
}

// Errors of sessions.

/** Logged if an event handler threw. The flow continues. */
export class EventError extends AuthError {
  static override type: ErrorType = 'EventError';
}

/** Logged if the session cookie could not be read or issued again. The visitor counts as signed out. */
export class JWTSessionError extends AuthError {
  static override type: ErrorType = 'JWTSessionError';
}

/**
 * Thrown if the record store failed, or took longer than two seconds. A sign-in then fails. If a session is read, the
 * error is logged and the cookie is kept.
 */
export class SessionRecordsError extends AuthError {
  static override type: ErrorType = 'SessionRecordsError';
}

/**
 * Logged if the session of another library could not be read, moved or ended; `cause.reader` is the name of the reader.
 * The old cookie is kept, except at a sign-out.
 */
export class LegacySessionError extends AuthError {
  static override type: ErrorType = 'LegacySessionError';
}

/** Logged if a provider posted a logout token that was not accepted. The provider gets status 400. */
export class LogoutTokenError extends AuthError {
  static override type: ErrorType = 'LogoutTokenError';
}

/** Logged if a database session could not be read. The response has no session; the cookie is kept. */
export class SessionTokenError extends AuthError {
  static override type: ErrorType = 'SessionTokenError';
}

/** Logged if the session could not be deleted from the store. The cookie is deleted nevertheless. */
export class SignOutError extends AuthError {
  static override type: ErrorType = 'SignOutError';
}

// Errors of sign-ins.

/** Thrown if the `signIn` callback refused the sign-in, or threw. */
export class AccessDenied extends AuthError {
  static override type: ErrorType = 'AccessDenied';
  static override shown = 'AccessDenied';
}

/**
 * Thrown if a mail has confirmed the address of a provider's account, and the provider then returned another account or
 * another address.
 */
export class AccountChanged extends AuthError {
  static override type: ErrorType = 'AccountChanged';
  static override shown = 'AccountChanged';
}

/**
 * Thrown if a change of the account needs a sign-in that is at most 10 minutes old. Nothing has changed. The visitor
 * signs in again, as the same user, and repeats the change.
 *
 * ```ts
 * try {
 *   await account.unlink(id);
 * } catch (error) {
 *   if (error instanceof RecentSignInRequired) redirect(error.signInUrl);
 *   throw error;
 * }
 * ```
 */
export class RecentSignInRequired extends SignInError {
  static override type: ErrorType = 'RecentSignInRequired';
  static override shown = 'RecentSignInRequired';

  /** Absolute URL at which the visitor signs in again and comes back; '' if unknown. */
  get signInUrl(): string {
    return String(this.cause?.['signInUrl'] ?? '');
  }
}

/** Thrown if the user has no other way to sign in than the one to be removed. Nothing has changed. */
export class LastWayIn extends AuthError {
  static override type: ErrorType = 'LastWayIn';
  static override shown = 'LastWayIn';
}

/** Thrown if the user already has 50 accounts or 20 passkeys. The new one was not added. */
export class TooManyWays extends SignInError {
  static override type: ErrorType = 'TooManyWays';
  static override shown = 'TooManyWays';
}

/** Thrown if the passkey belongs to another user than the one who is signed in. */
export class AccountNotLinked extends SignInError {
  static override type: ErrorType = 'AccountNotLinked';
  static override shown = 'AccountNotLinked';
}

/**
 * Thrown if the second id of an account differs from the stored one; see the provider option `stableId`. The vendor may
 * have given the account to another person.
 */
export class AccountReassigned extends SignInError {
  static override type: ErrorType = 'AccountReassigned';
  static override shown = 'AccountReassigned';
}

/** Thrown if a method of the adapter threw. */
export class AdapterError extends AuthError {
  static override type: ErrorType = 'AdapterError';
}

/** Thrown if the callback action failed for a reason that no other class names. */
export class CallbackRouteError extends AuthError {
  static override type: ErrorType = 'CallbackRouteError';
}

/**
 * Thrown if credentials were refused. Throw it, or a subclass with its own `code`, in `authorize()`.
 *
 * ```ts
 * class TooYoung extends CredentialsSignin {
 *   override code = 'too-young';
 * }
 * ```
 */
export class CredentialsSignin extends SignInError {
  static override type: ErrorType = 'CredentialsSignin';
  static override shown = 'CredentialsSignin';
  /**
   * Value of `?code=` on the sign-in page. The visitor sees it: do not reveal which credential was wrong. Default:
   * `credentials`.
   */
  code: string = 'credentials';
}

/** Thrown if the user of a first sign-in by email could not be created. */
export class EmailCreateAccountError extends SignInError {
  static override type: ErrorType = 'EmailCreateAccountError';
  static override shown = 'EmailCreateAccount';
}

/** Thrown if the visitor typed something other than an email address, or if the sign-in mail could not be sent. */
export class EmailSignInError extends SignInError {
  static override type: ErrorType = 'EmailSignInError';
  static override shown = 'EmailSignin';
}

/** Thrown if the `redirect` callback returned something other than a URL or a path. */
export class InvalidCallbackUrl extends AuthError {
  static override type: ErrorType = 'InvalidCallbackUrl';
}

/**
 * Thrown if the state, PKCE verifier, nonce or challenge of a sign-in is missing, has expired, or belongs to another
 * sign-in. The visitor can try again.
 */
export class InvalidCheck extends SignInError {
  static override type: ErrorType = 'InvalidCheck';
  static override shown = 'InvalidCheck';
}

/** Thrown if the path names a provider that is not configured, or that does not support the action. */
export class InvalidProvider extends SignInError {
  static override type: ErrorType = 'InvalidProvider';
  static override shown = 'InvalidProvider';
}

/** Thrown if the address belongs to a user who signed in another way, or if the account belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: ErrorType = 'OAuthAccountNotLinked';
  static override shown = 'OAuthAccountNotLinked';
}

/** Thrown if the provider responded with an error, or with something that could not be accepted. */
export class OAuthCallbackError extends SignInError {
  static override type: ErrorType = 'OAuthCallbackError';
  static override shown = 'OAuthCallbackError';
}

/**
 * Thrown if the user of a first OAuth sign-in could not be created, or if the provider has not verified the address.
 */
export class OAuthCreateAccountError extends SignInError {
  static override type: ErrorType = 'OAuthCreateAccountError';
  static override shown = 'OAuthCreateAccount';
}

/** Thrown if `profile()` threw, or returned no id. */
export class OAuthProfileParseError extends SignInError {
  static override type: ErrorType = 'OAuthProfileParseError';
  static override shown = 'Callback';
}

/** Thrown if the sign-in at the provider could not be started. */
export class OAuthSignInError extends SignInError {
  static override type: ErrorType = 'OAuthSignInError';
  static override shown = 'OAuthSignin';
}

/**
 * Thrown if there were too many failed sign-ins, or too many mails; see the option `rateLimit`. The response has status
 * 429.
 */
export class RateLimited extends SignInError {
  static override type: ErrorType = 'RateLimited';
  static override shown = 'RateLimited';

  /** Seconds until another attempt is accepted; 0 if unknown. */
  get retryAfter(): number {
    const seconds = Number(this.cause?.['retryAfter']);
    return Number.isFinite(seconds) ? seconds : 0;
  }
}

/** Why there is no token; see docs/tokens.md. */
export type TokensCode = keyof typeof tokenRemedies;

/** The remedy: a new sign-in at the provider, a change by the developer, or another try. */
export type TokensRemedy = (typeof tokenRemedies)[TokensCode];

/** Facts of a {@link TokensUnavailable}. */
export type TokensFacts = ErrorCause & {
  code?: TokensCode;
  provider?: string;
  scopes?: readonly string[];
  retryAfter?: number;
};

const tokenRemedies = {
  'signed-out': 'sign-in',
  'no-account': 'sign-in',
  'missing-scopes': 'sign-in',
  'no-refresh-token': 'sign-in',
  revoked: 'sign-in',
  unreadable: 'sign-in',
  'several-accounts': 'fix',
  'provider-refused': 'fix',
  'read-only': 'fix',
  'provider-unavailable': 'retry',
  'store-unavailable': 'retry',
} as const;

/**
 * Thrown if there is no valid access token of a provider.
 *
 * ```ts
 * try {
 *   return await tokens.get('google', { scopes: [CALENDAR] });
 * } catch (error) {
 *   if (!(error instanceof TokensUnavailable) || error.remedy !== 'sign-in') throw error;
 *   await signIn(error.provider, { scopes: error.scopes });
 * }
 * ```
 */
export class TokensUnavailable extends AuthError {
  static override type: ErrorType = 'TokensUnavailable';

  /** Why there is no token. */
  readonly code: TokensCode;
  /** Id of the provider. */
  readonly provider: string;
  /** The scopes that the call required, and those that were granted before. For `signIn`. */
  readonly scopes: readonly string[];
  /** Seconds until another try makes sense; 0 unless `remedy` is `retry`. */
  readonly retryAfter: number;

  constructor(message?: string, facts: TokensFacts = {}) {
    super(message, facts);
    const { code = 'store-unavailable', provider = '', scopes = [], retryAfter = 0 } = facts;
    this.code = code;
    this.provider = provider;
    this.scopes = scopes;
    this.retryAfter = retryAfter;
  }

  /** The remedy of {@link code}. */
  get remedy(): TokensRemedy {
    return tokenRemedies[this.code];
  }
}

/** Thrown if a mailed link was already used, has expired, or was never valid. */
export class Verification extends AuthError {
  static override type: ErrorType = 'Verification';
  static override shown = 'Verification';
}

/** Thrown if the response of a passkey was not accepted. Only the log has the reason. */
export class WebAuthnVerificationError extends SignInError {
  static override type: ErrorType = 'WebAuthnVerificationError';
  static override shown = 'WebAuthnVerificationError';
}

const clientErrors: ReadonlySet<ErrorType> = new Set([
  AccessDenied.type,
  AccountNotLinked.type,
  AccountReassigned.type,
  CredentialsSignin.type,
  LastWayIn.type,
  MissingCSRF.type,
  OAuthAccountNotLinked.type,
  OAuthCallbackError.type,
  RecentSignInRequired.type,
  TooManyWays.type,
  Verification.type,
  WebAuthnVerificationError.type,
]);

/**
 * Returns whether the client may learn the error's `type`, because it reveals nothing about the server.
 *
 * ```ts
 * const code = isClientError(error) ? error.type : 'Configuration';
 * ```
 */
export function isClientError(error: Error): error is AuthError {
  return error instanceof AuthError && clientErrors.has(error.type);
}

/**
 * The visitor has to sign in first. Guards of the bindings throw it for requests that do not open a page. It is not an
 * {@link AuthError}: nothing has failed, the log gets nothing, and the message is for visitors. It has the members that
 * error handlers of Node frameworks read (those of the package `http-errors`).
 *
 * ```ts
 * const session = await auth(context);
 * if (!session) throw new SessionRequired(); // status 401
 * ```
 */
export class SessionRequired extends Error {
  /** HTTP status for the error handlers of frameworks. */
  readonly status: number = 401;
  /** The same as `status`, for frameworks that read this name. */
  readonly statusCode: number = 401;
  /** Visitors may see the message. */
  readonly expose: boolean = true;

  constructor() {
    super('Sign in first.');
    this.name = 'SessionRequired';
  }
}

/**
 * Returns the HTTP status for an error that a binding throws: 401 for {@link SessionRequired}; for an {@link
 * AuthError} 400 if the request was wrong, otherwise 500. `undefined` for errors of others.
 *
 * ```ts
 * throw new HTTPException(statusOf(error) ?? 500, { cause: error });
 * ```
 */
export function statusOf(error: unknown): 400 | 401 | 500 | undefined {
  if (error instanceof SessionRequired) return 401;
  if (!(error instanceof AuthError)) return undefined;
  return error.cause?.['status'] === 400 ? 400 : 500;
}

/**
 * Thrown if a request cannot be understood. Not an {@link AuthError}: the client gets the status, the log gets nothing.
 *
 * @internal
 */
export class BadRequest extends Error {
  readonly status: 400 | 413;

  constructor(message: string, status: 400 | 413 = 400) {
    super(message);
    this.status = status;
  }
}

/**
 * Returns a thrown value as an Error whose members can be read. Never throws.
 *
 * ```ts
 * try {
 *   await callback();
 * } catch (thrown) {
 *   logger.error(errorOf(thrown));
 * }
 * ```
 *
 * @internal
 */
export function errorOf(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && isReadable(thrown)) return thrown;
    const message = typeof thrown === 'string' ? thrown : `a ${typeof thrown} was thrown instead of an Error`;
    return new Error(message, { cause: thrown });
  } catch {
    // The application's error has a getter, or is a proxy, that throws.
    return new Error('the thrown value cannot be read');
  }
}

/** Reads the members that may be getters of the application. */
function isReadable({ name, message, cause }: Error): boolean {
  return [name, message, cause].length > 0;
}
