import { type OpenOptions, openIfValid, type SealOptions, seal } from '../crypto/seal.ts';
import type { Cookie, CookieOption } from '../types/config.ts';
import { sentName } from './cookie-names.ts';
import type { TableCookie } from './cookie-table.ts';

/**
 * Seals a payload into a cookie. It opens under the same cookie name only, because the name is the salt. `Expires` is
 * the instant at which the seal expires; a `Max-Age` of the cookie's own is kept.
 *
 * @param sealing `maxAge` in seconds.
 */
export async function sealCookie(
  option: CookieOption,
  payload: object,
  sealing: Omit<SealOptions, 'salt'>,
): Promise<Cookie> {
  const { name } = option;
  const expires = new Date(sealing.now.getTime() + sealing.maxAge * 1000);
  const value = await seal(payload, { ...sealing, salt: name });
  return { name, value, options: { ...option.options, expires } };
}

/**
 * Returns the payload of a cookie of the request; `undefined` if it is absent, expired, or sealed under another name or
 * secret.
 */
export async function openCookie(
  cookies: Readonly<Record<string, string>>,
  option: TableCookie,
  opening: Omit<OpenOptions, 'salt'>,
): Promise<Record<string, unknown> | undefined> {
  const name = sentName(cookies, option);
  const value = cookies[name];
  return value ? openIfValid(value, { ...opening, salt: name }) : undefined;
}
