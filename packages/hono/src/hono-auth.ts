import {
  answerRequest,
  type Env,
  requestOrigin,
  type ServerFunctions,
  serverFunctions,
  startBinding,
  statusOf,
  visits,
  webRequest,
} from '@latchkey/core/binding';
import type { AuthConfig, Awaitable, ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import type { Context, MiddlewareHandler } from 'hono';
import { getRuntimeKey } from 'hono/adapter';
import { HTTPException } from 'hono/http-exception';
import { applyToResponse, respond, unreadRequest } from './response.ts';

/** The configuration, as for `Auth()`. */
export type HonoAuthConfig = Omit<AuthConfig, 'raw'>;

/** Options of {@link HonoAuth} that depend on the runtime. */
export interface HonoAuthOptions {
  /**
   * Returns the visitor's network address, which limits of attempts count. Hono has one function for each runtime.
   * Default: unknown, and attempts are counted by identifier only.
   *
   * ```ts
   * import { getConnInfo } from '@hono/node-server/conninfo';
   *
   * HonoAuth(config, process.env, { clientAddress: (c) => getConnInfo(c).remote.address });
   * ```
   */
  readonly clientAddress?: ((c: Context) => string | undefined) | undefined;
}

/** The result of {@link HonoAuth}. `S` is the session of the application. */
export interface HonoAuthResult<S = Session> extends ServerFunctions<Context, S> {
  /**
   * The middleware: answers the actions below `basePath`, passes other requests on, and puts the cookies of a renewed
   * session on their responses. Mount it before all routes.
   *
   * ```ts
   * app.use(handler);
   * ```
   */
  readonly handler: MiddlewareHandler;
  /**
   * Returns a middleware that only signed-in visitors pass. It sets the variable `session`, which is `null` only on the
   * application's own sign-in page. A browser that opens a page is redirected to the sign-in page, and returns
   * afterwards. Other requests fail with an `HTTPException` of status 401.
   *
   * ```ts
   * app.get('/account', required(), (c) => c.json(c.var.session?.user));
   * ```
   */
  required(): MiddlewareHandler<{ Variables: { session: S | null } }>;
  /**
   * The same as {@link HonoAuthResult.required}, within a handler.
   *
   * ```ts
   * app.get('/account', async (c) => c.json((await requireSession(c))?.user));
   * ```
   *
   * @returns The session. It is `null` only on the application's own sign-in page, which must stay open.
   * @throws {HTTPException} The redirect, or status 401. Its `cause` is a `SessionRequired`.
   */
  requireSession(c: Context): Promise<S | null>;
}

/**
 * Creates the middleware and the functions of an application on Hono.
 *
 * ```ts
 * export const { handler, auth, required } = HonoAuth({ providers: [GitHub] });
 *
 * const app = new Hono();
 * app.use(handler);
 * app.get('/', async (c) => c.text(`Hello ${(await auth(c))?.user?.name ?? 'visitor'}`));
 * ```
 *
 * The actions are below `/auth`, unless `basePath` or `AUTH_URL` says otherwise. `basePath` is the whole path, also if
 * the middleware is part of an application that is mounted with `app.route('/shop', shop)`.
 *
 * @param config The configuration, or a function that makes it for each request.
 * @param env Environment variables. Default: those of the process; on Cloudflare Workers `c.env`.
 */
export function HonoAuth<S extends DefaultSession = Session>(
  config: ConfigWith<S> | ((c: Context) => Awaitable<ConfigWith<S>>),
  env?: Env,
  { clientAddress }: HonoAuthOptions = {},
): HonoAuthResult<SessionFrom<S>> {
  startBinding({ binding: 'hono', config, env });
  const visitOf = visits<Context>({
    config: config as AuthConfig | ((c: Context) => Awaitable<AuthConfig>),
    env: (c) => env ?? (getRuntimeKey() === 'workerd' ? (c.env as Env) : undefined),
    key: firstRequest,
    describe: (c, configured) => ({
      ...webRequest(c.req.raw),
      origin: requestOrigin(configured, c.req.raw.headers, new URL(c.req.url)),
      clientAddress: clientAddress?.(c),
      canSetCookies: () => !c.finalized,
      // A handler may return a stream, and then ask for the session.
      streams: true,
    }),
  });
  const functions = serverFunctions<Context, SessionFrom<S>>(visitOf, { mapError: withResponse });
  const requireSession = async (c: Context): Promise<SessionFrom<S> | null> => {
    await functions.auth(c);
    const access = await (await visitOf(c)).access();
    if (access.kind === 'pass') return access.session as SessionFrom<S> | null;
    if (access.kind !== 'refuse') throw new HTTPException(302, { res: c.redirect(access.url) });
    throw new HTTPException(401, { message: access.error.message, cause: access.error });
  };
  return {
    ...functions,
    requireSession,
    async handler(c, next) {
      const visit = await visitOf(c);
      const answer = await answerRequest(await unreadRequest(c), visit);
      if (answer) return respond(c, answer);
      await next();
      applyToResponse(c, visit);
    },
    required: () => async (c, next) => {
      c.set('session', await requireSession(c));
      await next();
    },
  };
}

const requests = new WeakMap<Context, Request>();

/**
 * Returns the request as this binding has seen it first. Middleware such as `bodyLimit` replaces it, and the cookies of
 * later calls must still reach the response. Contexts of applications that pass the request on share it.
 */
function firstRequest(c: Context): Request {
  const request = requests.get(c) ?? c.req.raw;
  requests.set(c, request);
  return request;
}

/**
 * Hono answers an error by its `getResponse`. A request with an invalid host is the client's mistake, and not one for
 * the log. The message is for the operator of the site.
 */
function withResponse(error: unknown): unknown {
  if (!(error instanceof Error) || statusOf(error) !== 400) return error;
  return Object.assign(error, { getResponse: () => new Response('Bad Request', { status: 400 }) });
}
