/**
 * May a cache that visitors share keep an answer (RFC 9111 §3)? Content delivery networks and proxies heed headers of their own above
 * `Cache-Control` (RFC 9213), so none of them may allow it. An answer that says nothing is not kept from anybody: whoever sets a cookie on
 * it has to say so.
 *
 * @param headers Name and value of each, as they stand on the answer.
 */
export function mayBeShared(headers: Iterable<readonly [name: string, value: unknown]>): boolean {
  for (const [name, value] of headers) if (isForCaches(name) && !FORBIDS.test(String(value))) return true;
  return false;
}

/** Does this header tell caches what they may keep? `CDN-Cache-Control`, for example, and those that vendors have named after it. */
export function isForCaches(name: string): boolean {
  return /(cache-control|surrogate-control|edge-control|x-accel-expires)$/i.test(name);
}

/** A directive that stands for itself: what is named after `=` concerns single headers. The last is how nginx is told. */
const FORBIDS = /(^|[\s,])(private|no-store)\s*($|,)|^0$/i;
