import { AuthError, CookiesNotWritable, statusOf } from '../errors.ts';

/**
 * Returns the error for frameworks that show visitors the message of an error, and answer with its `statusCode`. The
 * message of an {@link AuthError} is for the operator of the site, and the log has it if an action has failed. It is
 * replaced in the error itself: visitors get `Bad Request` or `Internal Server Error`.
 *
 * Failures of a sign-in keep their message, because the application shows them. So do errors of others, and
 * `CookiesNotWritable`, which tells the developer where the call belongs.
 *
 * ```ts
 * const functions = serverFunctions<Context>(visitOf, { mapError: asVisitorError });
 * ```
 */
export function asVisitorError(error: unknown): unknown {
  if (!(error instanceof AuthError) || error.kind === 'signIn' || error instanceof CookiesNotWritable) return error;
  const statusCode = statusOf(error);
  return Object.assign(error, { statusCode, message: statusCode === 400 ? 'Bad Request' : 'Internal Server Error' });
}
