import {
  answerRequest,
  type Env,
  originOfUrl,
  type ServerFunctions,
  serverFunctions,
  startBinding,
  statusOf,
  visits,
  webRequest,
} from '@latchkey/core/binding';
import type { AuthConfig, Awaitable, ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import type { APIContext, APIRoute, MiddlewareHandler } from 'astro';
import { completeAnswer } from './response.ts';
import { Runs } from './runs.ts';

/** The configuration, as for `Auth()`. */
export type AstroAuthConfig = Omit<AuthConfig, 'raw'>;

/** The context of Astro: `Astro` in a page; `context` in an endpoint, an action or a middleware. */
export type AstroAuthContext = Pick<APIContext, 'clientAddress' | 'isPrerendered' | 'locals' | 'request' | 'url'>;

/**
 * The members that the middleware adds to `Astro.locals`. Declare them in `src/env.d.ts`:
 *
 * ```ts
 * type AuthLocals = import('@latchkey/astro').AstroAuthLocals;
 *
 * declare namespace App {
 *   interface Locals extends AuthLocals {}
 * }
 * ```
 */
export interface AstroAuthLocals<S = Session> {
  /** Returns the session of the visitor; `null` without one. */
  auth(): Promise<S | null>;
}

/** The result of {@link AstroAuth}. `S` is the session of the application. */
export interface AstroAuthResult<S = Session> extends ServerFunctions<AstroAuthContext, S> {
  /**
   * The endpoint that answers the actions. Its file has the base path: `src/pages/auth/[...auth].ts` for `/auth`.
   *
   * ```ts
   * export const prerender = false;
   * export const ALL = handler;
   * ```
   */
  readonly handler: APIRoute;
  /**
   * The middleware: adds `auth` to `Astro.locals`, and puts the cookies of a renewed session and of calls on the
   * response. Without it, sessions are only read, and calls such as `signIn` throw `CookiesNotWritable`.
   *
   * ```ts
   * export const onRequest = middleware; // src/middleware.ts
   * ```
   */
  readonly middleware: MiddlewareHandler;
  /**
   * Returns the session, or the `Response` of a visitor without one. Pages and endpoints return that response: for a
   * browser that opens a page, a redirect to the sign-in page, which leads back; otherwise status 401.
   *
   * ```ts
   * const session = await requireSession(Astro);
   * if (session instanceof Response) return session;
   * ```
   *
   * @returns The session. It is `null` only on the application's own sign-in page, which must stay open. In an action
   *   it is never `null`.
   * @throws {TypeError} On a page that is built in advance, which is the same file for all visitors.
   */
  requireSession(context: AstroAuthContext): Promise<S | Response | null>;
}

/**
 * Creates the endpoint, the middleware and the functions of an application on Astro.
 *
 * ```ts
 * export const { handler, middleware, auth, requireSession } = AstroAuth({ providers: [GitHub] }); // src/auth.ts
 * ```
 *
 * The actions are below `/auth`, unless `basePath` or `AUTH_URL` says otherwise. `basePath` is the whole path, with
 * Astro's option `base`. The origin is the one of `Astro.url`, which follows Astro's option `security.allowedDomains`.
 *
 * @param config The configuration, or a function that makes it for each request.
 * @param env Environment variables. Default: those of the process, which do not include the file `.env`.
 */
export function AstroAuth<S extends DefaultSession = Session>(
  config: ConfigWith<S> | ((context: AstroAuthContext) => Awaitable<ConfigWith<S>>),
  env?: Env,
): AstroAuthResult<SessionFrom<S>> {
  startBinding({ binding: 'astro', config, env });
  const runs = new Runs();
  const requestVisit = visits<AstroAuthContext>({
    config: config as AuthConfig | ((context: AstroAuthContext) => Awaitable<AuthConfig>),
    env,
    key: (context) => runs.of(context) ?? context.request,
    describe: (context) => {
      const run = runs.of(context);
      return {
        ...webRequest(context.request),
        path: pathOf(context),
        origin: originOfUrl(context.url),
        clientAddress: addressOf(context),
        hasClient: true,
        canSetCookies: () => run?.isOpen === true,
        // Components may ask for the session while the page is streamed.
        streams: true,
      };
    },
  });
  const visitOf: typeof requestVisit = async (context) => {
    if (context.isPrerendered) throw new TypeError(PRERENDERED);
    return requestVisit(context);
  };
  const functions = serverFunctions<AstroAuthContext, SessionFrom<S>>(visitOf);
  const auth = async (context: AstroAuthContext): Promise<SessionFrom<S> | null> =>
    context.isPrerendered ? null : functions.auth(context);

  return {
    ...functions,
    auth,
    async handler(context) {
      const answer = await answerRequest(context.request, await visitOf(context));
      return answer ?? new Response('Not Found', { status: 404 });
    },
    async middleware(context, next) {
      Object.assign(context.locals, { auth: () => auth(context) } satisfies AstroAuthLocals<SessionFrom<S>>);
      // A rewrite runs the middleware again. The first run completes the response.
      if (context.isPrerendered || runs.of(context)?.isOpen) return next();
      const run = runs.begin(context);
      try {
        const visit = await visitOf(context);
        return completeAnswer(await next(), visit, context);
      } catch (error) {
        // An invalid host is the client's mistake. The message is for the operator of the site.
        if (statusOf(error) === 400) return new Response('Bad Request', { status: 400 });
        throw error;
      } finally {
        run.isOpen = false;
      }
    },
    async requireSession(context) {
      const visit = await visitOf(context);
      // After a rewrite, the path is that of the page that is rendered. Visitors can call an action at any path.
      const path = isAction(context) ? '' : pathOf(context);
      const access = await visit.as({ ...visit.request, path }).access();
      if (access.kind === 'pass') return access.session as SessionFrom<S> | null;
      if (access.kind === 'refuse') return new Response(access.error.message, { status: 401 });
      return new Response(null, { status: 302, headers: { location: access.url } });
    },
  };
}

const PRERENDERED =
  'this page or endpoint is built in advance, for all visitors, and has no session. Add `export const prerender = false`';

function pathOf({ url }: AstroAuthContext): string {
  return url.pathname + url.search;
}

/** Returns whether Astro has made the context for an action (`astro:actions`). It marks such a context. */
function isAction(context: AstroAuthContext): boolean {
  return Reflect.get(context, Symbol.for('astro.actionAPIContext')) === true;
}

/** Some adapters do not know the visitor's network address, and Astro throws. */
function addressOf(context: AstroAuthContext): string | undefined {
  try {
    return context.clientAddress;
  } catch {
    return undefined;
  }
}
