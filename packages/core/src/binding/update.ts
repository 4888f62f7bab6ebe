import type { EnvConfigured } from '../config/env.ts';
import type { Session } from '../types.ts';
import { ask, deskOf, failureOf, type Host } from './host.ts';
import { plain, plainSession } from './session.ts';

/**
 * Hands data to the application's callbacks with the trigger `update`, and keeps what they make of it.
 *
 * @param data Plain data: the callbacks get it as JSON carries it, whether a server or a client updates.
 * @returns The session as it is now, `null` without one.
 * @throws {AuthError} when `data` is no plain data, or the session could not be asked for.
 * @throws {CookiesNotWritable} before anything is done, where no cookie can be set.
 */
export async function updateSession(configured: EnvConfigured, host: Host, data: unknown): Promise<Session | null> {
  const fields = { data: plain(data, 'what a session is updated with') };
  const reply = await ask(deskOf(configured, host), host, { action: 'session', fields });
  if (reply.refused || reply.redirect !== undefined) throw failureOf(reply);
  return plainSession(reply.body);
}
