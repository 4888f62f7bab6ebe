import type { Context } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import type { Cookie } from '../types/config.ts';
import { expireCookie } from '../wire/cookie.ts';
import { openCookie, sealCookie } from '../wire/sealed-cookie.ts';
import { kinds, type PendingAddress } from './kinds.ts';

const {
  cookies: [part = 'address'],
  seconds,
} = kinds.address;

/** Returns the change of the address that was asked for in this browser; `undefined` if none waits. */
export async function pendingAddress(context: Context): Promise<PendingAddress | undefined> {
  const { cookies, cookieTable, settings, now, browser } = context;
  const payload = await openCookie(cookies, cookieTable[part], { secrets: settings.sealingSecrets, now });
  const { userId, from, to, token, code, browser: id } = payload ?? {};
  // Without `__Host-`, another site can plant the cookie of a change that it has asked for itself.
  if (typeof id !== 'string' || !browser || !equal(id, browser.id)) return undefined;
  if (typeof userId !== 'string' || typeof to !== 'string') return undefined;
  if (typeof token !== 'string' || typeof code !== 'string') return undefined;
  return { userId, from: typeof from === 'string' ? from : null, to, token, code };
}

/**
 * Returns the cookies of a change. It replaces the one before. Where forms carry no CSRF token, the browser does not
 * have that cookie yet, to which the change is bound.
 */
export async function addressCookies(context: Context, pending: PendingAddress): Promise<readonly Cookie[]> {
  const token = context.browser?.cookie;
  return [...(token ? [token] : []), await addressCookie(context, pending)];
}

async function addressCookie(context: Context, pending: PendingAddress): Promise<Cookie> {
  const { cookieTable, settings, now, browser } = context;
  const { name, options } = cookieTable[part];
  const lasting = { name, options: { ...options, maxAge: Math.min(options.maxAge ?? seconds, seconds) } };
  const bound = { ...pending, browser: browser?.id };
  return sealCookie(lasting, bound, { secrets: settings.sealingSecrets, maxAge: seconds, now });
}

/** Returns the cookie that removes the change from the browser. */
export function noAddressCookie({ cookieTable }: Context): Cookie {
  return expireCookie(cookieTable[part]);
}
