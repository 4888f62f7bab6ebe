import { type Env, readSession, withEnv } from '@latchkey/core/binding';
import type { ConfigWith, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import type { ExpressAuthConfig } from './express-auth.ts';
import type { ExpressVisit } from './http.ts';
import { originOf } from './place.ts';

/** What {@link getSession} returns, in general; it infers more from `callbacks.session`. */
export type GetSessionResult = Promise<Session | null>;

/**
 * The session of whoever sent the request, `null` without one. It does not matter whether, or where, the handler is mounted.
 *
 * Its type is what `callbacks.session` returns. The session is read, not extended: for that, clients ask `GET /auth/session`.
 *
 * @param config The configuration that the handler was given.
 * @param env As given to the handler. Default: the variables of the process.
 * @throws {AuthError} when it cannot be told whether there is a session, for example because the configuration is wrong.
 */
export async function getSession<S extends DefaultSession = Session>(
  request: ExpressVisit,
  config: ConfigWith<S>,
  env: Env = process.env,
): Promise<SessionFrom<S> | null> {
  if (!config) throw new TypeError('getSession(req, config) needs the configuration that ExpressAuth was given');
  const configured = withEnv(config as ExpressAuthConfig, env);
  const session = await readSession(configured, {
    origin: originOf(request),
    cookie: request.headers.cookie?.toString(),
  });
  return session as SessionFrom<S> | null;
}
