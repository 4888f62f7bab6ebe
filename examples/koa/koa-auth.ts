import {
  answerNodeRequest,
  applyBeforeHead,
  asVisitorError,
  type Env,
  isRoute,
  nodeRequest,
  originFrom,
  pathOfTarget,
  processEnv,
  type ServerFunctions,
  serverFunctions,
  startBinding,
  visits,
  withoutQuery,
} from '@latchkey/core/binding';
import type { AuthConfig } from '@latchkey/core/types';
import type { Context, Middleware } from 'koa';

/** The functions of an application on Koa. */
interface KoaAuthResult extends ServerFunctions<Context> {
  /** Answers the actions below `basePath`, and renews the session on other responses. Mount it before the routes. */
  readonly handler: Middleware;
  /** A middleware that only signed-in visitors pass. Browsers are redirected to the sign-in page; others get 401. */
  readonly required: Middleware;
}

/**
 * Connects a configuration to Koa 2 and 3. The origin and the visitor's address follow Koa's setting `app.proxy`.
 *
 * ```ts
 * export const { handler, auth, required } = KoaAuth({ providers: [GitHub] });
 * app.use(handler);
 * router.get('/account', required, async (ctx) => { ctx.body = await auth(ctx); });
 * ```
 *
 * @param env Environment variables. Default: those of the process.
 */
export function KoaAuth(config: AuthConfig, env: Env = processEnv()): KoaAuthResult {
  startBinding({ binding: 'koa', config, env });
  const visitOf = visits<Context>({
    config,
    env,
    key: (ctx) => ctx.req,
    describe: (ctx) => ({
      ...nodeRequest(ctx.req),
      origin: originFrom(ctx.protocol, hostOf(ctx)),
      path: pathOfTarget(ctx.originalUrl),
      clientAddress: ctx.ip,
      canSetCookies: () => !ctx.headerSent,
      // A body may be a stream, which asks for the session after the head was sent.
      streams: true,
    }),
  });
  const functions = serverFunctions<Context>(visitOf, { mapError: asVisitorError });
  return {
    ...functions,
    handler: async (ctx, next) => {
      const visit = await visitOf(ctx);
      const { configured, basePath, origin } = visit;
      const path = pathOfTarget(ctx.originalUrl);
      if (!isRoute(withoutQuery(path), basePath, configured.config)) {
        applyBeforeHead(ctx.res, visit);
        return next();
      }
      // The answer is written here, and not by Koa.
      ctx.respond = false;
      // A body parser may have read the body.
      const request = Object.assign(ctx.req, { body: (ctx.request as { body?: unknown }).body });
      return answerNodeRequest(request, ctx.res, configured, { origin, path, basePath, clientAddress: ctx.ip });
    },
    required: async (ctx, next) => {
      await functions.auth(ctx);
      const access = await (await visitOf(ctx)).access();
      if (access.kind === 'pass') return next();
      if (access.kind === 'refuse') throw access.error;
      ctx.redirect(access.url);
    },
  };
}

/** Returns the host as it was sent. `ctx.host` of Koa drops a part of some invalid hosts. */
function hostOf(ctx: Context): string {
  const forwarded = ctx.app.proxy ? ctx.get('x-forwarded-host').split(',')[0]?.trim() : '';
  return forwarded || ctx.get('host');
}
