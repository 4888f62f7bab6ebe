import { type EnvConfigured, originOfUrl, trimmedPath, type VisitRequest, webRequest } from '@latchkey/core/binding';
import { redirect } from '@sveltejs/kit';
import type { KitCookieOptions, KitEvent } from './event.ts';

/**
 * Describes a request to the visit.
 *
 * @param base Kit's own base path.
 * @param answered The requests whose answer Kit has made. Cookies that are set afterwards would be lost.
 */
export function requestOf(
  event: KitEvent,
  { config }: EnvConfigured,
  base: string,
  answered: WeakSet<Request>,
): VisitRequest {
  return {
    ...webRequest(event.request),
    origin: originOf(event),
    basePath: mountOf(config.basePath ?? DEFAULT_PATH, base),
    hasClient: true,
    home: `${base}/`,
    // Adapters may prepare the address only when it is asked for.
    get clientAddress() {
      return addressOf(event);
    },
    currentCookies: () => event.cookies.getAll(),
    canSetCookies: () => !answered.has(event.request),
    setCookie({ name, value, options }) {
      // A member that is `undefined` would override Kit's default.
      const given = Object.fromEntries(Object.entries(options).filter(([, option]) => option !== undefined));
      event.cookies.set(name, value, { path: '/', ...given } as KitCookieOptions);
    },
    redirect: redirectTo,
    streams: true,
  };
}

/** Path of the actions below Kit's base path, unless the configuration has another one. */
export const DEFAULT_PATH = '/auth';

/**
 * Returns the path of the actions. It lies below Kit's own base path, because Kit answers there only.
 *
 * @param basePath As configured, with or without Kit's own before it.
 * @param base Kit's own base path.
 */
export function mountOf(basePath: string, base: string): string {
  const path = trimmedPath(basePath);
  if (base === '' || path.startsWith(`${base}/`)) return path;
  // `AUTH_URL` may be the address of the application alone.
  return path === base ? `${base}${DEFAULT_PATH}` : `${base}${path}`;
}

/**
 * Returns the origin of the request; '' if its host is not one. In a remote function, `event.url` is that of the page
 * and must not be read.
 */
function originOf({ request }: KitEvent): string {
  return originOfUrl(new URL(request.url));
}

/** Returns the visitor's network address. Adapters without this information throw. */
function addressOf(event: KitEvent): string | undefined {
  try {
    return event.getClientAddress();
  } catch {
    return undefined;
  }
}

/** Kit 3 needs the third parameter for redirects to another site, for example a provider. Kit 2 ignores it. */
const kitRedirect = redirect as (status: number, location: string, options: { external: true }) => never;

function redirectTo(url: string): never {
  return kitRedirect(302, url, { external: true });
}
