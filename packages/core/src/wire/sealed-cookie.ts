import { chain, isPromise } from '../crypto/chain.ts';
import { type OpenOptions, open, type SealOptions, seal, TokenError } from '../crypto/seal.ts';
import type { Awaitable, Cookie, CookieOption } from '../types.ts';

/**
 * A cookie whose payload only we can read, and only under this name: the name is the salt. It expires with its seal, beside
 * whatever `Max-Age` the cookie has of its own.
 *
 * @param sealing `maxAge` in seconds.
 */
export function sealCookie(
  option: CookieOption,
  payload: object,
  sealing: Omit<SealOptions, 'salt'>,
): Awaitable<Cookie> {
  const expires = new Date(sealing.now.getTime() + sealing.maxAge * 1000);
  return chain(seal(payload, { ...sealing, salt: option.name }), (value) => ({
    name: option.name,
    value,
    options: { ...option.options, expires },
  }));
}

/** What {@link sealCookie} has put into a cookie of the request; `undefined` when it is absent, expired or not ours. */
export function openCookie(
  cookies: Readonly<Record<string, string>>,
  option: CookieOption,
  opening: Omit<OpenOptions, 'salt'>,
): Awaitable<Record<string, unknown> | undefined> {
  const value = cookies[option.name];
  if (!value) return undefined;
  try {
    const opened = open(value, { ...opening, salt: option.name });
    return isPromise(opened) ? opened.then((claims) => claims, unreadable) : opened;
  } catch (error) {
    return unreadable(error);
  }
}

/** The cookie that makes a browser forget another one: empty, `Max-Age=0`, otherwise the same attributes. */
export function expireCookie(option: CookieOption): Cookie {
  const { expires: _, ...options } = option.options;
  return { name: option.name, value: '', options: { ...options, maxAge: 0 } };
}

function unreadable(error: unknown): undefined {
  // Anything else is a fault of ours and must not look like a bad cookie.
  if (!(error instanceof TokenError)) throw error;
}
