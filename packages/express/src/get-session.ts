import type { AuthConfig } from '@latchkey/core';
import { type Env, type EnvConfigured, readSession, withEnv } from '@latchkey/core/binding';
import type { ConfigWith, Cookie, DefaultSession, Session, SessionFrom } from '@latchkey/core/types';
import type { ExpressAuthConfig } from './express-auth.ts';
import { withStatus } from './failure.ts';
import type { ExpressVisit } from './http.ts';
import { originOf } from './place.ts';
import { renewWithHead } from './renewal.ts';

/** What {@link getSession} returns, in general; it infers more from `callbacks.session`. */
export type GetSessionResult = Promise<Session | null>;

/**
 * The session of whoever sent the request, `null` without one. It does not matter whether, or where, the handler is mounted.
 *
 * Its type is what `callbacks.session` returns. When it is due (`session.updateAge`), the session is extended and its cookie renewed, unless
 * the headers are sent, a shared cache may keep the answer, or the application sets that cookie itself. However often it is asked for
 * during a request, it is read once.
 *
 * @param config The configuration that the handler was given.
 * @param env As given to the handler. Default: the variables of the process.
 * @throws {AuthError} when it cannot be told whether there is a session, for example because the configuration is wrong. Its `status` is
 *   that of an answer, 4xx or 5xx.
 */
export async function getSession<S extends DefaultSession = Session>(
  request: ExpressVisit,
  config: ConfigWith<S>,
  env: Env = process.env,
): Promise<SessionFrom<S> | null> {
  if (!config) throw new TypeError('getSession(req, config) needs the configuration that ExpressAuth was given');
  const session = await readOnce(request, withEnv(config as ExpressAuthConfig, env));
  return structuredClone(session) as SessionFrom<S> | null;
}

/** A reading of the session, and what it depends on. */
interface Reading {
  readonly origin: string;
  readonly cookie: string | undefined;
  readonly session: Promise<Session | null>;
}

const readings = new WeakMap<ExpressVisit, WeakMap<AuthConfig, Reading>>();

function readOnce(request: ExpressVisit, configured: EnvConfigured): Promise<Session | null> {
  const byConfig = readings.get(request) ?? new WeakMap<AuthConfig, Reading>();
  readings.set(request, byConfig);
  const origin = originOf(request);
  const cookie = request.headers['cookie']?.toString();
  const known = byConfig.get(configured.config);
  if (known && known.origin === origin && known.cookie === cookie) return known.session;
  const session = readAndRenew(request, configured, origin, cookie);
  byConfig.set(configured.config, { origin, cookie, session });
  return session;
}

async function readAndRenew(
  { res }: ExpressVisit,
  configured: EnvConfigured,
  origin: string,
  cookie: string | undefined,
): Promise<Session | null> {
  const cookies: Cookie[] = [];
  const isWritable = res && !res.headersSent;
  try {
    const setCookie = isWritable ? (one: Cookie) => void cookies.push(one) : undefined;
    const session = await readSession(configured, { origin, cookie, setCookie, onlyWhenDue: true });
    if (res) renewWithHead(res, cookies);
    return session;
  } catch (error) {
    throw withStatus(error);
  }
}
