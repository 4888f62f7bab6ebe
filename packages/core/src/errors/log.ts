import { AuthError, type ErrorType } from './base.ts';

// What only the log is told of sessions, beside what every session may need.

/** A database session could not be read. Log only: no session in this answer, the cookie is kept. */
export class SessionTokenError extends AuthError {
  static override type: ErrorType = 'SessionTokenError';
}

/** The session could not be ended in the store. Log only: the cookie is gone all the same. */
export class SignOutError extends AuthError {
  static override type: ErrorType = 'SignOutError';
}
