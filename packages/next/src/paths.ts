import { basePathFor, type EnvConfigured, isPrivateHost, isRoute, namedOrigin } from '@latchkey/core/binding';

/** The paths of an application and of its actions, from the root of the site. */
export interface ApplicationPaths {
  /** Next's own setting `basePath`: '' or with a leading slash. */
  readonly application: string;
  /** Path of the actions. */
  readonly basePath: string;
}

/**
 * Returns Next's setting `basePath`; '' without one. Next's bundlers replace the variable, and requests of the proxy
 * have the setting, too. Code that is not bundled (a dependency of the Pages Router) does not know it.
 */
export function applicationPath(request: unknown): string {
  const { nextUrl } = (request ?? {}) as { nextUrl?: { basePath?: string } };
  return nextUrl?.basePath || process.env.__NEXT_ROUTER_BASEPATH || '';
}

/**
 * Normalizes a base path: '' for the root, otherwise with one leading slash (two would name a host) and no trailing
 * one.
 */
export function trimmed(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner && `/${inner}`;
}

/** Returns a path of the application from the root of the site. The path may begin with Next's `basePath`. */
export function fromRoot(application: string, path: string): string {
  return isWithin(application, path) ? path : application + path;
}

/** Returns a path of the application without Next's `basePath`. */
export function fromApplication(application: string, path: string): string {
  return isWithin(application, path) ? path.slice(application.length) || '/' : path;
}

function isWithin(application: string, path: string): boolean {
  return path === application || path.startsWith(`${application}/`);
}

/**
 * Returns the origin that the visitor uses: from the environment, otherwise from the headers; '' without
 * either.
 *
 * If only private hosts are trusted (`trustHost: 'local'`), a private `X-Forwarded-Host` does not count, because
 * clients can send it. Then `Host` decides. A public one counts, so that core refuses the request.
 */
export function originOf(configured: EnvConfigured, headers: Pick<Headers, 'get'>, protocol?: string): string {
  const { call, config, ignoresForwardedHost } = configured;
  if (call.origin !== undefined) return call.origin;
  const named = namedOrigin(headers, protocol) ?? '';
  const usesHost = ignoresForwardedHost || (config.trustHost === 'local' && isPrivateOrigin(named));
  return usesHost ? (namedOrigin(withoutForwardedHost(headers), protocol) ?? '') : named;
}

/** Returns whether an origin is on this machine or in a private network. '' is not. */
export function isPrivateOrigin(origin: string): boolean {
  return origin !== '' && isPrivateHost(new URL(origin).hostname);
}

function withoutForwardedHost(headers: Pick<Headers, 'get'>): Pick<Headers, 'get'> {
  return { get: (name) => (name === 'x-forwarded-host' ? null : headers.get(name)) };
}

/**
 * Returns whether a path names an action.
 *
 * @param pathname As in `nextUrl`: without Next's own `basePath`.
 */
export function isAction(
  pathname: string,
  { application, basePath, config }: ApplicationPaths & Pick<EnvConfigured, 'config'>,
): boolean {
  return basePathFor(pathname, [fromApplication(application, basePath)], config) !== undefined;
}

/** Returns the path of an action from the root of the site. Next removes parts of the base path from its requests. */
export function actionPath(
  pathname: string,
  { basePath, config }: Pick<ApplicationPaths, 'basePath'> & Pick<EnvConfigured, 'config'>,
): string {
  const segments = basePath.split('/').slice(1);
  const ends = segments.map((_, index) => `/${segments.slice(index).join('/')}`);
  const known = ends.find((end) => isRoute(pathname, end, config));
  return known === undefined ? pathname : basePath + pathname.slice(known.length);
}
