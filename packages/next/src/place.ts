import { basePathFor, type EnvConfigured, isRoute, namedOrigin } from '@latchkey/core/binding';

/** Where an application and our actions in it are. */
export interface Place {
  /** Next's own `basePath` setting: '' or with a leading slash. */
  readonly application: string;
  /** Where our actions are, from the root of the site. */
  readonly basePath: string;
}

/**
 * Next's `basePath`, '' without one. Next's bundlers put it in the place of the variable; its proxy has it with the request, too.
 * In code that is not bundled (a dependency of the Pages Router) it is not known.
 */
export function applicationPath(request: unknown): string {
  const { nextUrl } = (request ?? {}) as { nextUrl?: { basePath?: string } };
  return nextUrl?.basePath || process.env.__NEXT_ROUTER_BASEPATH || '';
}

/** A base path in one form: '' for the root, else with a leading and without a trailing slash. Two at its start would name a host. */
export function trimmed(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner && `/${inner}`;
}

/** A path of the application, seen from the root of the site: it may, but need not, begin with Next's `basePath`. */
export function fromRoot(application: string, path: string): string {
  return isWithin(application, path) ? path : application + path;
}

/** A path of the application, as the application itself sees it. */
export function fromApplication(application: string, path: string): string {
  return isWithin(application, path) ? path.slice(application.length) || '/' : path;
}

function isWithin(application: string, path: string): boolean {
  return path === application || path.startsWith(`${application}/`);
}

/** Our origin as the visitor knows it: the environment's, else what the headers name; '' when nothing does. */
export function originOf({ call }: EnvConfigured, headers: Pick<Headers, 'get'>, protocol?: string): string {
  return call.origin ?? namedOrigin(headers, protocol) ?? '';
}

/** Is it one of our actions? `pathname` is as `nextUrl` has it: without Next's own `basePath`. */
export function isAction(pathname: string, { application, basePath }: Place): boolean {
  return basePathFor(pathname, [fromApplication(application, basePath)]) !== undefined;
}

/**
 * The path of a request that Next has brought to our handlers, from the root of the site: with as much of the base path as Next has
 * cut off.
 */
export function actionPath(pathname: string, basePath: string): string {
  const segments = basePath.split('/').slice(1);
  const ends = segments.map((_, index) => `/${segments.slice(index).join('/')}`);
  const known = ends.find((end) => isRoute(pathname, end));
  return known === undefined ? pathname : basePath + pathname.slice(known.length);
}
