import type { Cookie } from '../types/config.ts';
import { parseCookies, repeatedCookies } from '../wire/cookie.ts';

/**
 * Returns the `Cookie` header of a request with the changes that the application has made to its cookies so far.
 *
 * Frameworks keep one value of each name. A subdomain can set a cookie of the same name, and the one that the framework
 * drops may be the site's own. So all values that the browser sent are returned, unless the application has changed the
 * cookie.
 *
 * ```ts
 * const header = currentCookieHeader(request.headers.get('cookie') ?? undefined, cookies.getAll());
 * ```
 *
 * @param header The header that the browser sent.
 * @param current The cookies as the framework has them now, with decoded values.
 * @returns '' without cookies.
 */
export function currentCookieHeader(
  header: string | undefined,
  current: readonly { readonly name: string; readonly value: string }[],
): string {
  const first = parseCookies(header);
  const sent = repeatedCookies(header, '');
  return current
    .flatMap(({ name, value }) => {
      const values = sent.get(name) ?? [];
      const isUnchanged = value === first[name] || values.includes(value);
      return (isUnchanged && values.length > 1 ? values : [value]).map((each) => [name, each] as const);
    })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ');
}

/**
 * Returns the `Cookie` header of a request with the cookies that were set on its response meanwhile. It is for
 * frameworks that do not keep them.
 *
 * ```ts
 * const header = withSetCookies(request.headers.get('cookie') ?? undefined, cookies);
 * ```
 *
 * @param header The header that the browser sent.
 * @returns '' without cookies.
 */
export function withSetCookies(header: string | undefined, set: readonly Cookie[]): string {
  const names = new Set(set.map(({ name }) => name));
  const sent = (header ?? '').split(';').map((pair) => pair.trim());
  const unchanged = sent.filter((pair) => pair !== '' && !names.has(pair.slice(0, pair.indexOf('=')).trim()));
  const changed = set.filter(({ value }) => value !== '');
  return [...unchanged, ...changed.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)].join('; ');
}
