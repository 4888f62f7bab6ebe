import type { Cookie, CookieOption } from '../types/config.ts';
import { expireCookie, repeatedCookies, VALUES_READ } from './cookie.ts';
import type { TableCookie } from './cookie-table.ts';

/**
 * Longest value of one cookie, in characters. Browsers allow 4096 for a cookie; 160 of them are for name and
 * attributes.
 */
export const CHUNK_SIZE: number = 4096 - 160;

/** Largest number of chunks of a value. */
export const CHUNKS_READ = 20;

type Cookies = Readonly<Record<string, string>>;

/**
 * Reads a value of one cookie or several: the cookie `name`, else the chunks `name.0`, `name.1` … joined. It reads up
 * to the first chunk that is missing, and at most {@link CHUNKS_READ}.
 *
 * If the request has both, the cookie `name` counts. The chunks can be left over from a concurrent response, or another
 * site on the same domain can set them. They must not hide a session in one cookie. For the same reason, a chunk that
 * is shorter than the first ends the value: all chunks but the last are full.
 *
 * @returns undefined if there is no such cookie, or it is empty.
 */
export function readChunked(cookies: Cookies, name: string): string | undefined {
  const whole = cookies[name];
  if (whole) return whole;
  let value = '';
  let size = 0;
  for (let index = 0; index < CHUNKS_READ; index++) {
    const chunk = cookies[`${name}.${index}`];
    if (!chunk) break;
    value += chunk;
    size ||= chunk.length;
    if (chunk.length < size) break;
  }
  return value || undefined;
}

/**
 * Returns the values that the cookies of a name can stand for, in the order of the header. Each cookie `name` comes
 * first, then each series of chunks. Series are counted from the end, where the site's own cookies are
 * ({@link repeatedCookies}). One chunk may occur more often than another. Then the first value of the other belongs to
 * the further series, too. At most {@link VALUES_READ} of each kind are returned, without repetitions.
 */
export function readAllChunked(header: string | undefined, name: string): string[] {
  const cookies = repeatedCookies(header, name);
  const values = cookies.get(name) ?? [];
  cookies.delete(name);
  for (let fromEnd = VALUES_READ; fromEnd > 0; fromEnd--) {
    const chunks = [...cookies].map(([chunk, all]) => [chunk, all.at(-fromEnd) ?? all[0] ?? '']);
    const value = readChunked(Object.fromEntries(chunks), name);
    if (value) values.push(value);
  }
  return [...new Set(values)];
}

/**
 * Tests whether the cookies of a name can stand for more than one value. Also true if the header contains the name
 * elsewhere.
 */
export function mayBeRepeated(header: string | undefined, cookies: Cookies, name: string): boolean {
  const first = header?.indexOf(name) ?? -1;
  if (!header || first === -1) return false;
  const whole = cookies[name];
  if (whole) {
    if (header[first + name.length] !== '=') return true;
    // A value in the header is at least as long as the decoded one.
    return header.indexOf(name, first + name.length + whole.length) !== -1;
  }
  let at = first;
  for (let index = 0; index < CHUNKS_READ && at !== -1; index++) {
    if (!cookies[`${name}.${index}`]) break;
    at = header.indexOf(name, at + name.length);
  }
  return at !== -1;
}

/**
 * Returns the cookies that set a value of any length: one, or chunks of {@link CHUNK_SIZE} characters. The request's
 * other cookies of this name are cleared, so that no chunk of a longer value remains. Names that the request has come
 * first, then new names.
 */
export function writeChunked(requestCookies: Cookies, option: TableCookie, value: string): Cookie[] {
  const written = new Map<string, Cookie>();
  for (const cookie of clearChunked(requestCookies, option)) written.set(cookie.name, cookie);
  for (const cookie of split(option, value)) written.set(cookie.name, cookie);
  return [...written.values()];
}

/** Returns the cookies that clear all cookies of the request with one of the names, in one piece or in chunks. */
export function clearChunked(requestCookies: Cookies, { name, names = [name], options }: TableCookie): Cookie[] {
  const cleared: Cookie[] = [];
  for (const part in requestCookies) {
    const isOwn = names.some((whole) => isPartOf(part, whole)) && requestCookies[part];
    if (isOwn) cleared.push(expireCookie({ name: part, options }));
  }
  return cleared;
}

function split({ name, options }: CookieOption, value: string): Cookie[] {
  if (value.length <= CHUNK_SIZE) return [{ name, value, options }];
  return Array.from({ length: Math.ceil(value.length / CHUNK_SIZE) }, (_, index) => ({
    name: `${name}.${index}`,
    value: value.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
    options,
  }));
}

/** Tests for the name itself, or the name with the number of a chunk. `authjs.session-token-x` is another cookie. */
export function isPartOf(name: string, whole: string): boolean {
  if (!name.startsWith(whole)) return false;
  const suffix = name.slice(whole.length);
  return suffix === '' || (/^\.(?:0|[1-9]\d?)$/.test(suffix) && Number(suffix.slice(1)) < CHUNKS_READ);
}
