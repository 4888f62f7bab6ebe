import { limits } from '../config/defaults.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { randomBase64Url } from '../crypto/bytes.ts';
import { errorOf, SessionRecordsError } from '../errors.ts';
import type { RecordTouch, SessionFacts, SessionRecord } from '../types/session-records.ts';
import { factsWithoutSignIn } from './facts.ts';
import { newRecord, type RecordSource } from './record.ts';
import { type RecordStore, recordStore } from './record-store.ts';

export { idTokenOf, providerKey } from './record.ts';

/** The result of a check: the record of a live session, or the reason why the session is not live. */
export type RecordAnswer = SessionRecord | 'ended' | 'unknown';

/**
 * Tests whether this process has found a session live so recently that it need not be checked again. A promise only
 * until the record store of the configuration is known.
 *
 * @param seconds Default: `revocationLag`.
 */
export function isCheckedLately(
  settings: Settings,
  now: Date,
  id: string,
  seconds: number = lagOf(settings),
): boolean | Promise<boolean> {
  const store = recordStore(settings);
  const isChecked = ({ seen }: RecordStore): boolean => isRecent(seen.get(id), now, seconds);
  return store instanceof Promise ? store.then(isChecked) : isChecked(store);
}

/**
 * Checks a session in the record store, for a request that accepts an answer from less than `revocationLag` ago:
 * parallel requests share a call.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function checkShared(settings: Settings, now: Date, id: string): Promise<RecordAnswer> {
  const store = await recordStore(settings);
  const running = store.running.get(id);
  if (running && isRecent(running.at, now, lagOf(settings))) return running.answer;
  const started = { at: now.getTime(), answer: check(store, settings, now, id) };
  store.running.set(id, started);
  try {
    return await started.answer;
  } finally {
    if (store.running.get(id) === started) store.running.delete(id);
  }
}

/**
 * Checks a session in the record store, by a call of its own.
 *
 * @param handle The sealed token of a database session. Default: the record's token stays.
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function checkRecord(settings: Settings, now: Date, id: string, handle?: string): Promise<RecordAnswer> {
  return check(await recordStore(settings), settings, now, id, handle);
}

/** Only "live" is remembered, with the instant before the call. */
async function check(
  store: RecordStore,
  settings: Settings,
  now: Date,
  id: string,
  handle?: string,
): Promise<RecordAnswer> {
  const answer = await store.check(id, touchOf(settings, now, handle));
  if (isLive(answer)) store.seen.set(id, now.getTime());
  else store.seen.delete(id);
  return answer;
}

/** Tests whether a check has found a live session. */
export function isLive(answer: RecordAnswer): answer is SessionRecord {
  return typeof answer === 'object';
}

/** An instant in the future does not count: the clock was set back. */
function isRecent(at: number | undefined, now: Date, seconds: number): boolean {
  if (at === undefined) return false;
  const age = now.getTime() - at;
  return age >= 0 && age < seconds * 1000;
}

/**
 * Looks a session up in the record store, and changes nothing.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function readRecord(settings: Settings, now: Date, id: string): Promise<RecordAnswer> {
  const store = await recordStore(settings);
  return store.check(id, { now, after: new Date(0), expires: now });
}

/**
 * Returns the live sessions of a user, at most 100. The last seen comes first.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function listRecords(settings: Settings, now: Date, userId: string): Promise<readonly SessionRecord[]> {
  const store = await recordStore(settings);
  return (await store.find({ userId }, now)).slice(0, limits.listedSessions);
}

/** The values of a new record. `expires` follows from the options. */
type NewRecord = Omit<RecordSource, 'expires'>;

/**
 * Stores the record of a session, and checks it: all sessions of the user may have been ended in the meantime.
 *
 * @returns `null` if the session has ended. Its record is removed again.
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function createRecord(
  context: Context,
  facts: SessionFacts,
  source: NewRecord,
): Promise<SessionRecord | null> {
  const { settings, now } = context;
  const store = await recordStore(settings);
  await store.create(await newRecord(context, facts, { ...source, expires: touchOf(settings, now).expires }));
  const answer = await check(store, settings, now, facts.id);
  if (isLive(answer)) return answer;
  if (answer === 'unknown') throw new SessionRecordsError('the record store has not kept a new record');
  await store.remove([facts.id]);
  return null;
}

/**
 * Stores the record of a new session.
 *
 * @throws {SessionRecordsError} if the record store fails, or if all sessions of the user were ended in the meantime.
 */
export async function startRecord(context: Context, facts: SessionFacts, source: NewRecord): Promise<void> {
  if (await createRecord(context, facts, source)) return;
  throw new SessionRecordsError(
    'all sessions of the user were ended while this one began. If this happens often, the clocks of the servers differ',
  );
}

/**
 * Tests whether all sessions of a user that started at an instant have been ended. Only the check of a record tells it,
 * so one is written for a moment.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function isBeforeEpoch(context: Context, userId: string, startedAt: Date): Promise<boolean> {
  const id = randomBase64Url(16);
  if ((await createRecord(context, factsWithoutSignIn(id, startedAt), { userId })) === null) return true;
  const store = await recordStore(context.settings);
  store.seen.delete(id);
  await store.remove([id]);
  return false;
}

/** Writes an error of the record store to the log, if the request continues without the store. */
export function logRecordsError({ logger }: Settings, error: unknown): void {
  const isKnown = error instanceof SessionRecordsError;
  logger.error(isKnown ? error : new SessionRecordsError('the record store failed', { err: errorOf(error) }));
}

/** Seconds by which the clocks of the processes may differ. */
const CLOCKS = 60;

/**
 * Returns what a check writes. `seenAt` moves at most once in ten minutes, or in half of `maxAge`. A process that has
 * checked the session may issue a token until `revocationLag` has passed, so the record has to outlive that token.
 */
function touchOf(settings: Settings, now: Date, handle?: string): RecordTouch {
  const pause = Math.min(limits.recordTouch, settings.session.maxAge / 2);
  return { now, after: secondsAfter(now, -pause), expires: lastExpiry(settings, now), handle };
}

/** Returns the instant at which the tokens of all present sessions have expired, unless they are extended. */
export function lastExpiry(settings: Settings, now: Date): Date {
  const { session, tokenMaxAge } = settings;
  const pause = Math.min(limits.recordTouch, session.maxAge / 2);
  return secondsAfter(now, Math.max(session.maxAge, tokenMaxAge) + pause + lagOf(settings) + CLOCKS);
}

function lagOf({ records }: Settings): number {
  return records?.revocationLag ?? 0;
}

function secondsAfter(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
