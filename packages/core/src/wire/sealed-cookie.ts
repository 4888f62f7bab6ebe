import { chain } from '../chain.ts';
import { type OpenOptions, openIfValid, type SealOptions, seal } from '../crypto/seal.ts';
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
  return value ? openIfValid(value, { ...opening, salt: option.name }) : undefined;
}
