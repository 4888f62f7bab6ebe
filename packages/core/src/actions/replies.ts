import type { Incoming, Reply, RoutedRequest } from '../context.ts';
import { AuthError } from '../errors.ts';

/** Does the client ask for the URL to go to, instead of a redirect? */
export function wantsUrl(incoming: Incoming): boolean {
  return incoming.header('x-auth-return-redirect') !== undefined;
}

/** Does a script ask for JSON in the place of a page? */
export function wantsJson(incoming: Incoming): boolean {
  return incoming.header('accept')?.includes('application/json') === true;
}

/** A redirect as JSON if the client asks for that; any other reply unchanged. */
export function asRedirectOrJson({ incoming, call }: RoutedRequest, reply: Reply): Reply {
  return wantsUrl(incoming) && !call.raw ? urlReply(reply) : reply;
}

/** The redirect as JSON; any other reply unchanged. */
export function urlReply(reply: Reply): Reply {
  const { redirect, ...rest } = reply;
  if (redirect === undefined) return reply;
  const location = reply.refused ? {} : { location: redirect };
  const headers = { ...rest.headers, 'content-type': 'application/json', ...location };
  return { ...rest, status: 200, headers, body: { url: redirect } };
}

/** The reply to a request that cannot be understood. */
export function badRequest(status: 400 | 413 = 400): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: 'Bad request.', refused: true };
}

/** Is the error for the caller, who asked for raw replies? Then it is thrown instead of answered. */
export function isForCaller({ call, incoming }: RoutedRequest, error: unknown): error is AuthError {
  return call.raw === true && !wantsUrl(incoming) && error instanceof AuthError;
}
