import type { AuthConfig } from '@latchkey/core';
import {
  beforeHead,
  cookiesOn,
  decideCookies,
  type Env,
  type EnvConfigured,
  pendingMail as readPendingMail,
  readSession,
  serializeCookie,
  withEnv,
} from '@latchkey/core/binding';
import type { ConfigWith, Cookie, DefaultSession, MailStatus, Session, SessionFrom } from '@latchkey/core/types';
import { type ExpressHead, type ExpressNext, type ExpressVisit, originOf, withStatus } from './express.ts';
import type { ExpressAuthConfig } from './express-auth.ts';

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
    return (await sessionOf(request, withEnv(config as ExpressAuthConfig, env))) as SessionFrom<S> | null;
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
    const visit = { origin: originOf(request), cookie: request.headers['cookie']?.toString() };
    const mail = await readPendingMail(withEnv(config, env), visit, provider);
    keepPrivate(request);
    return mail;
  });
}

/** Shared caches do not keep the answer, because it depends on the visitor. */
export function keepPrivate({ res }: ExpressVisit): void {
  if (res && !res.headersSent) completeHead(res, []);
}

/** The session is read anew by the next call, because it may have ended. */
export function forgetSession(request: ExpressVisit): void {
  readings.delete(request);
}

/**
 * Stands for the missing result of a function without one: the application would take a refused change for done. So its
 * errors go to the error handlers, also for a request that cannot be read.
 */
export const REPORTED: unique symbol = Symbol('reported');

/**
 * Runs a function. On Express 4, its error goes to the application's error handlers.
 *
 * @param none The result on Express 4 for a request that cannot be read.
 */
export async function withErrorHandlers<T>(
  request: ExpressVisit,
  none: T | typeof REPORTED,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const error = withStatus(thrown);
    if (!isExpress4(request)) throw error;
    // A client can send such a request at will, and a handler that does not go on keeps its resources.
    if (none !== REPORTED && isBadRequest(error)) return none;
    return failed(request, error);
  }
}

/**
 * Returns a copy of the request's session.
 *
 * @throws {AuthError} As {@link getSession}.
 */
export async function sessionOf(request: ExpressVisit, configured: EnvConfigured): Promise<Session | null> {
  return structuredClone(await readOnce(request, configured));
}

/** Returns whether Express 4 runs the request. Version 5 has no `lazyrouter`. */
function isExpress4(request: ExpressVisit): request is ExpressVisit & { next: ExpressNext } {
  return 'lazyrouter' in request.app && typeof request.next === 'function';
}

function isBadRequest(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400;
}

/** Requests whose error has gone to the error handlers. */
const reported = new WeakSet<ExpressVisit>();

function failed(request: ExpressVisit & { next: ExpressNext }, error: unknown): Promise<never> {
  if (!reported.has(request)) request.next(error);
  reported.add(request);
  return new Promise(() => undefined);
}

/** A session, with the values that it depends on. */
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
  { res, headers }: ExpressVisit,
  configured: EnvConfigured,
  origin: string,
  cookie: string | undefined,
): Promise<Session | null> {
  const cookies: string[] = [];
  const keep = (cookie: Cookie): void => void cookies.push(serializeCookie(cookie));
  const setCookie = res && !res.headersSent ? keep : undefined;
  try {
    const userAgent = headers['user-agent']?.toString();
    const session = await readSession(configured, { origin, cookie, userAgent, setCookie, renew: 'when-due' });
    if (res && !res.headersSent) completeHead(res, cookies);
    return session;
  } catch (error) {
    throw withStatus(error);
  }
}

/**
 * Sets the cookies when the head of the answer is written. Before that, Express may still set `Cache-Control`. Shared
 * caches must not keep the answer, because it depends on the session.
 */
function completeHead(response: ExpressHead, cookies: readonly string[]): void {
  beforeHead(response, (head, headers) => {
    const { add, cacheControl } = decideCookies(headers, cookies);
    if (cacheControl !== undefined) head.setHeader('cache-control', cacheControl);
    if (add.length > 0) head.setHeader('set-cookie', [...cookiesOn(head), ...add]);
  });
}
