import { handle } from '../auth.ts';
import type { EnvConfigured } from '../config/env.ts';
import { settingsFor } from '../config/settings.ts';
import type { Reply } from '../context.ts';
import { AuthError, errorOf } from '../errors.ts';
import { redact } from '../log/redact.ts';
import type { Cookie } from '../types/config.ts';
import type { MailStatus, Session } from '../types/session.ts';
import { actionRequest } from './incoming.ts';

/** The parts of a request that decide about its session. */
export interface SessionVisit {
  /** Origin of the request; '' if the request names none. The origin of `AUTH_URL` takes precedence. */
  readonly origin: string;
  /** Path at which the actions are mounted. Default: as configured. */
  readonly basePath?: string | undefined;
  /**
   * Sets a cookie on the answer. `undefined` if the framework does not allow cookies at this point (while a page is
   * rendered). A host that cannot know this in advance throws.
   */
  readonly setCookie?: ((cookie: Cookie) => void) | undefined;
  /** The `Cookie` header. */
  readonly cookie: string | undefined;
  /** The `User-Agent` header, which names the browser in the list of sessions. */
  readonly userAgent?: string | null | undefined;
  /** When the session is renewed, if cookies can be set. `never`: it is only read. Default: `always`. */
  readonly renew?: 'always' | 'when-due' | 'never' | undefined;
  /**
   * Which cookies are set. `all`: also a new CSRF token and callback URL, as `GET session` does. Default: `session`.
   */
  readonly cookies?: 'all' | 'session' | undefined;
}

/**
 * Reads the session as its client may see it. Extends and issues it again if `visit` can set cookies.
 *
 * ```ts
 * const cookie = request.headers.get('cookie') ?? undefined;
 * const session = await readSession(withEnv(config, process.env), { origin: 'https://example.com', cookie });
 * ```
 *
 * @returns The session; `null` if the visitor is not signed in.
 * @throws {AuthError} If the session cannot be read: the configuration has a problem, or the request has no host.
 */
export async function readSession({ config, call }: EnvConfigured, visit: SessionVisit): Promise<Session | null> {
  const settings = settingsFor(config);
  const basePath = visit.basePath ?? settings.basePath;
  const { cookie, userAgent, setCookie, cookies = 'session' } = visit;
  const incoming = actionRequest(`${call.origin ?? visit.origin}${basePath}/session`, {
    cookie,
    'user-agent': userAgent ?? undefined,
  });
  const renew = setCookie ? visit.renew : 'never';
  const forms = cookies === 'session' ? 'host-checked' : 'csrf-token';
  const reply = await handle(incoming, settings, { ...call, basePath, renew, forms, cookies });
  const refusal = setCookie && setAll(reply.cookies ?? [], setCookie);
  if (refusal) settings.logger.debug('session', 'the host took no cookies', () => redact({ reason: refusal.message }));
  return sessionOf(reply);
}

/** Returns the error of a host that has sent its headers meanwhile. The next request renews the session. */
function setAll(cookies: readonly Cookie[], setCookie: (cookie: Cookie) => void): Error | undefined {
  try {
    for (const cookie of cookies) setCookie(cookie);
    return undefined;
  } catch (error) {
    return errorOf(error);
  }
}

/** @throws {AuthError} For any reply but a success. A failure must not look like a visitor without a session. */
function sessionOf(reply: Reply): Session | null {
  return copySession(successOf(reply).body);
}

/** @throws {AuthError} For any reply but a success. */
export function successOf(reply: Reply): Reply {
  if ((reply.status ?? 200) !== 200 || reply.redirect !== undefined || reply.refused) throw replyError(reply);
  return reply;
}

/**
 * Returns what an application's own page shows of the mail that the browser has requested. Reads a cookie; the store is
 * not used.
 *
 * ```ts
 * const cookie = request.headers.get('cookie') ?? undefined;
 * const mail = await pendingMail(withEnv(config, process.env), { origin: 'https://example.com', cookie }, 'resend');
 * ```
 *
 * @param provider Id of the provider that must have sent the mail. Default: any.
 * @returns `null` if the browser has no pending mail.
 * @throws {AuthError} If the configuration has a problem, or the request has no host.
 */
export async function pendingMail(
  { config, call }: EnvConfigured,
  visit: Pick<SessionVisit, 'origin' | 'basePath' | 'cookie'>,
  provider?: string,
): Promise<MailStatus | null> {
  const settings = settingsFor(config);
  const basePath = visit.basePath ?? settings.basePath;
  const path = provider === undefined ? 'code' : `code/${encodeURIComponent(provider)}`;
  const incoming = actionRequest(`${call.origin ?? visit.origin}${basePath}/${path}`, { cookie: visit.cookie });
  const reply = await handle(incoming, settings, { ...call, basePath, forms: 'host-checked', cookies: 'session' });
  return successOf(reply).body as MailStatus | null;
}

/** Returns the error that a reply without success describes. Its `cause.problems` has the configuration's problems. */
export function replyError({ status, body, problems = [] }: Reply): AuthError {
  const [first] = problems;
  if (first) {
    const texts = problems.map((problem) => problem.message).join('\n');
    return new AuthError(`the server's sign-in configuration has a problem, which is also in its log: ${texts}`, {
      status,
      problems,
      err: first,
    });
  }
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return new AuthError(typeof message === 'string' ? message : 'the request could not be carried out', { status });
}

/** Returns the session as a client would receive it. A copy: the application's callback may keep its own object. */
export function copySession(body: unknown): Session | null {
  const session = copyAsJson(body, 'the result of `callbacks.session`') as Session | null | undefined;
  return session && Object.keys(session).length > 0 ? session : null;
}

/**
 * Copies a value as JSON carries it.
 *
 * @param name Of the value, for the message.
 * @throws {AuthError} If JSON cannot carry the value.
 */
export function copyAsJson(value: unknown, name: string): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw new AuthError(`${name} cannot be written as JSON. Use plain data`, { err: errorOf(error) });
  }
}
