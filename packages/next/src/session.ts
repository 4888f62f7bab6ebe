import { readSession, type SessionVisit } from '@latchkey/core/binding';
import { AuthError } from '@latchkey/core/errors';
import type { Session } from '@latchkey/core/types';
import { type ConfigSource, type Configured, configuredFor } from './config.ts';

/** What is asked for a session, once its configuration is known. */
type VisitOf = (configured: Configured) => Omit<SessionVisit, 'basePath'>;

/** The session, `null` without one. Where that cannot be told it is `null`, too, and the log tells why: doors stay closed. */
export async function sessionFor(configured: Configured, visit: ReturnType<VisitOf>): Promise<Session | null> {
  try {
    return await readSession(configured, { ...visit, basePath: configured.basePath });
  } catch (error) {
    // The library has logged its own.
    if (!(error instanceof AuthError)) console.error(error);
    return null;
  }
}

/** As {@link sessionFor}; a function configuration that fails is no session either. */
export async function sessionFrom(source: ConfigSource, request: unknown, visitOf: VisitOf): Promise<Session | null> {
  try {
    const configured = await configuredFor(source, request);
    return await sessionFor(configured, visitOf(configured));
  } catch (error) {
    rethrowOwn(error);
    console.error(error);
    return null;
  }
}

/**
 * Next leaves functions by exceptions of its own (a redirect, a page that cannot be made at build time): those go on. It marks them
 * with a digest. `unstable_rethrow` would know them, but `next/navigation.js` cannot be bundled into route handlers.
 */
export function rethrowOwn(error: unknown): void {
  if (typeof (error as { digest?: unknown } | null)?.digest === 'string') throw error;
}
