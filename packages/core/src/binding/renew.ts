/** Headers of an answer: name and value of each. A list of values stands for several headers of one name. */
export type AnswerHeaders = Iterable<readonly [name: string, value: unknown]>;

/**
 * The fate of the cookies of a renewed session. `drop`: they do not go on the response, and the next request renews the
 * session. `append`: they are added. `append-private`: they are added, and no cache may store the response.
 */
export type Renewal = 'drop' | 'append-private' | 'append';

/** The head of a response, when it is about to be written. */
export interface ResponseHead {
  /** The headers that were set so far. */
  readonly headers: AnswerHeaders;
  /** The head has been sent. Default: `false`. */
  readonly isSent?: boolean | undefined;
  /** `signIn`, `signOut` or `update` ran after the session was read. Default: `false`. */
  readonly hasChanged?: boolean | undefined;
}

/**
 * Decides whether the cookies of a renewed session may go on a response. Pure. The first of these rules that applies
 * decides:
 *
 * | Condition | Result |
 * | --- | --- |
 * | The head has been sent | `drop` |
 * | `signIn`, `signOut` or `update` ran after the session was read | `drop` |
 * | The application has set or cleared one of these cookies itself | `drop` |
 * | Shared caches may store the response (RFC 9111 §3, RFC 9213): another visitor would receive the session | `drop` |
 * | No `Cache-Control` header | `append-private` |
 * | Any other | `append` |
 *
 * ```ts
 * decideRenewal({ headers: response.headers }, cookies.map(serializeCookie)); // 'append-private'
 * ```
 *
 * @param cookies `Set-Cookie` header values of the renewed session. The head may have some of them already.
 */
export function decideRenewal({ headers, isSent, hasChanged }: ResponseHead, cookies: readonly string[]): Renewal {
  if (isSent || hasChanged) return 'drop';
  const lines = cookieLines(headers);
  if (setsOneOf(lines, cookies) || isForSharedCaches(headers)) return 'drop';
  return hasCacheControl(headers) ? 'append' : 'append-private';
}

/** The cookies that the head of a response needs. A `Visit` has these members, but for `hasChanged`. */
export interface VisitCookies {
  /** `Set-Cookie` header values of the renewed session. Default: none. */
  readonly renewed?: readonly string[] | undefined;
  /** `Set-Cookie` header values of calls such as `signIn` and `signOut`. They are always set. Default: none. */
  readonly callCookies?: readonly string[] | undefined;
  /**
   * `signIn`, `signOut` or `update` ran after the session was read. A `Visit` drops the cookies in `renewed` then.
   * Default: `false`.
   */
  readonly hasChanged?: boolean | undefined;
  /** The response depends on the visitor, because the session was read. Default: `true`. */
  readonly isPersonal?: boolean | undefined;
}

/** How the head of a response has to change. */
export interface HeadChanges {
  /** `Set-Cookie` headers to add. */
  readonly add: readonly string[];
  /** `Set-Cookie` headers to remove. */
  readonly drop: readonly string[];
  /** The `Cache-Control` header to set; `undefined` if it stays. */
  readonly cacheControl: string | undefined;
  /** Names of headers to remove, in lower case, because they let shared caches store the response. */
  readonly remove: readonly string[];
}

/**
 * Returns how the head of a response has to change for the visit. Pure. The cookies of a renewed session follow
 * {@link decideRenewal}. The cookies of calls are always added, and no cache may store such a response. A response that
 * depends on the visitor gets {@link NOT_CACHED} if it has no `Cache-Control` header.
 *
 * The browser's own cache may not store it either: after a sign-out, the back button would show the page.
 *
 * ```ts
 * const { add, cacheControl } = headChanges(response.headers, { renewed: cookies.map(serializeCookie) });
 * ```
 */
export function headChanges(headers: AnswerHeaders, visit: VisitCookies): HeadChanges {
  const { renewed = [], callCookies = [], hasChanged, isPersonal = true } = visit;
  const entries = [...headers];
  const present = cookieLines(entries);
  const isDropped = decideRenewal({ headers: entries, hasChanged }, renewed) === 'drop';
  const add = [...callCookies, ...(isDropped ? [] : renewed)].filter((line) => !present.includes(line));
  const drop = isDropped ? renewed.filter((line) => present.includes(line)) : [];
  if (callCookies.length > 0 && isForSharedCaches(entries)) {
    const remove = entries.filter(allowsSharedCaches).map(([name]) => name.toLowerCase());
    return { add, drop, cacheControl: NOT_CACHED, remove };
  }
  const needsPrivacy = isPersonal && decideRenewal({ headers: entries }, []) === 'append-private';
  return { add, drop, cacheControl: needsPrivacy ? NOT_CACHED : undefined, remove: [] };
}

/** The head of a response, as the functions of a framework change it. */
export interface HeadWriter {
  /** The headers so far, and those that the framework adds later. */
  readonly headers: AnswerHeaders;
  /** Removes a header. */
  remove(name: string): unknown;
  /** Replaces a header. */
  set(name: string, value: string): unknown;
  /** Adds a header beside those of the same name. */
  append(name: string, value: string): unknown;
}

/**
 * Applies {@link headChanges} to the head of a response.
 *
 * ```ts
 * applyToHead({ ...headWriter(headers), headers: [...headers, ...addedLater] }, visit);
 * ```
 *
 * @returns The `Set-Cookie` headers that were added.
 */
export function applyToHead(head: HeadWriter, visit: VisitCookies): readonly string[] {
  const { add, cacheControl, remove } = headChanges(head.headers, visit);
  for (const name of remove) head.remove(name);
  if (cacheControl !== undefined) head.set('cache-control', cacheControl);
  for (const line of add) head.append('set-cookie', line);
  return add;
}

/**
 * Returns the functions that change the headers of a response. The headers must not be immutable.
 *
 * ```ts
 * applyToHead(headWriter(response.headers), visit);
 * ```
 */
export function headWriter(headers: Headers): HeadWriter {
  return {
    headers,
    remove: (name) => headers.delete(name),
    set: (name, value) => headers.set(name, value),
    append: (name, value) => headers.append(name, value),
  };
}

/**
 * Applies {@link headChanges} to the headers of a response, which may have the cookies of a renewed session already.
 * The headers must not be immutable.
 *
 * ```ts
 * const response = new Response(answer.body, answer);
 * applyToHeaders(response.headers, visit);
 * ```
 */
export function applyToHeaders(headers: Headers, visit: VisitCookies): void {
  const { drop } = headChanges(headers, visit);
  applyToHead(headWriter(headers), visit);
  if (drop.length === 0) return;
  const lines = headers.getSetCookie().filter((line) => !drop.includes(line));
  headers.delete('set-cookie');
  for (const line of lines) headers.append('set-cookie', line);
}

/**
 * Returns the names of headers by which content delivery networks would keep an answer whose own `Cache-Control`
 * forbids that. They give such headers precedence (RFC 9213).
 *
 * ```ts
 * const own = [['cache-control', 'private, no-store']] as const;
 * overridingCacheHeaders([['CDN-Cache-Control', 'max-age=60']], own);
 * // ['cdn-cache-control']
 * ```
 *
 * @param present Headers that were set before.
 * @param own Headers of the answer.
 */
export function overridingCacheHeaders(present: AnswerHeaders, own: AnswerHeaders): readonly string[] {
  const entries = [...own];
  if (!hasCacheControl(entries) || isForSharedCaches(entries)) return [];
  const names = [...present].filter(allowsSharedCaches).map(([name]) => name.toLowerCase());
  return names.filter((name) => name !== 'cache-control');
}

/** The `Cache-Control` header of answers that depend on the visitor, in all bindings. */
const NOT_CACHED = 'private, no-store';

/**
 * Returns whether a shared cache may keep an answer (RFC 9111 §3). Content delivery networks and proxies give
 * headers of their own precedence over `Cache-Control` (RFC 9213). So none of these headers may allow it.
 */
function isForSharedCaches(headers: AnswerHeaders): boolean {
  for (const header of headers) if (allowsSharedCaches(header)) return true;
  return false;
}

function allowsSharedCaches([name, value]: readonly [name: string, value: unknown]): boolean {
  return CACHE_HEADER.test(name) && !FORBIDS.test(String(value));
}

/** Matches `CDN-Cache-Control`, for example, and the names that vendors have derived from it. */
const CACHE_HEADER = /(cache-control|surrogate-control|edge-control|x-accel-expires)$/i;

/** A directive without `=`: with it, the directive concerns single headers only. nginx uses the value `0`. */
const FORBIDS = /(^|[\s,])(private|no-store)\s*($|,)|^0$/i;

function hasCacheControl(headers: AnswerHeaders): boolean {
  for (const [name] of headers) if (name.toLowerCase() === 'cache-control') return true;
  return false;
}

/** Returns the values of the `Set-Cookie` headers. */
function cookieLines(headers: AnswerHeaders): string[] {
  return [...headers].flatMap(([name, value]) =>
    name.toLowerCase() === 'set-cookie' ? [value].flat().map(String) : [],
  );
}

/** Returns whether a line is not one of these cookies, but sets a cookie of the same name. */
function setsOneOf(lines: readonly string[], cookies: readonly string[]): boolean {
  const names = new Set(cookies.map(wholeName));
  return lines.some((line) => !cookies.includes(line) && names.has(wholeName(line)));
}

/** Returns the name of a cookie without the number that marks a part of a large session. */
function wholeName(line: string): string {
  return line
    .slice(0, line.indexOf('='))
    .trim()
    .replace(/\.\d+$/, '');
}
