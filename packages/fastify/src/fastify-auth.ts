import {
  type Access,
  applyToHead,
  asVisitorError,
  type Env,
  isRoute,
  nodeAnswer,
  nodeRequest,
  originFrom,
  overridingCacheHeaders,
  pathOfTarget,
  processEnv,
  type ServerFunctions,
  serverFunctions,
  startBinding,
  trimmedPath,
  type Visit,
  visits,
  withEnv,
  withoutQuery,
} from '@latchkey/core/binding';
import { SessionRequired } from '@latchkey/core/errors';
import type { AuthConfig, Awaitable, ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';

/** The configuration, as for `Auth()`. */
export type FastifyAuthConfig = Omit<AuthConfig, 'raw'>;

/** The result of {@link FastifyAuth}. `S` is the session of the application. */
export interface FastifyAuthResult<S = Session> extends ServerFunctions<FastifyRequest, S> {
  /**
   * The plugin: adds the routes of the actions below `basePath`, and the hook that puts the cookies of a renewed
   * session on the replies. Register it before the routes that ask for the session.
   *
   * ```ts
   * await app.register(plugin);
   * ```
   *
   * In a part of the application with a prefix (`app.register(shop, { prefix: '/shop' })`), the actions are below that
   * prefix, too.
   */
  readonly plugin: (app: FastifyInstance) => Promise<void>;
  /**
   * Returns a `preHandler` that only signed-in visitors pass. A browser that opens a page is redirected to the sign-in
   * page, and returns afterwards. Other requests fail with a `SessionRequired`, whose `statusCode` is 401.
   *
   * ```ts
   * app.get('/account', { preHandler: required() }, async (request) => (await auth(request))?.user);
   * ```
   */
  required(): preHandlerAsyncHookHandler;
  /**
   * Returns the session of a visitor. In the place of a redirect it throws, because it does not know the reply. For
   * pages use {@link FastifyAuthResult.required}.
   *
   * ```ts
   * app.delete('/account', async (request) => remove((await requireSession(request))?.user));
   * ```
   *
   * @returns The session. It is `null` only on the application's own sign-in page, which must stay open.
   * @throws {SessionRequired} Without a session. Its `statusCode` is 401.
   */
  requireSession(request: FastifyRequest): Promise<S | null>;
}

/**
 * Creates the plugin and the functions of an application on Fastify.
 *
 * ```ts
 * export const { plugin, auth, required } = FastifyAuth({ providers: [GitHub] });
 *
 * const app = fastify({ trustProxy: 'loopback' }); // The address of the proxy in front of the application.
 * await app.register(plugin);
 * app.get('/', async (request) => ({ session: await auth(request) }));
 * ```
 *
 * The actions are below `/auth`, unless `basePath` or the path of `AUTH_URL` says otherwise. The origin and the
 * visitor's address follow Fastify's option `trustProxy`.
 *
 * @param config The configuration, or a function that makes it for each request. A function cannot change `basePath`,
 *   because the routes are added at the start.
 * @param env Environment variables. Default: those of the process.
 */
export function FastifyAuth<S extends DefaultSession = Session>(
  config: ConfigWith<S> | ((request: FastifyRequest) => Awaitable<ConfigWith<S>>),
  env?: Env,
): FastifyAuthResult<SessionFrom<S>> {
  startBinding({ binding: 'fastify', config, env });
  const given = config as AuthConfig | ((request: FastifyRequest) => Awaitable<AuthConfig>);
  const basePath = basePathOf(typeof given === 'function' ? { providers: [] } : given, env ?? processEnv());
  const replies = new WeakMap<FastifyRequest, FastifyReply>();
  const prefixes = new WeakMap<FastifyRequest, string>();
  const visitOf = visits<FastifyRequest>({
    config: given,
    env,
    key: (request) => request,
    describe: (request) => ({
      ...nodeRequest(request.raw),
      origin: originFrom(request.protocol, request.host),
      path: pathOfTarget(request.url),
      basePath: `${prefixes.get(request) ?? ''}${basePath}`,
      clientAddress: request.ip,
      // Without the plugin, no hook puts the cookies on the reply.
      canSetCookies: () => replies.get(request)?.raw.headersSent === false,
      // A handler may send a stream, and then ask for the session.
      streams: true,
    }),
  });
  const functions = serverFunctions<FastifyRequest, SessionFrom<S>>(visitOf, { mapError: asVisitorError });
  const access = async (request: FastifyRequest): Promise<Access> => {
    await functions.auth(request);
    return (await visitOf(request)).access();
  };

  return {
    ...functions,
    plugin: asPlugin(async (app) => {
      app.addHook('onRequest', async (request, reply) => {
        replies.set(request, reply);
        prefixes.set(request, app.prefix);
      });
      app.addHook('onSend', async (request, reply) => applyToReply(reply, await visitOf(request)));
      await app.register(async (scope) => {
        // Parsers of the application would read the body, or refuse forms. The stream stays unread.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
        for (const path of new Set([basePath || '/', `${basePath}/*`])) {
          scope.all(path, async (request, reply) => answer(request, reply, await visitOf(request)));
        }
      });
    }),
    async requireSession(request) {
      const decision = await access(request);
      if (decision.kind === 'pass') return decision.session as SessionFrom<S> | null;
      throw new SessionRequired();
    },
    required: () => async (request, reply) => {
      const decision = await access(request);
      if (decision.kind === 'refuse') throw decision.error;
      // Fastify awaits the reply. Otherwise it would run the handler while the hooks of the reply are running.
      return decision.kind === 'pass' ? undefined : reply.redirect(decision.url);
    },
  };
}

/** Returns the base path: '' for the root, otherwise with a slash at its start only. */
function basePathOf(config: AuthConfig, env: Env): string {
  const { basePath = '/auth' } = withEnv(config, env, '/auth').config;
  return trimmedPath(basePath);
}

/** Fastify gives the hooks of such a plugin to the whole application, and not only to the plugin's own routes. */
function asPlugin(plugin: (app: FastifyInstance) => Promise<void>): (app: FastifyInstance) => Promise<void> {
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}

/** Answers an action through the reply, so that the hooks of other plugins run. */
async function answer(request: FastifyRequest, reply: FastifyReply, visit: Visit): Promise<FastifyReply> {
  const { configured, basePath, origin } = visit;
  const path = pathOfTarget(request.url);
  // With the base path `/`, other paths may belong to the application.
  if (basePath === '' && !isRoute(withoutQuery(path), basePath, configured.config)) {
    reply.callNotFound();
    return reply;
  }
  const url = { origin, path, basePath, clientAddress: request.ip };
  const { status, headers, cookies, body } = await nodeAnswer(request.raw, configured, url);
  for (const name of overridingCacheHeaders(Object.entries(reply.getHeaders()), Object.entries(headers)))
    reply.removeHeader(name);
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  // The rest of a body that is too large is not read. The connection cannot serve another request.
  if (status === 413) reply.header('connection', 'close');
  return reply.code(status).headers(headers).send(body);
}

/** Adds the cookies of the visit to the final reply. Fastify adds `Set-Cookie` headers, and replaces others. */
function applyToReply(reply: FastifyReply, visit: Visit): void {
  const header = (name: string, value: string): FastifyReply => reply.header(name, value);
  const remove = (name: string): FastifyReply => reply.removeHeader(name);
  applyToHead({ headers: Object.entries(reply.getHeaders()), remove, set: header, append: header }, visit);
}
