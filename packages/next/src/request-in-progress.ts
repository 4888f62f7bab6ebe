import type { cookies } from 'next/headers.js';

/** Next's cookies of the request in progress. */
export type CookieStore = Awaited<ReturnType<typeof cookies>>;

/** What Next knows of the request in progress. */
export interface RequestInProgress {
  readonly headers: Pick<Headers, 'get' | 'entries'>;
  readonly cookies: CookieStore;
}

/** @throws Next's own errors, outside of a request and where a page is made at build time. */
export async function requestInProgress(): Promise<RequestInProgress> {
  const next = await import('next/headers.js');
  return { headers: await next.headers(), cookies: await next.cookies() };
}

/**
 * Waits for a visit where Next renders ahead of one: with `partialPrefetching` it makes pages that a browser may show later. Whoever looks
 * at the clock there, as every session does, is to ask before, and the rest is left for the visit. Next has the question since 16.3.
 */
export async function untilVisit(): Promise<void> {
  const next: { io?: () => Promise<void> } = await import('next/cache.js');
  await next.io?.();
}

/** The `Cookie` header. Not the one that was sent: Next's store also knows what the proxy and the action in progress have set. */
export function cookieHeader(cookies: CookieStore): string | undefined {
  const present = cookies.getAll().filter(({ value }) => value !== '');
  return present.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ') || undefined;
}

/**
 * Can cookies be set now? Next cannot be asked, and to set one for a try would empty the browser's router cache. Without arguments
 * `set` sets nothing: where it may not be called it says so, elsewhere it stumbles over the missing name.
 */
export function isWritable(cookies: CookieStore): boolean {
  try {
    (cookies.set as () => unknown)();
    return true;
  } catch (error) {
    return error instanceof TypeError;
  }
}

const changed = new WeakSet<object>();

/** Remembers that a sign-in, a sign-out or an update has set cookies with this request. */
export function noteChange(cookies: CookieStore): void {
  changed.add(cookies);
}

/** Has one? What was read before would undo it. */
export async function hasChanged(): Promise<boolean> {
  try {
    return changed.has((await requestInProgress()).cookies);
  } catch {
    return false; // Outside of Next nothing can have changed.
  }
}
