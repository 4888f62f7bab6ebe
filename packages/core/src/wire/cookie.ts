import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { Cookie } from '../types.ts';

/** Longest `Cookie` header that is read, in characters. */
export const LONGEST_COOKIE_HEADER: number = 64 * 1024;

/**
 * The cookies of a request (RFC 6265 §4.2). Of equal names the first counts, which is the one with the longest path; values
 * are percent-decoded, or left as they are where that fails. Never throws.
 *
 * A header over {@link LONGEST_COOKIE_HEADER} is not read at all: the first half of a session would look like a bad one, and be
 * cleared.
 *
 * @returns an object without inherited members.
 */
export function parseCookies(header: string | undefined): Record<string, string> {
  if (!header || header.length > LONGEST_COOKIE_HEADER) return Object.create(null) as Record<string, string>;
  // Without a decoder of our own the library's values are never undefined.
  return parseCookie(header) as Record<string, string>;
}

/**
 * A cookie as the value of a `Set-Cookie` header; attributes in the order Max-Age, Domain, Path, Expires, HttpOnly, Secure,
 * Partitioned, Priority, SameSite.
 *
 * @throws {TypeError} when a name, value or attribute cannot stand in a header.
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  const { encode = encodeURIComponent, ...attributes } = options;
  // The library's own encoder leaves alone what need not be encoded; the family always encodes, and cookies are compared.
  // `as`: the library's types do not know that an attribute may be there and undefined; its code does.
  return stringifySetCookie({ ...attributes, name, value } as SetCookie, { encode });
}
