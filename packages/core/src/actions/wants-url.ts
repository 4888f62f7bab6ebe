import type { Incoming } from '../context.ts';

/** Does the client ask to be told where to go, instead of being sent there? */
export function wantsUrl(incoming: Incoming): boolean {
  return incoming.header('x-auth-return-redirect') !== undefined;
}
