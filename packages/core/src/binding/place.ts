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
  if (!/^https?:\/\/[^\s/?#@\\]+$/.test(text) || !URL.canParse(text)) return '';
  return new URL(text).origin;
}

/** The first of these base paths below which a path names an action. */
export function basePathFor(pathname: string, basePaths: readonly string[]): string | undefined {
  return basePaths.map(trimmedPath).find((basePath) => isRoute(pathname, basePath));
}
