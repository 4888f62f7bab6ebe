import { pendingMail, readSession, type SessionVisit } from '@latchkey/core/binding';
import { AuthError } from '@latchkey/core/errors';
import type { MailStatus, Session } from '@latchkey/core/types';
import { type ConfigSource, type Configured, configuredFor } from './config.ts';

/** Makes the parameters of a session read from the configuration. */
export type VisitOf = (configured: Configured) => Omit<SessionVisit, 'basePath'>;

/** Reads the session. A failure is logged and means `null`, so that guards refuse the request. */
export async function sessionFor(configured: Configured, visit: ReturnType<VisitOf>): Promise<Session | null> {
  try {
    return await readSession(configured, { ...visit, basePath: configured.basePath });
  } catch (error) {
    // An AuthError has been logged already.
    if (!(error instanceof AuthError)) console.error(error);
    return null;
  }
}

/** Reads the session as {@link sessionFor} does. A configuration function that fails means `null`, too. */
export async function sessionFrom(source: ConfigSource, request: unknown, visitOf: VisitOf): Promise<Session | null> {
  try {
    const configured = await configuredFor(source, request);
    return await sessionFor(configured, visitOf(configured));
  } catch (error) {
    rethrowNextError(error);
    console.error(error);
    return null;
  }
}

/** Reads the pending mail. It fails as {@link sessionFrom} does. */
export async function mailFrom(
  source: ConfigSource,
  request: unknown,
  provider: string | undefined,
  visitOf: VisitOf,
): Promise<MailStatus | null> {
  try {
    const configured = await configuredFor(source, request);
    return await pendingMail(configured, { ...visitOf(configured), basePath: configured.basePath }, provider);
  } catch (error) {
    rethrowNextError(error);
    if (!(error instanceof AuthError)) console.error(error);
    return null;
  }
}

/**
 * Throws the exceptions by which Next leaves functions: a redirect, a page that cannot be rendered at build time. Next
 * marks them with a digest. Its own `unstable_rethrow` is in `next/navigation.js`, which route handlers cannot bundle.
 */
export function rethrowNextError(error: unknown): void {
  if (typeof (error as { digest?: unknown } | null)?.digest === 'string') throw error;
}
