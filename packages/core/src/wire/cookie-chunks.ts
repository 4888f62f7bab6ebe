import type { Cookie, CookieOption } from '../types.ts';
import { expireCookie } from './expire-cookie.ts';

/** Longest value of one cookie, in characters: 4096 that browsers allow for all of it, less 160 for name and attributes. */
export const CHUNK_SIZE: number = 4096 - 160;

/** Chunks that are read of one value. */
export const CHUNKS_READ = 20;

type Cookies = Readonly<Record<string, string>>;

/**
 * A value that may have been too long for one cookie: that of `name`, else `name.0`, `name.1` … joined, up to the first that is
 * missing, and at most {@link CHUNKS_READ}.
 *
 * Where both are there the whole cookie counts. Each of them can be a left-over of an answer that crossed another one; and so
 * a chunk that somebody else has planted never hides a session that needs no chunks. For the same reason a chunk shorter
 * than the first ends the value: all writers fill every chunk but the last.
 *
 * @returns `undefined` when there is none; an empty cookie counts as none.
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
 * The cookies that set a value of any length: one, or chunks of {@link CHUNK_SIZE} characters. What the request has of this
 * name under other chunk numbers is cleared, so that a shorter value leaves no tail. First the names that the request has, then
 * the new ones.
 */
export function writeChunked(requestCookies: Cookies, option: CookieOption, value: string): Cookie[] {
  const names = partsOf(requestCookies, option.name);
  // What nearly every session is: one cookie, and none of its name to be cleared but itself.
  if (value.length <= CHUNK_SIZE && names.every((name) => name === option.name)) return split(option, value);
  const written = new Map<string, Cookie>();
  for (const name of names) written.set(name, expireCookie({ ...option, name }));
  for (const cookie of split(option, value)) written.set(cookie.name, cookie);
  return [...written.values()];
}

/** The cookies that clear whatever the request has of this name, whole or in chunks; none when it has none. */
export function clearChunked(requestCookies: Cookies, option: CookieOption): Cookie[] {
  return partsOf(requestCookies, option.name).map((name) => expireCookie({ ...option, name }));
}

/** The names under which the request has something of this name, whole or in chunks. */
function partsOf(requestCookies: Cookies, whole: string): string[] {
  const names: string[] = [];
  for (const name in requestCookies) if (isPartOf(name, whole) && requestCookies[name]) names.push(name);
  return names;
}

function split({ name, options }: CookieOption, value: string): Cookie[] {
  if (value.length <= CHUNK_SIZE) return [{ name, value, options }];
  return Array.from({ length: Math.ceil(value.length / CHUNK_SIZE) }, (_, index) => ({
    name: `${name}.${index}`,
    value: value.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
    options,
  }));
}

/** Exactly the name, or the name with a chunk's number as we write it; `authjs.session-token-x` is somebody else's. */
function isPartOf(name: string, whole: string): boolean {
  if (!name.startsWith(whole)) return false;
  const suffix = name.slice(whole.length);
  return suffix === '' || (/^\.(?:0|[1-9]\d?)$/.test(suffix) && Number(suffix.slice(1)) < CHUNKS_READ);
}
