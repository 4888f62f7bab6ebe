import type { Cookie } from '../types/config.ts';
import { clearChunked, isPartOf, readChunked } from './cookie-chunks.ts';
import { type CookieTable, cookieKeys, type TableCookie } from './cookie-table.ts';

/**
 * Returns the name under which the request has a cookie. It differs from `name` only while the cookie changes its name.
 * It is the salt of the value's seal: a value opens only with the salt of its own name.
 */
export function sentName(requestCookies: Readonly<Record<string, string>>, { name, names }: TableCookie): string {
  return names?.find((one) => readChunked(requestCookies, one) !== undefined) ?? name;
}

/** Tests whether the request has a cookie under its other name, so that it has to be written under `name`. */
export function isMoving(requestCookies: Readonly<Record<string, string>>, option: TableCookie): boolean {
  return sentName(requestCookies, option) !== option.name;
}

/**
 * Returns the cookies of an answer, and those that clear the other name of each while cookies change their names.
 * Otherwise the browser would keep two values.
 */
export function withoutOtherNames(
  requestCookies: Readonly<Record<string, string>>,
  table: CookieTable,
  cookies: readonly Cookie[],
): readonly Cookie[] {
  const cleared: Cookie[] = [];
  for (const key of cookieKeys) {
    const { name, names, options } = table[key];
    if (!names || !cookies.some((cookie) => isPartOf(cookie.name, name))) continue;
    const others = names.filter((one) => one !== name);
    cleared.push(...others.flatMap((other) => clearChunked(requestCookies, { name: other, options })));
  }
  const missing = cleared.filter(({ name }) => !cookies.some((cookie) => cookie.name === name));
  return missing.length === 0 ? cookies : [...missing, ...cookies];
}
