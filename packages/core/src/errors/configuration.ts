import { AuthError, type ErrorType } from './base.ts';

// What is wrong with a configuration.

/** More than one WebAuthn provider wants the browser's autofill. */
export class DuplicateConditionalUI extends AuthError {
  static override type: ErrorType = 'DuplicateConditionalUI';
}

/** `pages.error` is itself behind a sign-in. */
export class ErrorPageLoop extends AuthError {
  static override type: ErrorType = 'ErrorPageLoop';
}

/** A feature behind a switch of `experimental` is used without it. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: ErrorType = 'ExperimentalFeatureNotEnabled';
}

/** A provider has neither an issuer nor the endpoints it needs, or an endpoint's address is unusable. */
export class InvalidEndpoints extends AuthError {
  static override type: ErrorType = 'InvalidEndpoints';
}

/** Something configured needs an adapter. */
export class MissingAdapter extends AuthError {
  static override type: ErrorType = 'MissingAdapter';
}

/** A credentials provider without `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type: ErrorType = 'MissingAuthorize';
}

/** No form field of the WebAuthn provider with autofill has `autocomplete="… webauthn"`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: ErrorType = 'MissingWebAuthnAutocomplete';
}

/** A provider cannot be used with the session strategy. */
export class UnsupportedStrategy extends AuthError {
  static override type: ErrorType = 'UnsupportedStrategy';
}

/** The host of the request's address may not be believed. */
export class UntrustedHost extends AuthError {
  static override type: ErrorType = 'UntrustedHost';
}

/** The adapter lacks methods that something configured needs. */
export class MissingAdapterMethods extends AuthError {
  static override type: ErrorType = 'MissingAdapterMethods';
}
