import { AuthError, type ErrorType } from './base.ts';

// What reading a session, and bindings, may throw or log: the one file of errors that is loaded with every application.

/** A sign-in, sign-out or update was called where the framework lets nobody set cookies, for example while a page is rendered. */
export class CookiesNotWritable extends AuthError {
  static override type: ErrorType = 'CookiesNotWritable';
}

/** An event handler threw; the flow went on. */
export class EventError extends AuthError {
  static override type: ErrorType = 'EventError';
}

/** The session cookie could not be read or re-issued. Log only: the visitor is signed out. */
export class JWTSessionError extends AuthError {
  static override type: ErrorType = 'JWTSessionError';
}

/** No secret is configured. */
export class MissingSecret extends AuthError {
  static override type: ErrorType = 'MissingSecret';
}

/** The specification's name of {@link MissingSecret}. */
export const MissingSecretError: typeof MissingSecret = MissingSecret;
/** An instance of {@link MissingSecret}. */
export type MissingSecretError = MissingSecret;

/** No action at this address, or not by this method. */
export class UnknownAction extends AuthError {
  static override type: ErrorType = 'UnknownAction';
}
