import { limits } from '../config/defaults.ts';
import type { Settings } from '../config/settings.ts';
import { SessionRecordsError } from '../errors.ts';
import { recordPage } from '../store/session-records.ts';
import type { RecordKey, SessionRecord } from '../types/session-records.ts';
import { openHandle } from './record.ts';
import { recordStore } from './record-store.ts';
import { isLive, lastExpiry, logRecordsError, readRecord } from './records.ts';

// Each end has the order: row of the adapter, record, event. If a process is killed between two steps, the session is
// over, and the same call can be repeated.

/** Which session ends, and why. */
interface End {
  /** Owner of the session. */
  readonly userId: string;
  readonly id: string;
  /** For the event `sessionEnded`. */
  readonly reason: string;
}

/**
 * Ends a session of a user. Returns the number of sessions that were ended: 0 if the user has no such session.
 *
 * ```ts
 * await endSession(settings, new Date(), { userId: '7', id: record.id, reason: 'user' });
 * ```
 *
 * @throws {SessionRecordsError} if the record store fails, or if no secret opens the token of a database session.
 * @throws {AdapterError} if the adapter fails.
 */
export async function endSession(settings: Settings, now: Date, { userId, id, reason }: End): Promise<number> {
  const record = await readRecord(settings, now, id);
  return isLive(record) && record.userId === userId ? endRecords(settings, [record], reason) : 0;
}

/**
 * Ends the sessions of a user. Returns the number of recorded sessions that were ended.
 *
 * With `provider`, only recorded sessions end. Otherwise an epoch also ends those that have no record. The records of a
 * user who has more than `limits.endedSessions` stay until they expire. Their sessions are over, without an event, and
 * they are not counted.
 *
 * @param end `except` is the id of a session that stays; with `provider` only those that began there end.
 * @throws {SessionRecordsError} if the record store fails, or if no secret opens the token of a database session.
 * @throws {AdapterError} if the adapter fails.
 */
export async function endAllSessions(
  settings: Settings,
  now: Date,
  end: Omit<End, 'id'> & { readonly except?: string | undefined; readonly provider?: string | undefined },
): Promise<number> {
  const { userId, except, provider, reason } = end;
  const isOther = (record: SessionRecord): boolean => record.id !== except;
  if (provider !== undefined) {
    return endMatching(settings, now, { userId }, reason, (record) => isOther(record) && record.provider === provider);
  }
  const deleteRows = await rowsOfUser(settings, now, end);
  // Read first, because the epoch hides the records of the sessions that it ends.
  const records = (await recordsToRemove(settings, now, userId)).filter(isOther);
  const { done, failure } = deleteRows ? { done: records } : await deleteRowsOf(settings, records);
  const store = await recordStore(settings);
  await store.endBefore(userId, { before: now, except, expires: epochExpiry(settings, now) });
  await deleteRows?.();
  const count = await removeRecords(settings, done, reason);
  if (failure) throw failure;
  return count;
}

/** An old session of another library can be moved until its reader is not used any more. */
function epochExpiry(settings: Settings, now: Date): Date {
  const ends = (settings.legacy ?? []).map(({ until }) => new Date(until).getTime());
  return new Date(Math.max(lastExpiry(settings, now).getTime(), ...ends));
}

/**
 * Ends the sessions that began with a session or a user of a provider. Returns the number of sessions that were ended.
 *
 * @param end Only sessions that started before `before` end.
 * @throws {SessionRecordsError} if the record store fails, or if no secret opens the token of a database session.
 * @throws {AdapterError} if the adapter fails.
 */
export function endProviderSessions(
  settings: Settings,
  now: Date,
  { by, before }: { readonly by: RecordKey; readonly before: Date },
): Promise<number> {
  return endMatching(settings, now, by, 'provider', ({ startedAt }) => startedAt.getTime() < before.getTime());
}

/**
 * Ends the sessions of a user beyond `maxPerUser`, those that were seen longest ago. All processes agree on the order,
 * so that parallel sign-ins leave the exact number. A failure is logged: the new session has started.
 */
export async function endSurplus(settings: Settings, now: Date, userId: string): Promise<void> {
  const { maxPerUser } = settings.records ?? {};
  if (maxPerUser === undefined) return;
  try {
    await endMatching(settings, now, { userId }, 'limit', () => true, maxPerUser);
  } catch (error) {
    logRecordsError(settings, error);
  }
}

/**
 * Removes records, and emits the event for each that existed. For database sessions, the rows have to be deleted first.
 *
 * @returns How many records existed.
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function removeRecords(
  settings: Settings,
  records: readonly Pick<SessionRecord, 'id' | 'userId'>[],
  reason: string,
): Promise<number> {
  const store = await recordStore(settings);
  let count = 0;
  for (let index = 0; index < records.length; index += recordPage) {
    const batch = records.slice(index, index + recordPage);
    for (const { id } of batch) store.seen.delete(id);
    const removed = new Set(await store.remove(batch.map(({ id }) => id)));
    for (const { id, userId } of batch.filter((record) => removed.has(record.id))) {
      count += 1;
      await settings.emit('sessionEnded', { userId, id, reason });
    }
  }
  return count;
}

/** Ends those records of a key that match. A page moves up when records before it are removed. */
async function endMatching(
  settings: Settings,
  now: Date,
  by: RecordKey,
  reason: string,
  isMatch: (record: SessionRecord) => boolean,
  skip = 0,
): Promise<number> {
  const store = await recordStore(settings);
  let count = 0;
  let kept = skip;
  for (;;) {
    const page = await store.find(by, now, kept);
    const matching = page.filter(isMatch);
    count += await endRecords(settings, matching, reason);
    kept += page.length - matching.length;
    if (page.length < recordPage) return count;
  }
}

/** The number is bounded, because a store may have to read all records before those of a page. */
async function recordsToRemove(settings: Settings, now: Date, userId: string): Promise<SessionRecord[]> {
  const store = await recordStore(settings);
  const records: SessionRecord[] = [];
  for (;;) {
    const page = await store.find({ userId }, now, records.length);
    records.push(...page);
    if (page.length < recordPage || records.length >= limits.endedSessions) return records;
  }
}

async function endRecords(settings: Settings, records: readonly SessionRecord[], reason: string): Promise<number> {
  const { done, failure } = await deleteRowsOf(settings, records);
  const count = await removeRecords(settings, done, reason);
  if (failure) throw failure;
  return count;
}

/** The records whose rows were deleted, and the reason why others were not. */
interface DeletedRows {
  readonly done: readonly SessionRecord[];
  readonly failure?: SessionRecordsError | undefined;
}

/**
 * Deletes the rows of database sessions. A session in a cookie has no row. A token that no secret opens does not keep
 * the other sessions from ending.
 */
async function deleteRowsOf(settings: Settings, records: readonly SessionRecord[]): Promise<DeletedRows> {
  if (settings.strategy === 'jwt') return { done: records };
  const done: SessionRecord[] = [];
  let failure: SessionRecordsError | undefined;
  for (const record of records) {
    try {
      await deleteRow(settings, record);
      done.push(record);
    } catch (error) {
      if (!(error instanceof SessionRecordsError)) throw error;
      failure ??= error;
    }
  }
  return { done, failure };
}

async function deleteRow(settings: Settings, record: SessionRecord): Promise<void> {
  const token = await openHandle(settings, record);
  const store = await settings.store();
  if (token !== undefined) await store?.deleteSession?.(token);
}

/**
 * Returns a function that deletes all rows of a user, apart from an excepted session; `undefined` if they have to be
 * deleted one by one.
 */
async function rowsOfUser(
  settings: Settings,
  now: Date,
  { userId, except }: { readonly userId: string; readonly except?: string | undefined },
): Promise<(() => Promise<void>) | undefined> {
  if (settings.strategy === 'jwt') return async () => undefined;
  const deleteRows = (await settings.store())?.deleteSessionsByUserId;
  if (!deleteRows || except === undefined) return deleteRows && (() => deleteRows(userId));
  const record = await readRecord(settings, now, except);
  const token = isLive(record) ? await openHandle(settings, record) : undefined;
  return token === undefined ? undefined : () => deleteRows(userId, token);
}
