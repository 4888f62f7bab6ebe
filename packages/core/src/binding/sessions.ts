import type { EnvConfigured } from '../config/env.ts';
import { SessionRecordsError } from '../errors.ts';
import type { EndedSessions, SessionInfo, VisitorSessions } from '../types/session-records.ts';
import type { Awaitable } from '../types/user.ts';
import { readAsScript } from './reading.ts';
import { callAction, type Host, JSON_TYPE, type ServerCall, serverCall } from './server-call.ts';
import { successOf } from './session.ts';

/** A request in progress, with the configuration that applies to it. */
export interface Visitor {
  /** The configuration for this request, with the environment's values. */
  readonly configured: EnvConfigured;
  /** The request, as its framework presents it. */
  readonly host: Host;
}

/**
 * Returns the functions that list and end the sessions of a visitor.
 *
 * ```ts
 * const sessions = sessionsOfVisitor(() => ({ configured: withEnv(config, process.env), host }));
 * await sessions.endOthers(); // { count: 2, within: 10 }
 * ```
 *
 * @param open Called with each call of a function.
 * @throws {AuthError} With each call, if the configuration has a problem or lacks `session.records`, and if the record
 *   store fails.
 */
export function sessionsOfVisitor(open: () => Awaitable<Visitor>): VisitorSessions {
  const end = async (value: string): Promise<EndedSessions> => endSessions(await open(), value);
  return {
    list: async () => listSessions(await open()),
    end,
    endOthers: () => end('others'),
    endAll: () => end('all'),
  };
}

async function listSessions({ configured, host }: Visitor): Promise<SessionInfo[]> {
  const { body } = await readAsScript(recordedCall(configured, host), host, 'sessions');
  return (body as { sessions: SessionInfo[] }).sessions;
}

/**
 * Returns the visitor of a request for a change of the account or of sessions, which no other site may cause. So links
 * of other sites are refused, too, if an application makes such a change with GET.
 */
export function requireSameOrigin({ configured, host }: Visitor): Visitor {
  return { configured, host: { ...host, forms: 'same-origin' } };
}

async function endSessions(visitor: Visitor, end: string): Promise<EndedSessions> {
  const { configured, host } = requireSameOrigin(visitor);
  const call = recordedCall(configured, host);
  const request = { action: 'sessions', fields: { end }, accept: JSON_TYPE } as const;
  return successOf(await callAction(call, host, request)).body as EndedSessions;
}

/** @throws {SessionRecordsError} If the configuration keeps no records. */
function recordedCall(configured: EnvConfigured, host: Host): ServerCall {
  const call = serverCall(configured, host);
  if (call.settings.records) return call;
  throw new SessionRecordsError('the sessions of a visitor need `session.records`. Set it in the configuration');
}
