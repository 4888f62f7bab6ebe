import { handle } from '../auth.ts';
import { attempt } from '../chain.ts';
import type { EnvConfigured } from '../config/env.ts';
import { errorOf } from '../config/hooks.ts';
import { lazily } from '../config/lazy.ts';
import { type Settings, settingsFor } from '../config/settings.ts';
import type { Incoming, Reply } from '../context.ts';
import { AuthError } from '../errors/base.ts';
import type { Awaitable, Cookie, Session } from '../types.ts';
import { failureOf, type Host } from './host.ts';

/** What decides about the session of a request: nothing else of it is looked at. */
export interface SessionVisit extends Pick<Host, 'origin' | 'basePath' | 'setCookie'> {
  /** The `Cookie` header. */
  readonly cookie: string | undefined;
  /** Cookies are set only when that is due, as for pages that do much else. Default: `false`, with each reading. */
  readonly onlyWhenDue?: boolean | undefined;
  /** New CSRF token and return address are set, too, as by `GET session`. Default: only what belongs to the session. */
  readonly allCookies?: boolean | undefined;
}

/**
 * The session as its client may see it, `null` without one. It is extended and re-issued where `visit` can set cookies; else it is
 * only read.
 *
 * @throws {AuthError} when it cannot be told whether there is one: the configuration is wrong, or the request names no host.
 */
export async function readSession({ config, call }: EnvConfigured, visit: SessionVisit): Promise<Session | null> {
  const settings = settingsFor(config);
  const basePath = visit.basePath ?? settings.basePath;
  const { cookie, setCookie, onlyWhenDue, allCookies = false } = visit;
  const incoming = sessionRequest(`${call.origin ?? visit.origin}${basePath}/session`, cookie);
  const own = allCookies ? {} : { skipCSRF: true, sessionCookiesOnly: true };
  const reply = await handle(incoming, settings, { ...call, basePath, readOnly: !setCookie, onlyWhenDue, ...own });
  const refusal = setCookie && refusalOf(reply.cookies ?? [], setCookie);
  if (refusal) await tellRefusal(refusal, settings);
  return sessionOf(reply);
}

/** A host that has sent its headers meanwhile takes no more cookies; the session is none the worse for it. */
function refusalOf(cookies: readonly Cookie[], setCookie: (cookie: Cookie) => void): Error | undefined {
  try {
    for (const cookie of cookies) setCookie(cookie);
    return undefined;
  } catch (error) {
    return errorOf(error);
  }
}

/** A start needs no file for a line that is seldom written. */
const redaction = lazily(() => import('../config/redact.ts'));

/** The next request extends the session; what cannot be told is not told. */
function tellRefusal({ message }: Error, { logger }: Settings): Awaitable<void> {
  return attempt(
    redaction,
    ({ redact }) => logger.debug('the host took no cookies', () => redact({ reason: message })),
    () => undefined,
  );
}

function sessionRequest(url: string, cookie: string | undefined): Incoming {
  return {
    method: 'GET',
    url,
    header: (name) => (name === 'cookie' ? cookie : undefined),
    headers: () => new Headers(cookie === undefined ? {} : { cookie }),
    body: async () => undefined,
  };
}

/** Whatever is no plain success is no session either: it must not be mistaken for a visitor who is signed out. */
function sessionOf(reply: Reply): Session | null {
  if ((reply.status ?? 200) !== 200 || reply.redirect !== undefined || reply.refused) throw failureOf(reply);
  return plainSession(reply.body);
}

/** The session as a client would get it, and not an object that the application's callback may keep. */
export function plainSession(body: unknown): Session | null {
  const session = plain(body, 'what `callbacks.session` returns') as Session | null | undefined;
  return session && Object.keys(session).length > 0 ? session : null;
}

/**
 * A copy as JSON carries it.
 *
 * @param what It is, for the message.
 * @throws {AuthError} when JSON cannot carry it.
 */
export function plain(value: unknown, what: string): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw new AuthError(`${what} cannot be written as JSON. Use plain data`, { err: errorOf(error) });
  }
}
