import type { AuthorizationParams, Env, SignedOut, SignInOptions } from '@latchkey/core/binding';
import type { DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import { type Auth, authOf } from './auth.ts';
import type { ConfigRequest, ConfigSource, NextConfigWith } from './config.ts';
import { type AuthHandler, handlersOf } from './handlers.ts';
import { signInHere, signOutHere, updateHere } from './here.ts';

/** What {@link NextAuth} returns. */
export interface NextAuthResult<S = Session> {
  /** For `app/api/auth/[...nextauth]/route.ts`: `export const { GET, POST } = handlers`. */
  handlers: { GET: AuthHandler; POST: AuthHandler };
  /** The session, and the guard. */
  auth: Auth<S>;
  /**
   * In server actions and route handlers: starts a sign-in, or carries it out where credentials go along. Without a provider the
   * way is to the sign-in page.
   *
   * @param options The fields of a form, or an object. `redirectTo`: where the visitor goes afterwards, a path as in Next's links;
   *   default: the page that asks. `redirect: false`: returns the address instead of going there.
   * @throws {AuthError} when the sign-in fails: `CredentialsSignin`, `AccessDenied`, …
   * @throws {CookiesNotWritable} before anything is done, where Next lets nobody set cookies: while a page is rendered.
   */
  signIn: (provider?: string, options?: SignInOptions, authorizationParams?: AuthorizationParams) => Promise<string>;
  /**
   * In server actions and route handlers: ends the session, in the browser and in the store.
   *
   * @param options `redirectTo` and `redirect` as for `signIn`.
   * @throws {CookiesNotWritable} before anything is done, as `signIn` does.
   */
  signOut: (options?: SignInOptions) => Promise<SignedOut>;
  /**
   * In server actions and route handlers: hands data to the callbacks with the trigger `update`, and returns the new session.
   *
   * @throws {CookiesNotWritable} before anything is done, as `signIn` does.
   */
  update: (data: unknown) => Promise<S | null>;
  /** The same as {@link update}. */
  unstable_update: (data: unknown) => Promise<S | null>;
}

/**
 * Authentication for an application on Next.js.
 *
 * ```ts
 * // auth.ts
 * export const { handlers, auth, signIn, signOut } = NextAuth({ providers: [GitHub] });
 * // app/api/auth/[...nextauth]/route.ts
 * export const { GET, POST } = handlers;
 * // proxy.ts (middleware.ts before Next 16)
 * export { auth as proxy } from './auth';
 * ```
 *
 * One configuration serves all of it, the proxy too; nothing of it is looked at before the first request. `basePath` is `/api/auth`
 * unless it, or the path of `AUTH_URL`, says otherwise; Next's own `basePath` may be left out of it, and out of `pages`.
 *
 * @param config The configuration, or a function that makes it for each operation. The function is given the request by the
 *   handlers, the proxy, wrapped handlers and (that of Node) in the Pages Router; nothing by the others.
 * @param env Variables of the environment, read with the first request. Default: those of the process.
 */
export function NextAuth<S extends DefaultSession = Session>(
  config: NextConfigWith<S> | ((request: ConfigRequest) => NextConfigWith<S> | Promise<NextConfigWith<S>>),
  env: Env = process.env,
): NextAuthResult<SessionFrom<S>> {
  const source = { config, env } as ConfigSource;
  const update = (data: unknown) => updateHere(source, data) as Promise<SessionFrom<S> | null>;
  return {
    handlers: handlersOf(source),
    auth: authOf<SessionFrom<S>>(source),
    signIn: (provider, options, authorizationParams) => signInHere(source, provider, options, authorizationParams),
    signOut: (options) => signOutHere(source, options),
    update,
    unstable_update: update,
  };
}
