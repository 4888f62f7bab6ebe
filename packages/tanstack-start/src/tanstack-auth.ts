import {
  answerRequest,
  asVisitorError,
  type Env,
  requestOrigin,
  type ServerFunctions,
  serverFunctions,
  startBinding,
  visits,
  webRequest,
} from '@latchkey/core/binding';
import type { AuthConfig, Awaitable, ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import { getRequest, getRequestIP } from '@tanstack/react-start/server';
import { accessOf, refuse } from './guard.ts';
import { applyToAnswer, redirectTo } from './response.ts';

/** The configuration, as for `Auth()`. */
export type TanStackAuthConfig = Omit<AuthConfig, 'raw'>;

/** Options of {@link TanStackAuth} that depend on the host. */
export interface TanStackAuthOptions {
  /**
   * Returns the visitor's network address, which limits of attempts count. Default: `getRequestIP()`. If the server
   * does not tell it, attempts are counted by identifier only.
   *
   * ```ts
   * // Behind a proxy that sets the header `X-Forwarded-For`:
   * TanStackAuth(config, process.env, { clientAddress: () => getRequestIP({ xForwardedFor: true }) });
   * ```
   */
  readonly clientAddress?: (() => string | undefined) | undefined;
}

/** A function of {@link ServerFunctions} without its first parameter: the request is the current one. */
type OfCurrentRequest<F> = F extends (context: Request, ...given: infer A) => infer R ? (...given: A) => R : never;

/** The parameters of a middleware of requests that the binding needs. */
interface RequestStep<R> {
  readonly request: Request;
  next(): Awaitable<R>;
}

/** The functions of {@link ServerFunctions} for the current request. */
type CurrentFunctions<S> = {
  readonly [Name in keyof ServerFunctions<Request, S>]: OfCurrentRequest<ServerFunctions<Request, S>[Name]>;
};

/** The result of {@link TanStackAuth}. `S` is the session of the application. */
export interface TanStackAuthResult<S = Session> extends CurrentFunctions<S> {
  /**
   * The middleware of all requests. It answers the actions below `basePath` and passes other requests on. It puts the
   * cookies of a renewed session and of calls on their responses. Without it, sessions are only read.
   *
   * ```ts
   * // src/start.ts
   * const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' });
   * const session = createMiddleware().server(handler);
   *
   * export const startInstance = createStart(() => ({ requestMiddleware: [csrf, session] }));
   * ```
   */
  handler<R>(step: RequestStep<R>): Promise<R | Response>;
  /**
   * Returns the session, or fails. Call it in a middleware of routes and server functions. A browser that opens a page
   * is redirected to the sign-in page, and returns afterwards. The router does the same if a loader calls a server
   * function. Other requests fail with status 401.
   *
   * ```ts
   * export const signedIn = createMiddleware().server(async ({ next }) =>
   *   next({ context: { session: await requireSession() } }),
   * );
   * ```
   *
   * @returns The session. It is `null` only on the application's own sign-in page, which must stay open.
   * @throws {Response} The redirect, or status 401.
   */
  requireSession(): Promise<S | null>;
}

/**
 * Creates the middleware and the functions of an application on TanStack Start.
 *
 * ```ts
 * // src/auth.server.ts
 * export const { handler, auth, requireSession, signOut } = TanStackAuth({ providers: [GitHub] });
 *
 * // src/routes/index.tsx
 * const visitor = createServerFn().handler(async () => (await auth())?.user?.name);
 * ```
 *
 * The functions belong to the current request, so they work in server functions, server routes and middleware only. The
 * actions are below `/auth`, unless `basePath` or the path of `AUTH_URL` says otherwise. `basePath` is the whole path,
 * also if the router has a base path of its own.
 *
 * @param config The configuration, or a function that makes it for each request.
 * @param env Environment variables. Default: those of the process.
 */
export function TanStackAuth<S extends DefaultSession = Session>(
  config: ConfigWith<S> | ((request: Request) => Awaitable<ConfigWith<S>>),
  env?: Env,
  { clientAddress = getRequestIP }: TanStackAuthOptions = {},
): TanStackAuthResult<SessionFrom<S>> {
  startBinding({ binding: 'tanstack-start', config, env });
  const open = new WeakSet<Request>();
  const visitOf = visits<Request>({
    config: config as AuthConfig | ((request: Request) => Awaitable<AuthConfig>),
    env,
    key: (request) => request,
    describe: (request, configured) => ({
      ...webRequest(request),
      origin: requestOrigin(configured, request.headers, new URL(request.url)),
      clientAddress: clientAddress(),
      hasClient: true,
      redirect: redirectTo,
      canSetCookies: () => open.has(request),
      // A loader may defer its data, and then ask for the session.
      streams: true,
    }),
  });
  const functions = serverFunctions<Request, SessionFrom<S>>(visitOf, { mapError: asVisitorError });
  return {
    auth: async () => functions.auth(getRequest()),
    signIn: async (...given) => functions.signIn(getRequest(), ...given),
    signOut: async (options) => functions.signOut(getRequest(), options),
    update: async (data) => functions.update(getRequest(), data),
    pendingMail: async (provider) => functions.pendingMail(getRequest(), provider),
    sessions: () => functions.sessions(getRequest()),
    account: () => functions.account(getRequest()),
    tokens: () => functions.tokens(getRequest()),
    async requireSession() {
      await functions.auth(getRequest());
      const access = await accessOf(await visitOf(getRequest()));
      return access.kind === 'pass' ? (access.session as SessionFrom<S> | null) : refuse(access);
    },
    async handler({ request, next }) {
      const visit = await visitOf(request);
      const answer = await answerRequest(request, visit);
      if (answer) return answer;
      open.add(request);
      try {
        return await next();
      } finally {
        applyToAnswer(visit);
        open.delete(request);
      }
    },
  };
}
