/** Headers of an answer: name and value of each. A list of values stands for several headers of one name. */
export type AnswerHeaders = Iterable<readonly [name: string, value: unknown]>;

/** How an answer has to change. */
export interface CookieDecision {
  /** `Set-Cookie` headers to add. */
  readonly add: readonly string[];
  /** `Set-Cookie` headers to remove. */
  readonly drop: readonly string[];
  /** The `Cache-Control` header to set; `undefined` if it stays. */
  readonly cacheControl: string | undefined;
}

/**
 * Decides whether the cookies of a renewed session may be on an answer. Pure. They may not be on it in two cases:
 *
 * - A cache that visitors share may keep the answer. Another visitor would receive the session.
 * - The application has set one of these cookies itself. It has signed the visitor in or out meanwhile.
 *
 * In both cases the next answer brings them. Otherwise no cache may keep the answer ({@link NOT_CACHED}), unless the
 * application has decided about caches. Nor may the browser's own: after a sign-out, the back button would show the
 * page.
 *
 * ```ts
 * const { add, cacheControl } = decideCookies(response.headers, cookies.map(serializeCookie));
 * ```
 *
 * @param headers The headers of the answer. It may have some of the cookies already.
 * @param cookies `Set-Cookie` header values of the renewed session.
 */
export function decideCookies(headers: AnswerHeaders, cookies: readonly string[]): CookieDecision {
  const entries = [...headers].map(([name, value]): [string, unknown] => [name.toLowerCase(), value]);
  const present = entries.flatMap(([name, value]) => (name === 'set-cookie' ? [value].flat().map(String) : []));
  const others = present.filter((line) => !cookies.includes(line));
  if (isForSharedCaches(entries) || setsOneOf(others, cookies)) {
    return { add: [], drop: cookies.filter((line) => present.includes(line)), cacheControl: undefined };
  }
  const isDecided = entries.some(([name]) => name === 'cache-control');
  const add = cookies.filter((line) => !present.includes(line));
  return { add, drop: [], cacheControl: isDecided ? undefined : NOT_CACHED };
}

/** The `Cache-Control` header of answers that depend on the visitor, in all bindings. */
const NOT_CACHED = 'private, no-store';

/**
 * Returns whether a shared cache may keep an answer (RFC 9111 §3). Content delivery networks and proxies give
 * headers of their own precedence over `Cache-Control` (RFC 9213). So none of these headers may allow it.
 */
function isForSharedCaches(headers: AnswerHeaders): boolean {
  for (const [name, value] of headers) if (CACHE_HEADER.test(name) && !FORBIDS.test(String(value))) return true;
  return false;
}

/** Matches `CDN-Cache-Control`, for example, and the names that vendors have derived from it. */
const CACHE_HEADER = /(cache-control|surrogate-control|edge-control|x-accel-expires)$/i;

/** A directive without `=`: with it, the directive concerns single headers only. nginx uses the value `0`. */
const FORBIDS = /(^|[\s,])(private|no-store)\s*($|,)|^0$/i;

function setsOneOf(lines: readonly string[], cookies: readonly string[]): boolean {
  const names = new Set(cookies.map(wholeName));
  return lines.some((line) => names.has(wholeName(line)));
}

/** Returns the name of a cookie without the number that marks a part of a large session. */
function wholeName(line: string): string {
  return line
    .slice(0, line.indexOf('='))
    .trim()
    .replace(/\.\d+$/, '');
}
