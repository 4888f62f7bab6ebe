import type { AuthConfig } from '@latchkey/core';
import { type Env, type EnvConfigured, trimmedPath, withEnv } from '@latchkey/core/binding';
import type {
  Awaitable,
  CallbacksOptions,
  ConfigWith,
  DefaultSession,
  Optional,
  PagesOptions,
  Session,
} from '@latchkey/core/types';
import type { NextRequest } from 'next/server.js';
import { type ApplicationPaths, applicationPath, fromRoot } from './paths.ts';

/** Parameters of `callbacks.authorized`. */
export interface AuthorizedParams {
  /** The request, with the address that the visitor uses. */
  request: NextRequest;
  /** The session; `null` if the visitor is not signed in. */
  auth: Session | null;
}

/** The callback for Next's proxy. */
export interface AuthorizedCallback {
  /**
   * Decides whether a request may pass. It is called by `auth` as proxy (middleware) and by `auth(handler)`.
   *
   * - `true`: the request passes.
   * - `false`, `null` or `undefined`: the visitor is sent to the sign-in page.
   * - A `Response` is the answer.
   * - An exception is answered with status 500.
   *
   * The sign-in page and the actions always pass. Caution: a handler inside `auth(handler)` also runs after `false`, as
   * in Auth.js v5. The handler has to check `request.auth`. Default: all requests pass.
   */
  authorized?: ((params: AuthorizedParams) => Awaitable<boolean | Response | null | undefined | void>) | undefined;
}

/** The configuration: as for `Auth()`, with `callbacks.authorized`. */
export interface NextAuthConfig extends Omit<AuthConfig, 'raw' | 'callbacks'> {
  /** The callbacks of `AuthConfig`, and `authorized` for `proxy.ts`. Default: no callbacks. */
  callbacks?: (Optional<CallbacksOptions> & AuthorizedCallback) | undefined;
}

/** A {@link NextAuthConfig} from which the type of the session is inferred. */
export type NextConfigWith<S> = Omit<ConfigWith<S>, 'callbacks'> & {
  callbacks?: (NonNullable<ConfigWith<S>['callbacks']> & AuthorizedCallback) | undefined;
};

/**
 * Returns a configuration unchanged, with its type. In a variable, `strategy: 'jwt'` would be any string, and a member
 * with a wrong name would be noticed nowhere. The type of the session stays what `callbacks.session` returns.
 *
 * ```ts
 * // auth.config.ts
 * export const config = defineConfig({ providers: [GitHub], session: { strategy: 'jwt' } });
 * // auth.ts
 * export const { handlers, auth } = NextAuth(config);
 * ```
 */
export function defineConfig<S extends DefaultSession = Session>(config: NextConfigWith<S>): NextConfigWith<S> {
  return config;
}

/** The parameter of a function that makes the configuration. */
export type ConfigRequest = NextRequest | undefined;

/** The source of the configuration. */
export interface ConfigSource {
  /** The configuration, or the function that makes it for each operation. */
  readonly config: NextAuthConfig | ((request: ConfigRequest) => Awaitable<NextAuthConfig>);
  readonly env: Env;
}

/** The configuration for one operation, completed by the environment and Next. */
export interface Configured extends EnvConfigured, ApplicationPaths {
  readonly authorized: AuthorizedCallback['authorized'];
}

/**
 * Completes the configuration for one operation.
 *
 * @param request The parameter for a configuration that is a function.
 * @throws {TypeError} If there is no configuration. Errors of such a function are thrown, too.
 */
export async function configuredFor(source: ConfigSource, request: unknown): Promise<Configured> {
  const { env } = source;
  const config = typeof source.config === 'function' ? await source.config(request as ConfigRequest) : source.config;
  if (!config) throw new TypeError('NextAuth() needs a configuration, or a function that returns one');
  const { config: complete, ...given } = withEnv(config as AuthConfig, env, '/api/auth');
  const application = applicationPath(request);
  const path = trimmedPath(complete.basePath ?? '');
  // AUTH_URL may be the address of the application alone.
  const isApplicationUrl = application !== '' && path === application;
  const basePath = isApplicationUrl ? `${application}/api/auth` : fromRoot(application, path);
  const authorized = config.callbacks?.authorized;
  return { ...given, config: withRootedPages(complete, application), authorized, application, basePath };
}

// The library remembers derived settings by the configuration object, so each pair needs one object.
const rooted = new WeakMap<AuthConfig, Map<string, AuthConfig>>();

/** Adds Next's `basePath` to the application's own pages, which are written without it, as in Next's links. */
function withRootedPages(config: AuthConfig, application: string): AuthConfig {
  if (application === '' || !config.pages) return config;
  const byApplication = rooted.get(config) ?? new Map<string, AuthConfig>();
  rooted.set(config, byApplication);
  const made = byApplication.get(application) ?? { ...config, pages: rootedPages(config.pages, application) };
  byApplication.set(application, made);
  return made;
}

function rootedPages(pages: Optional<PagesOptions>, application: string): Optional<PagesOptions> {
  const entries = Object.entries(pages).map(([name, page]) => [
    name,
    page?.startsWith('/') ? fromRoot(application, page) : page,
  ]);
  return Object.fromEntries(entries) as Optional<PagesOptions>;
}
