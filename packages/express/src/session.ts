import type { Env } from '@latchkey/core/binding';
import type { ConfigWith, DefaultSession, MailStatus, Session, SessionFrom } from '@latchkey/core/types';
import { withErrorHandlers } from './error-handlers.ts';
import type { ExpressVisit } from './express.ts';
import type { ExpressAuthConfig } from './express-auth.ts';
import { visitFor } from './visit.ts';

/** The general result of {@link getSession}. The function itself infers more from `callbacks.session`. */
export type GetSessionResult = Promise<Session | null>;

/**
 * Reads the session of a request. The handler may be mounted at any path, or not at all.
 *
 * ```ts
 * app.get('/', async (req, res) => {
 *   const session = await getSession(req, config);
 *   res.send(session ? `Hello ${session.user?.name}` : 'Please sign in.');
 * });
 * ```
 *
 * The session is read once per request. If it is due (`session.updateAge`), it is extended and the answer has a new
 * cookie. The answer has no new cookie in three cases:
 *
 * - Its headers are sent already.
 * - A shared cache may keep it.
 * - The application has set this cookie itself.
 *
 * @param config The configuration of the handler.
 * @param env Environment variables, as for the handler. Default: `process.env`.
 * @returns The session as `callbacks.session` returns it. It is `null` if the visitor is not signed in.
 * @throws {AuthError} If the session cannot be read, for example because the configuration has a problem.
 *   Its `status` is the HTTP status of a fitting answer. Express 4 does not notice that a handler rejects, and the
 *   process would end. There, the error goes to the application's error handlers, and the promise stays pending. For a
 *   request that cannot be read, such as one with a wrong `Host`, the result is `null` there.
 */
export async function getSession<S extends DefaultSession = Session>(
  request: ExpressVisit,
  config: ConfigWith<S>,
  env: Env = process.env,
): Promise<SessionFrom<S> | null> {
  return withErrorHandlers<SessionFrom<S> | null>(request, null, async () => {
    if (!config) throw new TypeError('getSession(req, config) needs the configuration that ExpressAuth was given');
    return (await visitFor(request, config as ExpressAuthConfig, env).session()) as SessionFrom<S> | null;
  });
}

/**
 * Returns what your own page of `pages.verifyRequest` shows of the mail that the visitor has requested. Reads a cookie;
 * the store is not used.
 *
 * ```ts
 * app.get('/check-mail', async (req, res) => {
 *   const mail = await pendingMail(req, config);
 *   res.type('text').send(mail ? `We have sent a mail to ${mail.email}.` : 'Please sign in.');
 * });
 * ```
 *
 * Shared caches do not keep the answer, as with {@link getSession}.
 *
 * @param config The configuration of the handler.
 * @param provider Id of the provider that must have sent the mail. Default: any.
 * @param env Environment variables, as for the handler. Default: `process.env`.
 * @returns `null` if this browser has no pending mail: it has not requested one, the mail has expired, or the provider
 *   has neither `code` nor `confirm`.
 * @throws {AuthError} If the configuration has a problem. On Express 4, the error goes to the error handlers, as with
 *   {@link getSession}.
 */
export async function pendingMail(
  request: ExpressVisit,
  config: ExpressAuthConfig,
  provider?: string,
  env: Env = process.env,
): Promise<MailStatus | null> {
  return withErrorHandlers<MailStatus | null>(request, null, async () => {
    if (!config) throw new TypeError('pendingMail(req, config) needs the configuration that ExpressAuth was given');
    return visitFor(request, config, env).pendingMail(provider);
  });
}
