import {
  answerRequest,
  type Env,
  type ServerFunctions,
  serverFunctions,
  startBinding,
  visits,
} from '@latchkey/core/binding';
import type { AuthConfig, Awaitable, ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import { getRequestIP, type H3Event } from 'h3';
import { cloudflareEnv, describeEvent, isStored, nodeEvent } from './event.ts';
import { answerNodeEvent, applyToEvent, applyToNodeEvent, asHttpError, redirectError, respond } from './response.ts';

/** The configuration, as for `Auth()`. */
export type H3AuthConfig = Omit<AuthConfig, 'raw'>;

/** Options of {@link H3Auth} that depend on the runtime and on the proxies in front of the application. */
export interface H3AuthOptions {
  /**
   * Returns the visitor's network address, which limits of attempts count. Default: `getRequestIP(event)`, the address
   * of the connection.
   *
   * ```ts
   * import { getRequestIP } from 'h3';
   *
   * // Behind a proxy that sets the header itself.
   * H3Auth(config, process.env, { clientAddress: (event) => getRequestIP(event, { xForwardedFor: true }) });
   * ```
   */
  readonly clientAddress?: ((event: H3Event) => string | undefined) | undefined;
  /**
   * `true`: the cookie `authjs.revision` informs the scripts of pages of each change of the session. Default: `false`.
   * `@latchkey/nuxt` sets it.
   */
  readonly hasClient?: boolean | undefined;
}

/** The result of {@link H3Auth}. `S` is the session of the application. */
export interface H3AuthResult<S = Session> extends ServerFunctions<H3Event, S> {
  /**
   * The middleware: answers the actions below `basePath`, passes other requests on, and puts the cookies of a renewed
   * session on their responses. Mount it before all routes.
   *
   * ```ts
   * app.use(handler);
   * ```
   *
   * In Nitro it is the default export of a file in `server/middleware`.
   */
  readonly handler: (event: H3Event, next?: () => unknown) => Promise<unknown>;
  /**
   * Returns the session of a visitor, and ends the request without one. A browser that opens a page is redirected to
   * the sign-in page, and returns afterwards.
   *
   * ```ts
   * app.get('/account', async (event) => (await requireSession(event))?.user);
   * ```
   *
   * @returns The session. It is `null` only on the application's own sign-in page, which must stay open.
   * @throws {HTTPError} The redirect, or status 401 with a `SessionRequired` as its `cause`. On h3 1 an `H3Error`.
   */
  requireSession(event: H3Event): Promise<S | null>;
}

/**
 * Creates the middleware and the functions of an application on h3 1, h3 2 or Nitro.
 *
 * ```ts
 * export const { handler, auth, requireSession } = H3Auth({ providers: [GitHub] });
 *
 * const app = new H3();
 * app.use(handler);
 * app.get('/', async (event) => `Hello ${(await auth(event))?.user?.name ?? 'visitor'}`);
 * ```
 *
 * The actions are below `/auth`, unless `basePath` or `AUTH_URL` says otherwise. `basePath` is the whole path, also if
 * the middleware is part of an application that is mounted with `app.mount('/shop', shop)`.
 *
 * @param config The configuration, or a function that makes it for each request.
 * @param env Environment variables. Default: those of the process; on Cloudflare Workers those of the event.
 */
export function H3Auth<S extends DefaultSession = Session>(
  config: ConfigWith<S> | ((event: H3Event) => Awaitable<ConfigWith<S>>),
  env?: Env,
  { clientAddress = getRequestIP, hasClient = false }: H3AuthOptions = {},
): H3AuthResult<SessionFrom<S>> {
  startBinding({ binding: 'h3', config, env });
  /** Requests whose head is not complete yet. Without the middleware, cookies would not be set. */
  const open = new WeakSet<object>();
  const visitOf = visits<H3Event>({
    config: config as AuthConfig | ((event: H3Event) => Awaitable<AuthConfig>),
    env: (event) => env ?? cloudflareEnv(event),
    key: (event) => event.req,
    describe: (event, configured) =>
      Object.assign(describeEvent(event, configured), {
        clientAddress: clientAddress(event),
        hasClient,
        canSetCookies: () => open.has(event.req) && nodeEvent(event)?.node.res.headersSent !== true,
        // A handler may return a stream, and then ask for the session.
        streams: true,
      }),
  });
  const functions = serverFunctions<H3Event, SessionFrom<S>>(visitOf, { mapError: asHttpError });
  const handler: H3AuthResult['handler'] = async (event, next) => {
    const visit = await visitOf(event);
    const node = nodeEvent(event);
    if (node && (await answerNodeEvent(node, visit))) return;
    open.add(event.req);
    if (node) return applyToNodeEvent(node, visit);
    const answer = await answerRequest(event.req, visit);
    if (answer) return respond(event, answer);
    try {
      return applyToEvent(event, await next?.(), visit);
    } catch (error) {
      throw applyToEvent(event, error, visit);
    } finally {
      open.delete(event.req);
    }
  };
  return {
    ...functions,
    // The first versions of h3 1.15 print a warning about handlers without this mark.
    handler: Object.assign(handler, { __is_handler__: true }),
    auth: async (event) => (isStored(event) ? null : functions.auth(event)),
    async requireSession(event) {
      await functions.auth(event);
      const access = await (await visitOf(event)).access();
      if (access.kind === 'pass') return access.session as SessionFrom<S> | null;
      if (access.kind === 'refuse') throw asHttpError(access.error);
      throw redirectError(event, access.url);
    },
  };
}
