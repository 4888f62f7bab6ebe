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
  /** Identifies the error in the log; a subclass made by the application inherits it, or has its own. */
  type: ErrorType = (this.constructor as typeof AuthError).type;
  /** Which page tells the visitor. */
  kind: 'signIn' | 'error' = (this.constructor as typeof AuthError).kind;

  constructor(message?: string | Error | ErrorCause, errorOptions?: Error | ErrorCause | { cause?: unknown }) {
    super();
    const cause = causeOf(message instanceof Error ? { err: message, ...factsOf(message) } : message, errorOptions);
    if (cause) this.cause = cause;
    // Bundlers shorten the names of classes, not the types of ours.
    this.name = Object.hasOwn(this.constructor, 'type') ? this.type : this.constructor.name;
    const text = message instanceof Error ? message.message : typeof message === 'string' ? message : '';
    this.message = `${text && `${text.replace(/\.$/, '')}. `}See docs/errors.md#${this.type.toLowerCase()}`;
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
