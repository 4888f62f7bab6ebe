import type { Context } from '../context.ts';
import type { Cookie, CookieOption } from '../types/config.ts';
import { expireCookie } from '../wire/cookie.ts';
import { cookieNames } from '../wire/cookie-table.ts';
import { openCookie, sealCookie } from '../wire/sealed-cookie.ts';

/** Seconds until the browser forgets the user: the longest time that browsers allow (RFC 6265bis §5.5). */
export const LASTING: number = 400 * 86_400;

/**
 * Returns the cookie that names the user who signed in last in this browser. With https its name begins with `__Host-`:
 * a subdomain can set a session cookie, but not this one. Empty if the application shares its sessions with subdomains.
 */
export async function browserCookies(context: Context, userId: string): Promise<readonly Cookie[]> {
  if (isShared(context)) return [];
  const { settings, now } = context;
  return [
    await sealCookie(option(context), { user: userId }, { secrets: settings.sealingSecrets, maxAge: LASTING, now }),
  ];
}

/** Returns the cookies that make the browser forget its user. */
export function clearBrowserCookie(context: Context): readonly Cookie[] {
  const known = option(context);
  return context.cookies[known.name] === undefined ? [] : [expireCookie(known)];
}

/** Returns the id of the user who signed in last in this browser; `undefined` if the request does not name one. */
export async function browserUserId({ cookies, settings, now, ...context }: Context): Promise<string | undefined> {
  const payload = await openCookie(cookies, option(context), { secrets: settings.sealingSecrets, now });
  return typeof payload?.['user'] === 'string' ? payload['user'] : undefined;
}

/**
 * Tests whether a session of this user belongs to this browser, and was not set by a subdomain. Always
 * true if the application shares its sessions with subdomains (`cookies.sessionToken.options.domain`), which sign in
 * for each other. Not while sessions of other libraries are moved: their cookies need no prefix, so anyone on the
 * network path can set one by http.
 */
export async function isUserOfBrowser(context: Context, userId: string): Promise<boolean> {
  return isShared(context) || (await browserUserId(context)) === String(userId);
}

function isShared({ cookieTable, settings }: Context): boolean {
  return cookieTable.sessionToken.options.domain !== undefined && settings.legacy === undefined;
}

function option({ cookieTable }: Pick<Context, 'cookieTable'>): CookieOption {
  const { name, options } = cookieTable.sessionToken;
  const { domain: _, maxAge: __, ...others } = options;
  const plain = name.replace(/^__(?:Secure|Host)-/, '');
  // Not the session's name with a suffix: Auth.js v5 would read that as a part of the session.
  const suffix = plain === cookieNames.sessionToken ? '' : `.${plain}`;
  return { name: `${options.secure ? '__Host-' : ''}authjs.browser${suffix}`, options: { ...others, path: '/' } };
}
