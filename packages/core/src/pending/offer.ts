import { limits } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { equal } from '../crypto/bytes.ts';
import type { Cookie } from '../types/config.ts';
import { expireCookie } from '../wire/cookie.ts';
import { openCookie, sealCookie } from '../wire/sealed-cookie.ts';
import { kinds, type PendingOffer } from './kinds.ts';

const [part = 'offer'] = kinds.offer.cookies;

/**
 * Returns the offer that the browser has. Its cookie stays.
 *
 * @returns `undefined` if the browser has no offer, if it has expired, or if it was made in another browser.
 */
export async function pendingOffer(context: Context): Promise<PendingOffer | undefined> {
  const { cookies, cookieTable, settings, now, browser } = context;
  const payload = await openCookie(cookies, cookieTable[part], { secrets: settings.sealingSecrets, now });
  const id = payload?.['browser'];
  // Without `__Host-`, another site can plant the cookie of its own browser.
  if (!payload || typeof id !== 'string' || !browser || !equal(id, browser.id)) return undefined;
  const offer = readOffer(payload);
  return offer && now.getTime() < offer.expires ? offer : undefined;
}

function readOffer(payload: Record<string, unknown>): PendingOffer | undefined {
  const { provider, providerAccountId, label, userId, address, isVerified, isShown, expires } = payload;
  if (typeof provider !== 'string' || typeof providerAccountId !== 'string') return undefined;
  if (typeof label !== 'string' || typeof userId !== 'string' || typeof expires !== 'number') return undefined;
  return {
    provider,
    providerAccountId,
    label,
    userId,
    address: typeof address === 'string' ? address : undefined,
    isVerified: isVerified === true,
    isShown: isShown === true,
    expires,
  };
}

/** Returns the instant at which an offer that is made now expires, in milliseconds since 1970. */
export function offerExpiry({ now }: Context): number {
  return now.getTime() + kinds.offer.seconds * 1000;
}

/**
 * Returns the cookies of an offer, which replaces the one before: its own, and the CSRF cookie if the browser does not
 * have it yet. `undefined` if the offer is too long for a cookie.
 */
export async function offerCookies(context: Context, offer: PendingOffer): Promise<readonly Cookie[] | undefined> {
  const { cookieTable, settings, now, browser } = context;
  const { name, options } = cookieTable[part];
  const maxAge = Math.ceil((offer.expires - now.getTime()) / 1000);
  const payload = { ...offer, browser: browser?.id };
  const sealing = { secrets: settings.sealingSecrets, maxAge, now };
  const cookie = await sealCookie({ name, options: { ...options, maxAge } }, payload, sealing);
  if (cookie.name.length + cookie.value.length > limits.offerCookie) return undefined;
  return [...(browser?.cookie ? [browser.cookie] : []), cookie];
}

/** Returns the cookie that removes the offer from the browser. */
export function noOfferCookie({ cookieTable }: Context): Cookie {
  return expireCookie(cookieTable[part]);
}
