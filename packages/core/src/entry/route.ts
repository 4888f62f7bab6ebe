import type { AuthAction } from '../actions/routes.ts';
import { type Env, envUrl, PATH_MISMATCH } from '../config/env.ts';
import { isWebAddress, trimmedPath } from '../config/paths.ts';
import type { ActionRow, Routes } from '../context.ts';
import { UnknownAction } from '../errors.ts';
import { createLogger } from '../log/logger.ts';
import { deployment } from '../symbols.ts';
import type { AuthConfig } from '../types/config.ts';
import { originOfHost } from '../wire/host.ts';

/** The action and the provider that a path names. */
export interface RoutePath {
  /** A key of the route table. */
  readonly action: string;
  /** Id of the provider; `undefined` if the path names none. */
  readonly providerId: string | undefined;
  /** Part of the account, or name of the script; absent if the path names none. */
  readonly part?: string | undefined;
}

/** The options on which the actions of a configuration depend. */
export type RouteOptions = Pick<AuthConfig, 'session' | 'logout' | 'account' | 'linking' | typeof deployment>;

const hasOption: Readonly<Record<NonNullable<ActionRow['option']>, (options: RouteOptions) => boolean>> = {
  'session.records': ({ session }) => Boolean(session?.records),
  logout: ({ logout }) => Boolean(logout?.provider || logout?.backchannel),
  // With guided linking, the account has the page on which to sign in again.
  account: ({ account, linking }) => Boolean(account) || linking === 'guided',
  linking: ({ linking }) => linking === 'guided',
  development: (options) => options[deployment]?.explains === true,
};

/**
 * Reads action and provider from a path: `<basePath>/<action>[/<provider>]`, or `<basePath>/<action>/<file>`, or
 * `<basePath>/account/<part>`. Empty segments are dropped. A provider called `undefined` counts as none, because
 * clients paste a missing variable.
 *
 * @param basePath '' or with a leading and without a trailing slash.
 * @param options Of the configuration. Some actions exist only with an option.
 * @throws {UnknownAction} if the path does not have this form.
 */
export function readRoute(routes: Routes, pathname: string, basePath: string, options: RouteOptions): RoutePath {
  const inside = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1) : '';
  const [action = '', after, ...more] = inside.split('/').filter((segment) => segment !== '');
  const row = Object.hasOwn(routes, action) ? routes[action] : undefined;
  if (!row || more.length > 0) throw new UnknownAction('the path names no action', { pathname });
  if (row.option && !hasOption[row.option](options)) {
    throw new UnknownAction(`the action ${action} needs the option \`${row.option}\`, which is not set`, { pathname });
  }
  if (row.takes === 'file') {
    if (!row.parts?.includes(after ?? ''))
      throw new UnknownAction(`the action ${action} has no such file`, { pathname });
    return { action, providerId: undefined, part: after };
  }
  if (after === undefined) return { action, providerId: undefined };
  if (row.takes === 'part') {
    if (!row.parts?.includes(after)) throw new UnknownAction(`the action ${action} has no such part`, { pathname });
    return { action, providerId: undefined, part: after };
  }
  if (row.takes !== 'provider') throw new UnknownAction(`the action ${action} takes no provider`, { pathname });
  return { action, providerId: after === 'undefined' ? undefined : decoded(after) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The URL of an action.
 *
 * `AUTH_URL` (or `NEXTAUTH_URL`) decides the origin. If neither is set, the forwarded host and protocol decide it,
 * then the `Host` header. The caller must know whether those headers can be trusted. Of a forwarded list, the first
 * element counts.
 *
 * ```ts
 * const url = createActionURL('signout', 'https', request.headers, process.env, { basePath: '/auth' });
 * ```
 *
 * @param protocol With or without the colon. It counts only if no header names one. Default: https.
 * @param config `basePath` and `logger`, or the base path itself.
 * @throws {TypeError} if `AUTH_URL` is not an http or https URL.
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: Headers,
  envObject: Env,
  config: Pick<AuthConfig, 'basePath' | 'logger'> | string = {},
): URL {
  const { basePath, logger } = typeof config === 'string' ? { basePath: config, logger: undefined } : config;
  const fromEnv = envUrl(envObject);
  if (!fromEnv) {
    return new URL(`${originOfHeaders(headers, protocol)}${trimmedPath(basePath ?? '')}/${action}`);
  }
  const url = siteUrl(fromEnv);
  const envPath = trimmedPath(url.pathname);
  const path = basePath === undefined ? envPath : trimmedPath(basePath);
  if (path !== envPath && envPath !== '' && path !== '') createLogger(logger, false).warn(PATH_MISMATCH);
  return new URL(`${url.origin}${path || envPath}/${action}`);
}

function siteUrl(address: string): URL {
  if (isWebAddress(address)) return new URL(address);
  throw new TypeError(
    `AUTH_URL (${address}) must be an http or https URL. Set it to the address of the site, for example https://example.com`,
  );
}

/**
 * The origin according to `X-Forwarded-Host`, `X-Forwarded-Proto` and `Host`. Values that are not a host, or not http
 * or https, are ignored. If no header names a host, the host is `localhost`.
 */
export function originOfHeaders(headers: Pick<Headers, 'get'>, protocol: string | undefined): string {
  return new URL(`${schemeOf(headers, protocol)}://${hostOf(headers) ?? 'localhost'}`).origin;
}

/** Like {@link originOfHeaders}, but `undefined` if no header names a host. */
export function namedOrigin(headers: Pick<Headers, 'get'>, protocol: string | undefined): string | undefined {
  return hostOf(headers) && originOfHeaders(headers, protocol);
}

function hostOf(headers: Pick<Headers, 'get'>): string | undefined {
  return [first(headers.get('x-forwarded-host')), headers.get('host') ?? undefined].find(
    (value) => value !== undefined && originOfHost('https', value) !== undefined,
  );
}

function schemeOf(headers: Pick<Headers, 'get'>, protocol: string | undefined): string {
  const named = [first(headers.get('x-forwarded-proto')), protocol?.replace(/:$/, '')];
  return named.find((value) => value === 'http' || value === 'https') ?? 'https';
}

function first(list: string | null): string | undefined {
  return list?.split(',')[0]?.trim();
}
