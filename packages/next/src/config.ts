import type { AuthConfig } from '@latchkey/core';
import { type Env, type EnvConfigured, withEnv } from '@latchkey/core/binding';
import type { Awaitable, CallbacksOptions, ConfigWith, Optional, PagesOptions, Session } from '@latchkey/core/types';
import type { NextRequest } from 'next/server.js';
import { applicationPath, fromRoot, type Place, trimmed } from './place.ts';

/** What `callbacks.authorized` is given. */
export interface AuthorizedParams {
  /** The request as the visitor made it. */
  request: NextRequest;
  /** The session, `null` without one. */
  auth: Session | null;
}

/** What Next's proxy has to ask the application. */
export interface AuthorizedCallback {
  /**
   * May this request pass? Asked by `auth` as proxy (middleware) and by `auth(handler)`. `true`: yes. `false` or nothing: the
   * visitor is sent to the sign-in page. A `Response` is the answer. An exception is answered with status 500. Default: all may.
   *
   * The sign-in page and our own actions always pass. Beware: a handler that `auth(handler)` wraps runs also where this returns
   * `false`, as in the whole family; it has to look at `request.auth`.
   */
  authorized?: ((params: AuthorizedParams) => Awaitable<boolean | Response | null | undefined | void>) | undefined;
}

/** The configuration: as for `Auth()`, and `callbacks.authorized`. */
export interface NextAuthConfig extends Omit<AuthConfig, 'raw' | 'callbacks'> {
  callbacks?: (Optional<CallbacksOptions> & AuthorizedCallback) | undefined;
}

/** A {@link NextAuthConfig} from which the type of the session is inferred. */
export type NextConfigWith<S> = Omit<ConfigWith<S>, 'callbacks'> & {
  callbacks?: (NonNullable<ConfigWith<S>['callbacks']> & AuthorizedCallback) | undefined;
};

/** What a function that makes the configuration is given. */
export type ConfigRequest = NextRequest | undefined;

/** Where the configuration comes from. */
export interface ConfigSource {
  /** It, or the function that makes it for each operation. */
  readonly config: NextAuthConfig | ((request: ConfigRequest) => Awaitable<NextAuthConfig>);
  readonly env: Env;
}

/** The configuration for one operation, and what the environment and Next say about it. */
export interface Configured extends EnvConfigured, Place {
  readonly authorized: AuthorizedCallback['authorized'];
}

/**
 * @param request What a function configuration is given.
 * @throws whatever such a function throws, and {@link TypeError} when there is no configuration.
 */
export async function configuredFor(source: ConfigSource, request: unknown): Promise<Configured> {
  const { env } = source;
  const config = typeof source.config === 'function' ? await source.config(request as ConfigRequest) : source.config;
  if (!config) throw new TypeError('NextAuth() needs a configuration, or a function that returns one');
  const { config: complete, call } = withEnv(config as AuthConfig, env, '/api/auth');
  const application = applicationPath(request);
  const basePath = trimmed(complete.basePath ?? '');
  return {
    config: placed(complete, application),
    call,
    authorized: config.callbacks?.authorized,
    application,
    // AUTH_URL may be the application's address alone.
    basePath:
      application !== '' && basePath === application ? `${application}/api/auth` : fromRoot(application, basePath),
  };
}

const placedConfigs = new WeakMap<AuthConfig, Map<string, AuthConfig>>();

/** With Next's `basePath` in front of the application's own pages: they are written as Next's links are, without it. */
function placed(config: AuthConfig, application: string): AuthConfig {
  if (application === '' || !config.pages) return config;
  const known = placedConfigs.get(config) ?? new Map<string, AuthConfig>();
  placedConfigs.set(config, known);
  const made = known.get(application) ?? { ...config, pages: placedPages(config.pages, application) };
  known.set(application, made);
  return made;
}

function placedPages(pages: Optional<PagesOptions>, application: string): Optional<PagesOptions> {
  const entries = Object.entries(pages).map(([name, page]) => [
    name,
    page?.startsWith('/') ? fromRoot(application, page) : page,
  ]);
  return Object.fromEntries(entries) as Optional<PagesOptions>;
}
