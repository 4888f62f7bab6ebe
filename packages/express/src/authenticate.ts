import type { Env } from '@latchkey/core/binding';
import type { SessionRequired } from '@latchkey/core/errors';
import type { ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import { type ExpressNext, type ExpressRequest, type ExpressVisit, withStatus } from './express.ts';
import type { ExpressAuthConfig } from './express-auth.ts';
import { visitFor } from './visit.ts';

/** Options of {@link authenticate}. */
export interface AuthenticateOptions<Required extends boolean = boolean> {
  /**
   * `true`: only signed-in visitors may pass. A browser that opens a page is sent to the sign-in page, and returns
   * afterwards. Other requests are answered as `refusal` says. Default: `false`.
   */
  required?: Required | undefined;
  /**
   * How requests of scripts and programs are refused, which do not open a page. Default: `answer`.
   *
   * - `answer`: status 401 and the JSON `{ "name": "SessionRequired", "message": "Sign in first." }`.
   * - `error`: a {@link SessionRequired} goes to the application's error handlers.
   */
  refusal?: 'answer' | 'error' | undefined;
}

/** The members that {@link authenticate} sets on `res.locals`. */
export interface SessionLocals<S, Required extends boolean = false> {
  /** The session of the visitor, as `callbacks.session` returned it; `null` if the visitor is not signed in. */
  session: Required extends true ? S : S | null;
}

/** The members of Express's response that {@link authenticate} uses. */
export interface AuthenticateResponse<Locals> {
  /** Receives `session`, for the next handlers and for templates. */
  locals: Locals;
  /** Sends a visitor who is not signed in to the sign-in page, with status 302. */
  redirect(url: string): void;
  /** Sets the status of the answer. `json` sends its body, to a client that does not accept HTML. */
  status(code: number): { json(body: unknown): unknown };
  /** Replaces a header of the answer. */
  setHeader(name: string, value: string): unknown;
}

/** The members of Express's request that {@link authenticate} uses. */
export type AuthenticateRequest = Pick<ExpressRequest, 'method' | 'originalUrl' | keyof ExpressVisit>;

/** A middleware of Express 4 and 5. */
export type Authenticate<Locals> = (
  request: AuthenticateRequest,
  response: AuthenticateResponse<Locals>,
  next: ExpressNext,
) => Promise<void>;

/**
 * Creates a middleware that sets `res.locals.session`: the session, or `null` if the visitor is not signed in. In the
 * handlers beside it, the session has the type that `callbacks.session` returns.
 *
 * ```ts
 * app.get('/', authenticate(config), (req, res) => res.send(res.locals.session?.user?.name ?? 'a visitor'));
 * app.get('/private', authenticate(config, { required: true }), (req, res) => res.json(res.locals.session.user));
 * ```
 *
 * If the configuration has a problem, the error goes to the application's error handlers and no further handler runs.
 * If the store or a callback fails, the session is `null` in this answer. Mount `ExpressAuth` before a middleware for
 * the whole site.
 *
 * @param config The configuration of the handler. If the handler is not mounted at `/auth`, set `basePath` or
 *   `pages.signIn`, because browsers are sent there. The application's own sign-in page is open to all visitors if it
 *   is written as a path, or with the origin of `AUTH_URL`.
 * @param env Environment variables, as for the handler. Default: `process.env`.
 */
export function authenticate<S extends DefaultSession = Session, Required extends boolean = false>(
  config: ConfigWith<S>,
  { required, refusal }: AuthenticateOptions<Required> = {},
  env: Env = process.env,
): Authenticate<SessionLocals<SessionFrom<S>, Required>> {
  return async (request, response, next) => {
    try {
      const visit = visitFor(request, config as ExpressAuthConfig, env);
      const access = required ? await visit.access() : { kind: 'pass' as const, session: await visit.session() };
      if (access.kind === 'pass') {
        response.locals.session = access.session as SessionFrom<S>;
        next();
      } else if (access.kind === 'refuse') {
        refuse(response, next, access.error, refusal);
      } else {
        response.redirect(access.url);
      }
    } catch (error) {
      next(withStatus(error));
    }
  };
}

function refuse(
  response: AuthenticateResponse<unknown>,
  next: ExpressNext,
  error: SessionRequired,
  refusal: AuthenticateOptions['refusal'],
): void {
  if (refusal === 'error') {
    next(error);
    return;
  }
  const { status, name, message } = error;
  response.setHeader('cache-control', 'private, no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.status(status).json({ name, message });
}
