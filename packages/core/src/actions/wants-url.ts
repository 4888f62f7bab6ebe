import type { Incoming, Reply } from '../context.ts';

/** Does the client ask to be told where to go, instead of being sent there? */
export function wantsUrl(incoming: Incoming): boolean {
  return incoming.header('x-auth-return-redirect') !== undefined;
}

/** For clients that asked to be told where to go instead of being sent there; the rest of the answer stays. */
export function urlReply(reply: Reply): Reply {
  const { redirect, ...rest } = reply;
  if (redirect === undefined) return reply;
  const location = reply.refused ? {} : { location: redirect };
  const headers = { ...rest.headers, 'content-type': 'application/json', ...location };
  return { ...rest, status: 200, headers, body: { url: redirect } };
}
