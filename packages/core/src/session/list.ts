import type { Settings } from '../config/settings.ts';
import type { EndedSessions, SessionInfo, SessionRecord } from '../types/session-records.ts';
import { listRecords } from './records.ts';

/**
 * Returns the sessions of a user as the user may see them: at most 100, the last seen first.
 *
 * @param currentId Id of the session of the request. Default: the caller is not a visitor.
 */
export async function listSessions(
  settings: Settings,
  now: Date,
  userId: string,
  currentId?: string,
): Promise<SessionInfo[]> {
  const records = await listRecords(settings, now, userId);
  return records.map((record) => {
    const { id, label, network, provider, startedAt, seenAt } = record;
    return {
      id,
      current: id === currentId,
      label,
      network,
      provider,
      startedAt,
      seenAt,
      expires: expiryOf(settings, record),
    };
  });
}

/** A record outlives its session, so its own expiry is later. */
function expiryOf({ session, maxLifetime = Number.POSITIVE_INFINITY }: Settings, record: SessionRecord): Date {
  const { startedAt, seenAt } = record;
  return new Date(Math.min(seenAt.getTime() + session.maxAge * 1000, startedAt.getTime() + maxLifetime * 1000));
}

/** Returns the result of an end. */
export function endedSessions({ records }: Settings, count: number): EndedSessions {
  return { count, within: records?.revocationLag ?? 0 };
}
