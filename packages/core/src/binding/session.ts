import { handle } from '../auth.ts';
import type { EnvConfigured } from '../config/env.ts';
import { settingsFor } from '../config/settings.ts';
import type { Incoming, Reply } from '../context.ts';
import { AuthError } from '../errors.ts';
import type { Session } from '../types.ts';

/** What decides about the session of a request: nothing else of it is looked at. */
export interface SessionVisit {
  /** Our origin as the host knows it; that of the environment wins. Its protocol tells the names of the cookies. */
  readonly origin: string;
  /** The `Cookie` header. */
  readonly cookie: string | undefined;
}

/**
 * The session as its client may see it, `null` without one. Cookies that the reading would renew are not set.
 *
 * @throws {AuthError} when it cannot be told whether there is one: the configuration is wrong, or the request names no host.
 */
export async function readSession(
  { config, call }: EnvConfigured,
  { origin, cookie }: SessionVisit,
): Promise<Session | null> {
  const settings = settingsFor(config);
  const { basePath } = settings;
  const incoming = sessionRequest(`${call.origin ?? origin}${basePath}/session`, cookie);
  return sessionOf(await handle(incoming, settings, { ...call, basePath }));
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
function sessionOf({ status = 200, redirect, refused, body }: Reply): Session | null {
  if (status !== 200 || redirect !== undefined || refused) {
    throw new AuthError(messageOf(body) ?? 'The session could not be read', { status });
  }
  // A copy as JSON carries it: what a client would get, and not an object that the application's callback may keep.
  const session = JSON.parse(JSON.stringify(body ?? null)) as Session | null;
  return session && Object.keys(session).length > 0 ? session : null;
}

function messageOf(body: unknown): string | undefined {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}
