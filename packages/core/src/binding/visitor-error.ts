import { AuthError, CookiesNotWritable, statusOf } from '../errors.ts';

/**
 * Returns the error for frameworks that show visitors the message of an error, and answer with its `statusCode`. The
 * message of an {@link AuthError} is for the operator of the site. So the result is a copy with the message `Bad
 * Request` or `Internal Server Error`. Its `cause.err` is the error itself, which frameworks write to their log.
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
  const message = statusCode === 400 ? 'Bad Request' : 'Internal Server Error';
  const { type, name, errors, refusal } = error;
  return Object.assign(new AuthError(error), { type, name, errors, refusal, statusCode, message });
}
