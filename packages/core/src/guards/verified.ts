import type { Context } from '../context.ts';
import { equal } from '../crypto/equal.ts';
import type { Admitted } from './admit.ts';

/**
 * Does the body carry the token of the browser's CSRF cookie, and does the request not come from another site? Also where nobody asks
 * for that, because the host framework does.
 */
export function isVerified({ context, csrf, skipsCsrf }: Admitted): boolean {
  if (skipsCsrf) return !context.call.sameOriginOnly || isSameOrigin(siteOf(context));
  return csrf?.isBrought === true && hasToken(context, csrf.token) && comesFromUs(siteOf(context));
}

function hasToken({ body }: Context, token: string): boolean {
  return typeof body.csrfToken === 'string' && equal(body.csrfToken, token);
}

/** Where a request says it comes from. */
interface RequestSite {
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** `Origin`. */
  readonly from: string | undefined;
  /** Ours. */
  readonly origin: string;
}

function siteOf({ incoming, origin }: Context): RequestSite {
  return { site: incoming.header('sec-fetch-site'), from: incoming.header('origin'), origin };
}

/**
 * The second line behind the token: may a form come from there? Browsers tell by Fetch Metadata, older ones by `Origin`;
 * clients that send neither have the token alone.
 */
function comesFromUs({ site, from, origin }: RequestSite): boolean {
  if (site !== undefined) return site !== 'cross-site';
  return from === undefined || from === 'null' || isOurs(from, origin);
}

/**
 * The only line where no token is asked for, and so a stricter one: nothing of a sibling's or of nobody's (`Origin: null`) passes.
 * Clients that send neither header are no browsers, and carry nobody's cookies.
 */
function isSameOrigin({ site, from, origin }: RequestSite): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return from === undefined || isOurs(from, origin);
}

/**
 * Behind a proxy that ends TLS we may take ourselves for http. The other way round somebody else may stand there: anybody on the way
 * can answer by http in our name.
 */
function isOurs(from: string, origin: string): boolean {
  if (!URL.canParse(from)) return false;
  const [there, here] = [new URL(from), new URL(origin)];
  return there.host === here.host && (there.protocol === here.protocol || there.protocol === 'https:');
}
