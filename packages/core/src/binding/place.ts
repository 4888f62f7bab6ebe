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
  const text = `${protocol}://${host ?? ''}`;
  const known = origins.get(text);
  if (known !== undefined) return known;
  const origin = parsedOrigin(text);
  if (text.length > LONGEST) return origin;
  if (origins.size >= ORIGINS) origins.clear();
  origins.set(text, origin);
  return origin;
}

/** A server has few; somebody who invents more makes it parse them. */
const ORIGINS = 64;
const LONGEST = 256;
const origins = new Map<string, string>();

function parsedOrigin(text: string): string {
  if (!/^https?:\/\/[^\s/?#@\\]+$/.test(text) || !URL.canParse(text)) return '';
  return new URL(text).origin;
}

/** The first of these base paths below which a path names an action. */
export function basePathFor(pathname: string, basePaths: readonly string[]): string | undefined {
  return basePaths.map(trimmedPath).find((basePath) => isRoute(pathname, basePath));
}
