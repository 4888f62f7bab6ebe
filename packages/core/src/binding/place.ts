import { trimmedPath } from '../config/base-path.ts';
import { isRoute } from '../entry/route.ts';

/**
 * The origin that protocol and host name.
 *
 * @param protocol Without the colon.
 * @param host Name and, where it is not the usual one, port.
 * @returns '' when they do not name an http origin.
 */
export function originFrom(protocol: string, host: string | undefined): string {
  if (protocol === last.protocol && host === last.host) return last.origin;
  const text = `${protocol}://${host ?? ''}`;
  const known = origins.get(text);
  const origin = known ?? parsedOrigin(text);
  if (text.length > LONGEST) return origin;
  if (known === undefined && origins.size >= ORIGINS) origins.clear();
  if (known === undefined) origins.set(text, origin);
  Object.assign(last, { protocol, host, origin });
  return origin;
}

/** A server has few; somebody who invents more makes it parse them. */
const ORIGINS = 64;
const LONGEST = 256;
const origins = new Map<string, string>();
/** Nearly always the one before. */
const last: { protocol: string; host: string | undefined; origin: string } = {
  protocol: '',
  host: undefined,
  origin: '',
};

function parsedOrigin(text: string): string {
  if (!/^https?:\/\/[^\s/?#@\\]+$/.test(text) || !URL.canParse(text)) return '';
  return new URL(text).origin;
}

/**
 * The path of one of the application's pages, where it is on our own site: it is written as a path, or with the origin that the
 * environment names. The host that a request names does not count, since whoever asks may write any.
 *
 * @param origin That of the environment.
 */
export function ownPagePath(page: string, origin: string | undefined): string | undefined {
  if (origin === undefined && !page.startsWith('/')) return undefined;
  const own = origin ?? NOWHERE;
  // Two slashes, or a slash and a backslash, name a host.
  if (!URL.canParse(page, own)) return undefined;
  const url = new URL(page, own);
  return url.origin === own ? url.pathname : undefined;
}

const NOWHERE = 'http://nowhere.invalid';

/** The first of these base paths below which a path names an action. */
export function basePathFor(pathname: string, basePaths: readonly string[]): string | undefined {
  for (const one of basePaths) {
    const basePath = trimmedPath(one);
    if (isRoute(pathname, basePath)) return basePath;
  }
  return undefined;
}
