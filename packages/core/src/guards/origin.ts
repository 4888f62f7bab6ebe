import type { RoutedRequest } from '../context.ts';
import { BadRequest } from '../errors.ts';
import { HOST } from '../wire/host.ts';

/** The URL of a request as the site's visitors see it. */
export interface RequestUrl {
  readonly url: URL;
  readonly origin: string;
}

/**
 * The URL and origin of a request. The origin that the environment or the host framework names wins over that of the
 * request's URL. Headers are not read here: a host that has to read forwarded ones does so itself and passes the
 * result.
 *
 * @param trusted The origin that wins.
 * @throws {BadRequest} if no origin wins, and the host of the URL is not one by our grammar.
 */
export function requestUrl(address: string, trusted: string | undefined): RequestUrl {
  const asked = new URL(address);
  if (trusted === undefined && !HOST.test(asked.host)) throw new BadRequest('the host of the request is not a host');
  if (trusted === undefined || trusted === asked.origin) return { url: asked, origin: asked.origin };
  const url = new URL(trusted);
  // Set one by one, because a path that begins with two slashes must not become a host.
  url.pathname = asked.pathname;
  url.search = asked.search;
  return { url, origin: url.origin };
}

/**
 * May a form with a valid CSRF token come from where the browser says? A second check behind the token. Browsers send
 * Fetch Metadata, older ones `Origin`. Clients that send neither are trusted by the token alone.
 */
export function isFromSite({ incoming, origin }: RoutedRequest): boolean {
  const site = incoming.header('sec-fetch-site');
  if (site !== undefined) return site !== 'cross-site';
  const from = incoming.header('origin');
  return from === undefined || from === 'null' || isSiteOrigin(from, origin);
}

/**
 * Does the request come from the site's own origin? The only check where forms carry no token, and so a stricter one:
 * sibling subdomains and `Origin: null` are refused. A client that sends neither header is not a browser and carries
 * no visitor's cookies.
 */
export function isFromOrigin({ incoming, origin }: RoutedRequest): boolean {
  const site = incoming.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const from = incoming.header('origin');
  return from === undefined || isSiteOrigin(from, origin);
}

/**
 * Is it the site's origin? Behind a proxy that ends TLS, the site may see itself as http, so https is accepted for
 * http. Not the other way round: anyone on the network path can answer http requests in the site's name.
 */
function isSiteOrigin(from: string, origin: string): boolean {
  if (!URL.canParse(from)) return false;
  const [there, here] = [new URL(from), new URL(origin)];
  return there.host === here.host && (there.protocol === here.protocol || there.protocol === 'https:');
}
