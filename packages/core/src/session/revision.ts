import type { Context } from '../context.ts';
import type { Cookie } from '../types.ts';

/** Scripts read it, so it has no prefix that depends on the mode. */
export const REVISION_COOKIE = 'authjs.revision';

/**
 * Tells the browser's scripts, in every tab, that the session is another one now: a random value that stands for nothing.
 * Only hosts with a client ask for it.
 */
export function revisionCookies({ call, cookieTable, settings, now }: Context): readonly Cookie[] {
  if (!call.revision) return [];
  const expires = new Date(now.getTime() + settings.session.maxAge * 1000);
  // Where the session's cookie goes, this one goes.
  const options = { ...cookieTable.sessionToken.options, expires, httpOnly: false };
  return [{ name: REVISION_COOKIE, value: crypto.randomUUID().replaceAll('-', ''), options }];
}
