import {
  answerRequest,
  completeResponse,
  type Env,
  processEnv,
  requestOrigin,
  type ServerFunctions,
  serverFunctions,
  startBinding,
  statusOf,
  type Visit,
  visits,
  webRequest,
} from '@latchkey/core/binding';
import { AuthError } from '@latchkey/core/errors';
import type { AuthConfig, Awaitable, ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import { redirect, redirectDocument } from 'react-router';
import {
  isBuilding,
  isData,
  isPrerendering,
  pageRequest,
  type RequestState,
  type RouterArgs,
  type RouterContext,
  rememberRequest,
  requestStateOf,
} from './request-state.ts';

/** The configuration, as for `Auth()`. */
export type ReactRouterAuthConfig = Omit<AuthConfig, 'raw'>;

/** A middleware of React Router. */
export type RouterMiddleware = (args: RouterArgs, next: () => Promise<Response>) => Promise<Response>;

/** Options of {@link ReactRouterAuth} that depend on the server. */
export interface ReactRouterAuthOptions {
  /**
   * Returns the visitor's network address, which limits of attempts count. The server puts it into the context.
   * Default: unknown, and attempts are counted by identifier only.
   *
   * ```ts
   * ReactRouterAuth(config, process.env, { clientAddress: ({ context }) => context.get(addressContext) });
   * ```
   */
  readonly clientAddress?: ((args: RouterArgs) => string | undefined) | undefined;
}

/** The result of {@link ReactRouterAuth}. `S` is the session of the application. */
export interface ReactRouterAuthResult<S = Session> extends ServerFunctions<RouterContext, S> {
  /**
   * The loader and the action of the route below which the actions are.
   *
   * ```ts
   * // app/routes/auth.$.ts
   * export const loader = handler;
   * export const action = handler;
   * ```
   *
   * @throws {Response} With status 404, if the path is not an action.
   */
  handler(args: RouterArgs): Promise<Response>;
  /**
   * The middleware that all other members need. It puts the cookies of a renewed session, and those of `signIn`,
   * `signOut` and `update`, on the response.
   *
   * ```ts
   * // app/root.tsx
   * export const middleware = [sessionMiddleware];
   * ```
   */
  readonly sessionMiddleware: RouterMiddleware;
  /**
   * Returns a middleware that only signed-in visitors pass. A browser that opens a page is redirected to the sign-in
   * page, and returns afterwards. Other requests are refused with status 401.
   *
   * ```ts
   * // app/routes/account.tsx
   * export const middleware = [required()];
   * export const loader = async ({ context }: Route.LoaderArgs) => ({ session: await auth(context) });
   * ```
   *
   * React Router's client asks the server only if the page has a loader. A guarded page without data has an empty one.
   */
  required(): (args: RouterArgs) => Promise<void>;
  /**
   * The same as {@link ReactRouterAuthResult.required}, within a loader or an action.
   *
   * ```ts
   * export const loader = async ({ context }: Route.LoaderArgs) => ({ session: await requireSession(context) });
   * ```
   *
   * @returns The session. It is `null` only on the application's own sign-in page, which must stay open.
   * @throws {Response} The redirect, or status 401.
   */
  requireSession(context: RouterContext): Promise<S | null>;
}

/**
 * Creates the handler, the middleware and the functions of an application on React Router in framework mode.
 *
 * ```ts
 * // app/auth.server.ts
 * export const { handler, sessionMiddleware, auth, required } = ReactRouterAuth({ providers: [GitHub] });
 * ```
 *
 * The actions are below `/auth`, unless `basePath` or `AUTH_URL` says otherwise. `basePath` is the whole path, also if
 * the application has a `basename`.
 *
 * @param config The configuration, or a function that makes it for each request.
 * @param env Environment variables. Default: those of the process.
 */
export function ReactRouterAuth<S extends DefaultSession = Session>(
  config: ConfigWith<S> | ((args: RouterArgs) => Awaitable<ConfigWith<S>>),
  env?: Env,
  { clientAddress }: ReactRouterAuthOptions = {},
): ReactRouterAuthResult<SessionFrom<S>> {
  const variables = env ?? processEnv();
  const checkedEnv = (): Env | undefined => (isBuilding(processEnv()) ? undefined : variables);
  startBinding({ binding: 'react-router', config, env, checkedEnv });
  const states = new WeakMap<object, RequestState>();
  const visitOfState = visits<RequestState>({
    config: config as AuthConfig | ((args: RouterArgs) => Awaitable<AuthConfig>),
    env: variables,
    key: (state) => state,
    describe: (state, configured) => ({
      ...webRequest(state.request),
      path: state.url.pathname + state.url.search,
      origin: requestOrigin(configured, state.request.headers, state.url),
      hasClient: true,
      clientAddress: clientAddress?.(state),
      canSetCookies: () => !state.isComplete,
      // A loader may return a promise that asks for the session after the head was sent.
      streams: true,
      redirect(url) {
        throw redirectDocument(url);
      },
    }),
  });
  const visitOf = async (context: RouterContext): Promise<Visit> => visitOfState(requestStateOf(states, context));
  const functions = serverFunctions<RouterContext, SessionFrom<S>>(visitOf, { mapError: asResponse });
  const auth = async (context: RouterContext): Promise<SessionFrom<S> | null> => {
    const { request } = requestStateOf(states, context);
    return isPrerendering(request, processEnv()) ? null : functions.auth(context);
  };
  const requireSession = async (context: RouterContext): Promise<SessionFrom<S> | null> => {
    await auth(context);
    const visit = await visitOf(context);
    const access = await visit.access();
    if (access.kind === 'pass') return access.session as SessionFrom<S> | null;
    if (access.kind !== 'refuse') throw redirect(access.url);
    const asData = await visit.access({ isDataRequest: true });
    if ('url' in asData) requestStateOf(states, context).documentRedirect = { status: 401, url: asData.url };
    throw new Response(access.error.message, { status: 401, statusText: 'Unauthorized' });
  };
  return {
    ...functions,
    auth,
    requireSession,
    async handler({ context }) {
      const state = requestStateOf(states, context);
      const { request, url } = state;
      if (isPrerendering(request, processEnv())) {
        throw new AuthError(
          'The route of the actions is prerendered. Remove it from `prerender` in `react-router.config.ts`',
        );
      }
      const answer = await answerRequest(pageRequest(state), await visitOfState(state));
      if (!answer) throw new Response('Not Found', { status: 404, statusText: 'Not Found' });
      if (request.method === 'GET') state.documentRedirect = { status: answer.status, url: url.pathname + url.search };
      return answer;
    },
    async sessionMiddleware(args, next) {
      const state = rememberRequest(states, args);
      const response = await next();
      const visit = await visitOfState(state);
      state.isComplete = true;
      const { documentRedirect } = state;
      const isRedirected = documentRedirect?.status === response.status && isData(response);
      return completeResponse(isRedirected ? redirectDocument(documentRedirect.url) : response, visit);
    },
    required:
      () =>
      async ({ context }) => {
        await requireSession(context);
      },
  };
}

/** A request with an invalid host is the client's mistake, and not an error of the application. */
function asResponse(error: unknown): unknown {
  return statusOf(error) === 400 ? new Response('Bad Request', { status: 400 }) : error;
}
