import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { Cookie, CookieOption } from '../types/config.ts';

/** Longest `Cookie` header that is read, in characters. */
export const LONGEST_COOKIE_HEADER: number = 64 * 1024;

/**
 * Reads the cookies of a request (RFC 6265 §4.2). Of cookies with the same name the first counts, which has the longest
 * path. Values are percent-decoded; a value with invalid percent-encoding is returned unchanged. Never throws.
 *
 * A header longer than {@link LONGEST_COOKIE_HEADER} is not read. If only its first part were read, a session could
 * look invalid, and its cookies would be cleared.
 *
 * @returns an object without a prototype.
 */
export function parseCookies(header: string | undefined): Record<string, string> {
  if (!header || header.length > LONGEST_COOKIE_HEADER) return Object.create(null);
  // `as`: with the library's own decoder no value is undefined.
  return parseCookie(header) as Record<string, string>;
}

/**
 * Largest number of values of one name that {@link repeatedCookies} returns. Each of them may have to be decrypted, or
 * looked up in the store. After a site's own cookie of path `/` come at most two for each parent domain: browsers keep
 * partitioned cookies separately.
 */
export const VALUES_READ = 8;

/**
 * Returns the cookies of a request whose names begin with `prefix`. Each name has its last {@link VALUES_READ} values,
 * in the order of the header. Empty values are left out. A subdomain can set cookies of the same name, which the
 * browser sends, too. Browsers send cookies with longer paths first (RFC 6265 §5.4). So the last values count: any
 * number of cookies with long paths does not hide the site's own, which has the path `/`.
 */
export function repeatedCookies(header: string | undefined, prefix: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (!header || header.length > LONGEST_COOKIE_HEADER) return found;
  for (const pair of header.split(';')) {
    if (!pair.trimStart().startsWith(prefix)) continue;
    for (const [name, value] of Object.entries(parseCookies(pair))) {
      if (!value) continue;
      const values = found.get(name);
      if (values) values.push(value);
      else found.set(name, [value]);
    }
  }
  for (const [name, values] of found) found.set(name, values.slice(-VALUES_READ));
  return found;
}

/**
 * Returns a cookie as the value of a `Set-Cookie` header, with the attributes in the order Max-Age, Domain, Path,
 * Expires, HttpOnly, Secure, Partitioned, Priority, SameSite.
 *
 * @throws {TypeError} if the name, the value or an attribute is not valid in a header.
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  // `as`: the library accepts attributes that are undefined; its types do not.
  const cookie = { ...options, name, value } as SetCookie;
  // The library's own encoder leaves more characters unchanged than that of Auth.js v5.
  return stringifySetCookie(cookie, { encode: options.encode ?? encodeURIComponent });
}

/** Returns the cookie that makes a browser delete one: empty, with `Max-Age=0` and otherwise the same attributes. */
export function expireCookie({ name, options }: CookieOption): Cookie {
  const { expires: _, ...others } = options;
  return { name, value: '', options: { ...others, maxAge: 0 } };
}
