/** Below Kit's base path, where nothing else is said. */
export const DEFAULT_PATH = '/auth';

/**
 * Where we answer: below Kit's own base path, outside of which it answers nobody.
 *
 * @param basePath As configured, with or without Kit's own before it.
 * @param base As `kitBase` says.
 */
export function mountOf(basePath: string, base: string): string {
  const inner = basePath.replace(/^\/+|\/+$/g, '');
  const path = inner && `/${inner}`;
  if (base === '' || path.startsWith(`${base}/`)) return path;
  // `AUTH_URL` may name the address of the application, which is no place of ours.
  return path === base ? `${base}${DEFAULT_PATH}` : `${base}${path}`;
}
