import type { Context } from '../context.ts';
import type { Cookie } from '../types/config.ts';

/** Scripts read this cookie, so its name has no prefix that depends on https. */
export const REVISION_COOKIE = 'authjs.revision';

/**
 * Returns a cookie with a new random value. It shows the scripts of all tabs that the session has changed. Only hosts
 * with client code ask for it.
 */
export function revisionCookies({ call, cookieTable, settings, now }: Context): readonly Cookie[] {
  if (!call.revision) return [];
  const expires = new Date(now.getTime() + settings.session.maxAge * 1000);
  // The same domain and path as the session cookie.
  const options = { ...cookieTable.sessionToken.options, expires, httpOnly: false };
  return [{ name: REVISION_COOKIE, value: crypto.randomUUID().replaceAll('-', ''), options }];
}
