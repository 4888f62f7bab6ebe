import type { RecordTouch, SessionEpoch, SessionRecord } from '../types/session-records.ts';

/** Records that `find` of a record store returns at once. It returns fewer only if there are no more. */
export const recordPage = 200;

/**
 * Tests whether the epoch of a user ends a session.
 *
 * ```ts
 * if (isOverBy(epoch, record)) return 'ended';
 * ```
 *
 * @param epoch Default: the user has no epoch, so the session continues.
 */
export function isOverBy(
  epoch: Pick<SessionEpoch, 'before' | 'except'> | null | undefined,
  { id, startedAt }: Pick<SessionRecord, 'id' | 'startedAt'>,
): boolean {
  return !!epoch && startedAt.getTime() < epoch.before.getTime() && epoch.except !== id;
}

/**
 * Returns the epoch that a record store keeps if a user gets a further one, see `endBefore` of `SessionRecords`. The
 * order of the two does not matter.
 *
 * ```ts
 * epochs.set(userId, laterEpoch(epochs.get(userId), epoch));
 * ```
 *
 * @param present Default: the user has no epoch.
 */
export function laterEpoch(present: SessionEpoch | null | undefined, next: SessionEpoch): SessionEpoch {
  if (!present) return next;
  const order = next.before.getTime() - present.before.getTime();
  const expires = present.expires.getTime() > next.expires.getTime() ? present.expires : next.expires;
  if (order !== 0) return { ...(order > 0 ? next : present), expires };
  return { before: next.before, except: present.except === next.except ? next.except : undefined, expires };
}

/**
 * Returns a record as it is after a check has written it. `expires` never moves to an earlier instant.
 *
 * ```ts
 * if (record.seenAt < touch.after) records.set(id, touchedRecord(record, touch));
 * ```
 */
export function touchedRecord(record: SessionRecord, { now, expires, handle }: RecordTouch): SessionRecord {
  return {
    ...record,
    seenAt: new Date(now),
    expires: new Date(Math.max(record.expires.getTime(), expires.getTime())),
    ...(handle !== undefined && { handle }),
  };
}
