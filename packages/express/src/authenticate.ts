import { type Env, type EnvConfigured, ownPagePath, withEnv } from '@latchkey/core/binding';
import type { ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import type { ExpressAuthConfig } from './express-auth.ts';
import { SessionRequired } from './failure.ts';
import { getSession } from './get-session.ts';
import type { ExpressNext, ExpressRequest, ExpressVisit } from './http.ts';
import { pathOf, withoutQuery } from './place.ts';

/** How {@link authenticate} treats visitors who are not signed in. */
export interface AuthenticateOptions<Required extends boolean = boolean> {
  /**
   * Only signed-in visitors pass. Browsers that open a page are sent to the sign-in page and come back afterwards; everybody else is
   * refused: a {@link SessionRequired} (status 401) goes to the application's error handlers. Default: `false`.
   */
  required?: Required | undefined;
}

/** What {@link authenticate} puts on `res.locals`. */
export interface SessionLocals<S, Required extends boolean = false> {
  session: Required extends true ? S : S | null;
}

/** What {@link authenticate} needs of Express's response. */
export interface AuthenticateResponse<Locals> {
  locals: Locals;
  redirect(url: string): void;
}

/** What {@link authenticate} needs of Express's request. */
export type AuthenticateRequest = Pick<ExpressRequest, 'method' | 'originalUrl' | keyof ExpressVisit>;

/** A middleware of Express 4 and 5. */
export type Authenticate<Locals> = (
  request: AuthenticateRequest,
  response: AuthenticateResponse<Locals>,
  next: ExpressNext,
) => Promise<void>;

/**
 * A middleware that puts the session on `res.locals.session`, `null` when nobody is signed in. It is typed by what `callbacks.session`
 * returns in the handlers beside it.
 *
 * ```ts
 * app.get('/', authenticate(config), (req, res) => res.send(res.locals.session?.user?.name ?? 'nobody'));
 * app.get('/private', authenticate(config, { required: true }), (req, res) => res.json(res.locals.session.user));
 * ```
 *
 * A wrong configuration goes to the application's error handlers, and no handler behind it runs. A store or a callback that fails means
 * nobody is signed in, in this answer (decisions/05).
 * Mount `ExpressAuth` before a guard of the whole site.
 *
 * @param config The configuration that the handler was given. Where that is mounted elsewhere than at `/auth`, set `basePath`, or
 *   `pages.signIn`: browsers are sent there. A sign-in page of this application is open to everybody where it is written as a path, or with
 *   the origin of `AUTH_URL`.
 * @param env As given to the handler. Default: the variables of the process.
 */
export function authenticate<S extends DefaultSession = Session, Required extends boolean = false>(
  config: ConfigWith<S>,
  { required }: AuthenticateOptions<Required> = {},
  env: Env = process.env,
): Authenticate<SessionLocals<SessionFrom<S>, Required>> {
  return async (request, response, next) => {
    try {
      const session = await getSession(request, config, env);
      if (session || !required) {
        response.locals.session = session as SessionFrom<S>;
        return next();
      }
      refuse(request, response, next, withEnv(config as ExpressAuthConfig, env));
    } catch (error) {
      next(error);
    }
  };
}

function refuse(
  request: AuthenticateRequest,
  response: AuthenticateResponse<unknown>,
  next: ExpressNext,
  { config: { pages, basePath = '' }, call }: EnvConfigured,
): void {
  const page = pages?.signIn ?? `${basePath}/signin`;
  if (ownPagePath(page, call.origin) === withoutQuery(pathOf(request))) {
    // A page whose guard leads to itself would be seen by nobody.
    (response.locals as { session: null }).session = null;
    next();
  } else if (opensPage(request)) {
    const separator = page.includes('?') ? '&' : '?';
    response.redirect(`${page}${separator}${new URLSearchParams({ callbackUrl: pathOf(request) })}`);
  } else {
    next(new SessionRequired());
  }
}

/** A browser that opens a page, in contrast to a script or a program. Browsers say so; older ones by what they accept. */
function opensPage({ method, headers }: AuthenticateRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? /\btext\/html\b/i.test(String(headers['accept'] ?? '')) : mode === 'navigate';
}
