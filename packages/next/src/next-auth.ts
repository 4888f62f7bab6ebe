import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AuthConfig, Auth as answerRequest } from '@latchkey/core';
import {
  type AuthorizationParams,
  assertConfig as assertWithEnv,
  type Env,
  requestOrigin,
  type SignInOptions,
  type SignOutOptions,
  startBinding,
} from '@latchkey/core/binding';
import type { ProviderId } from '@latchkey/core/providers';
import type {
  DefaultSession,
  RequestAccount,
  Session,
  SessionFrom,
  Untyped,
  VisitorAccount,
  VisitorSessions,
  VisitorTokens,
} from '@latchkey/core/types';
import type { NextApiRequest, NextApiResponse } from 'next';
import type { NextRequest } from 'next/server.js';
import { type Auth, authOf } from './auth.ts';
import {
  type ConfigRequest,
  type ConfigSource,
  configuredFor,
  type NextAuthConfig,
  type NextConfigWith,
} from './config.ts';
import { accountHere, sessionsHere, signInHere, signOutHere, tokensHere, updateHere } from './current-request.ts';
import { accountInPages, sessionsInPages, tokensInPages } from './pages-router.ts';
import { actionPath } from './paths.ts';
import { type PendingMail, pendingMailOf } from './pending-mail.ts';

/** A route handler for the actions. */
export type AuthHandler = (request: NextRequest) => Promise<Response>;

/** The result of {@link NextAuth}. */
export interface NextAuthResult<S = Session> {
  /** For `app/api/auth/[...nextauth]/route.ts`: `export const { GET, POST } = handlers`. */
  handlers: { GET: AuthHandler; POST: AuthHandler };
  /** The session, and the guard. */
  auth: Auth<S>;
  /**
   * Starts a sign-in at a provider, or signs in if the options hold credentials. For server actions and route handlers.
   * Without a provider, the target is the sign-in page.
   *
   * ```ts
   * await signIn('github', { redirectTo: '/account' });
   * ```
   *
   * An email provider mails a link to the field `email`. Without `email`, the pending sign-in of the browser continues:
   * the field `code` signs in with the code of the mail. Without both fields, the mail is sent again.
   *
   * ```ts
   * await signIn('resend', { code });
   * ```
   *
   * @param options The fields of a form, or an object. `redirectTo`: where the visitor goes afterwards, a path as in
   *   Next's links. Default: the page of the request, and without `email` the page that the request for the mail named.
   *   `redirect: false`: returns the address instead of going there.
   * @returns With `redirect: false`, the address as a string. The type is the same as in Auth.js v5.
   * @throws {AuthError} If the sign-in fails: `CredentialsSignin`, `AccessDenied` and others. If a mail cannot be sent
   *   or a provider cannot be reached, the visitor goes to the sign-in page with `?error=EmailSignin` or
   *   `?error=OAuthSignin` instead. A wrong code leads to the page that asks for it, with `?error=Verification`. Too
   *   many attempts lead to the sign-in page with `?error=RateLimited`.
   * @throws {CookiesNotWritable} Before any change, if Next does not allow cookies: while a page is rendered.
   */
  signIn: <P extends ProviderId, R extends boolean = true>(
    provider?: P,
    options?: SignInOptions<R>,
    authorizationParams?: AuthorizationParams,
  ) => Promise<R extends false ? Untyped : never>;
  /**
   * Ends the session, in the browser and in the store. For server actions and route handlers.
   *
   * ```ts
   * await signOut({ redirectTo: '/' });
   * ```
   *
   * @param options `redirectTo` and `redirect` as for `signIn`. With `provider: false`, the session at the provider is
   *   kept, although `logout.provider` is set.
   * @returns With `redirect: false`, a `SignedOut`: the address and the cookies. The type is the same as in Auth.js v5.
   * @throws {CookiesNotWritable} Before any change, as `signIn` does.
   */
  signOut: <R extends boolean = true>(options?: SignOutOptions<R>) => Promise<R extends false ? Untyped : never>;
  /**
   * Passes data to the callbacks with the trigger `update`, and returns the new session. For server actions and route
   * handlers.
   *
   * ```ts
   * const session = await update({ name: 'Ada' });
   * ```
   *
   * @throws {CookiesNotWritable} Before any change, as `signIn` does.
   */
  update: (data: unknown) => Promise<S | null>;
  /** The same as {@link update}, under the name of Auth.js v5. */
  unstable_update: (data: unknown) => Promise<S | null>;
  /** The mail that the visitor has requested, for your own page of `pages.verifyRequest`. */
  pendingMail: PendingMail;
  /**
   * The sessions of the visitor, with the option `session.records`. `list` works in server components, too; the other
   * functions are for server actions and route handlers.
   *
   * ```ts
   * const list = await sessions.list(); // [{ id, current: true, label: 'Chrome on Windows', … }]
   * await sessions.endOthers();
   * ```
   */
  sessions: NextSessions;
  /**
   * The account of the visitor, with the option `account`. `list` works in server components, too; the other functions
   * are for server actions and route handlers.
   *
   * ```ts
   * const ways = await account.list(); // [{ id, kind: 'oidc', provider: 'google', label: 'ada@gmail.com', … }]
   * await account.link('github', { redirectTo: '/me' });
   * await account.unlink(ways[0].id);
   * ```
   */
  account: NextAccount;
  /**
   * The provider tokens of the visitor, with the option `tokens`. For server components, server actions and route
   * handlers.
   *
   * ```ts
   * const { accessToken } = await tokens.get('google');
   * const response = await tokens.fetch('google', 'https://www.googleapis.com/calendar/v3/users/me/calendarList');
   * ```
   */
  tokens: NextTokens;
}

/** Uses the provider tokens of the visitor. */
export interface NextTokens extends VisitorTokens {
  /**
   * Returns the same functions for the Pages Router: an API route, or `getServerSideProps`.
   *
   * ```ts
   * const { accessToken } = await tokens.from(req, res).get('google');
   * ```
   */
  from(request: NextApiRequest | IncomingMessage, response: NextApiResponse | ServerResponse): VisitorTokens;
}

/** Reads and changes the account of the visitor. */
export interface NextAccount extends VisitorAccount {
  /**
   * Returns the same functions for the Pages Router: an API route, or `getServerSideProps`. Their `link` returns the
   * address of the provider.
   *
   * ```ts
   * await account.from(req, res).unlink(id);
   * ```
   */
  from(request: NextApiRequest | IncomingMessage, response: NextApiResponse | ServerResponse): RequestAccount;
}

/** Lists and ends the sessions of the visitor. */
export interface NextSessions extends VisitorSessions {
  /**
   * Returns the same functions for the Pages Router: an API route, or `getServerSideProps`.
   *
   * ```ts
   * await sessions.from(req, res).endOthers();
   * ```
   */
  from(request: NextApiRequest | IncomingMessage, response: NextApiResponse | ServerResponse): VisitorSessions;
}

/**
 * Creates the functions and handlers of an application on Next.js.
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
 * One configuration serves all of them, the proxy too. It is read with the first request. The default of `basePath` is
 * `/api/auth`, or the path of `AUTH_URL`. You can write `basePath` and `pages` without Next's own `basePath`.
 *
 * @param config The configuration, or a function that makes it for each operation. The handlers, the proxy, wrapped
 *   handlers and the Pages Router call the function with the request; the other operations with `undefined`.
 * @param env Environment variables, read with the first request. Default: `process.env`.
 */
export function NextAuth<S extends DefaultSession = Session>(
  config: NextConfigWith<S> | ((request: ConfigRequest) => NextConfigWith<S> | Promise<NextConfigWith<S>>),
  env: Env = process.env,
): NextAuthResult<SessionFrom<S>> {
  startBinding({ binding: 'next', config, env, basePath: '/api/auth', isMounted: true });
  const source = { config, env } as ConfigSource;
  const answer: AuthHandler = (request) => answerAction(source, request);
  const update = (data: unknown) => updateHere(source, data) as Promise<SessionFrom<S> | null>;
  return {
    handlers: { GET: answer, POST: answer },
    auth: authOf<SessionFrom<S>>(source),
    signIn: (provider, options, authorizationParams) => signInHere(source, provider, options, authorizationParams),
    signOut: (options) => signOutHere(source, options),
    update,
    unstable_update: update,
    pendingMail: pendingMailOf(source),
    sessions: {
      ...sessionsHere(source),
      from: (request, response) => sessionsInPages(source, request, response),
    },
    account: {
      ...accountHere(source),
      from: (request, response) => accountInPages(source, request, response),
    },
    tokens: {
      ...tokensHere(source),
      from: (request, response) => tokensInPages(source, request, response),
    },
  };
}

/**
 * Throws if a configuration has problems, so that an application does not start with them.
 *
 * ```ts
 * // instrumentation.ts
 * export async function register() {
 *   if (process.env.NEXT_RUNTIME === 'nodejs') await assertConfig((await import('./auth.config')).config);
 * }
 * ```
 *
 * @param env Environment variables. Default: `process.env`.
 * @throws {AuthError} With all problems in `errors`.
 */
export function assertConfig(config: NextAuthConfig, env: Env = process.env): Promise<void> {
  return assertWithEnv(config as AuthConfig, env, '/api/auth');
}

async function answerAction(source: ConfigSource, request: NextRequest): Promise<Response> {
  const configured = await configuredFor(source, request);
  const { config, call, basePath, application } = configured;
  const url = new URL(request.url);
  // Next invents the host of its requests. The headers have the one that the visitor uses.
  const origin = requestOrigin(configured, request.headers, url);
  const path = actionPath(url.pathname, configured);
  const rooted = path === url.pathname ? request : new Request(origin + path + url.search, request);
  const response = await answerRequest(rooted, config, { ...call, origin, basePath, revision: true });
  return toApplicationRoot(response, origin, application);
}

/** Changes a redirect to the root of the site into one to the root of the application. */
function toApplicationRoot(response: Response, origin: string, application: string): Response {
  if (application === '' || response.headers.get('location') !== origin) return response;
  response.headers.set('location', origin + application);
  return response;
}
