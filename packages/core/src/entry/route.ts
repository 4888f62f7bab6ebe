import { trimmedPath } from '../config/base-path.ts';
import { type Env, envUrl, isWebAddress, PATH_MISMATCH } from '../config/env.ts';
import { createLogger } from '../config/logger.ts';
import type { RouteAction } from '../context.ts';
import { UnknownAction } from '../errors/session.ts';
import type { AuthAction, AuthConfig } from '../types.ts';

const ACTIONS: ReadonlySet<string> = new Set<AuthAction>([
  'providers',
  'session',
  'csrf',
  'signin',
  'signout',
  'callback',
  'verify-request',
  'error',
  'webauthn-options',
]);

const WITH_PROVIDER: ReadonlySet<AuthAction> = new Set<AuthAction>(['signin', 'callback', 'webauthn-options']);

/** Files of our pages; an action like the others, but none that is known by name. */
const ASSET = 'asset';

/** Is it the name of an action? */
export function isAuthAction(action: string): action is AuthAction {
  return ACTIONS.has(action);
}

/** What a path asks for. */
export interface Route {
  action: RouteAction;
  /** Id of the provider, for the actions that take one. */
  providerId: string | undefined;
}

/**
 * Reads action and provider from a path: `<basePath>/<action>[/<provider>]`, or `<basePath>/asset/<name>`. Empty segments are dropped, and a provider
 * called `undefined` is none (clients that paste a missing variable).
 *
 * @param basePath '' or with a leading and without a trailing slash.
 * @throws {UnknownAction} when the path is not of this form.
 */
export function readRoute(pathname: string, basePath: string): Route {
  const inside = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1) : undefined;
  // Nearly all addresses are an action's name and nothing else.
  if (inside !== undefined && isAuthAction(inside)) return { action: inside, providerId: undefined };
  const [action, provider, ...more] = (inside ?? '').split('/').filter((segment) => segment !== '');
  if (action === ASSET && provider !== undefined && more.length === 0) return { action, providerId: undefined };
  if (action === undefined || !isAuthAction(action) || more.length > 0) {
    throw new UnknownAction('no action at this address', { pathname });
  }
  if (provider !== undefined && !WITH_PROVIDER.has(action)) {
    throw new UnknownAction(`the action ${action} takes no provider`, { pathname });
  }
  return { action, providerId: provider === 'undefined' ? undefined : provider && segmentOf(provider) };
}

/** Does the path name an action below that base path? */
export function isRoute(pathname: string, basePath: string): boolean {
  try {
    readRoute(pathname, basePath);
    return true;
  } catch {
    return false; // UnknownAction says no
  }
}

function segmentOf(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The address of an action.
 *
 * `AUTH_URL` (or its older name) decides the origin; without it the forwarded host and protocol, else the `host` header.
 * Whether those may be believed is the caller's to know. Forwarded values: first element of a list, strict grammar.
 *
 * @param protocol With or without the colon; counts only where no header tells. Default: https.
 * @param config `basePath` and `logger`, or the base path itself.
 * @throws {TypeError} when `AUTH_URL` is no web address.
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
  const url = siteOf(fromEnv);
  const envPath = trimmedPath(url.pathname);
  const path = basePath === undefined ? envPath : trimmedPath(basePath);
  if (path !== envPath && envPath !== '' && path !== '') createLogger(logger, false).warn(PATH_MISMATCH);
  return new URL(`${url.origin}${path || envPath}/${action}`);
}

function siteOf(address: string): URL {
  if (isWebAddress(address)) return new URL(address);
  throw new TypeError(
    `AUTH_URL (${address}) is no web address. Set it to the address of the site, for example https://example.com`,
  );
}

const HOST = /^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i;

/**
 * Origin according to `X-Forwarded-Host`, `X-Forwarded-Proto` and `Host`. Values that are no host or no http protocol are
 * passed over; without any host it is `localhost`.
 */
export function originOfHeaders(headers: Pick<Headers, 'get'>, protocol: string | undefined): string {
  return new URL(`${schemeOf(headers, protocol)}://${hostOf(headers) ?? 'localhost'}`).origin;
}

/** The same, `undefined` when the headers name no host. */
export function namedOrigin(headers: Pick<Headers, 'get'>, protocol: string | undefined): string | undefined {
  return hostOf(headers) && originOfHeaders(headers, protocol);
}

function hostOf(headers: Pick<Headers, 'get'>): string | undefined {
  return [first(headers.get('x-forwarded-host')), headers.get('host') ?? undefined].find(
    (value) => value !== undefined && HOST.test(value) && URL.canParse(`https://${value}`),
  );
}

function schemeOf(headers: Pick<Headers, 'get'>, protocol: string | undefined): string {
  const named = [first(headers.get('x-forwarded-proto')), protocol?.replace(/:$/, '')];
  return named.find((value) => value === 'http' || value === 'https') ?? 'https';
}

function first(list: string | null): string | undefined {
  return list?.split(',')[0]?.trim();
}
