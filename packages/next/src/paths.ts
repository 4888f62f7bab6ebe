import { type EnvConfigured, isOwnAction, isRoute, trimmedPath } from '@latchkey/core/binding';

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
 * Returns whether a path names an action of the configuration. A guard lets these pass.
 *
 * @param pathname As in `nextUrl`: without Next's own `basePath`.
 */
export function isAction(
  pathname: string,
  { application, basePath, config }: ApplicationPaths & Pick<EnvConfigured, 'config'>,
): boolean {
  return isOwnAction(pathname, trimmedPath(fromApplication(application, basePath)), config);
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
