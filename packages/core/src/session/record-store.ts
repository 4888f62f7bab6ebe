import { BoundedMap } from '../bounded-map.ts';
import { limits } from '../config/defaults.ts';
import type { RecordSettings, Settings } from '../config/settings.ts';
import { errorOf, SessionRecordsError } from '../errors.ts';
import { isRecord } from '../plain-object.ts';
import type { SessionRecord, SessionRecords } from '../types/session-records.ts';
import { withinTime } from '../wire/deadline.ts';

/** The record store as sessions use it: each failure is a {@link SessionRecordsError}, and each step has a deadline. */
export interface RecordStore extends Steps {
  /** When this process last found a session live, in milliseconds, by its id. */
  readonly seen: BoundedMap<string, number>;
  /** The checks that wait for the store, by the id of the session. */
  readonly running: Map<string, RunningCheck>;
  /** When this process ended the sessions of a logout token, in milliseconds, by a hash of the token's ids. */
  readonly logoutTokens: BoundedMap<string, number>;
}

/** A check that waits for the store. */
interface RunningCheck {
  /** The instant before the call, in milliseconds. */
  readonly at: number;
  readonly answer: Promise<SessionRecord | 'ended' | 'unknown'>;
}

/** The steps of a record store, as promises. */
type Steps = {
  readonly [K in 'create' | 'check' | 'find' | 'remove' | 'endBefore']: (
    ...args: Parameters<SessionRecords[K]>
  ) => Promise<Awaited<ReturnType<SessionRecords[K]>>>;
};

/** By the application's store, which several configurations may share. */
const known = new WeakMap<SessionRecords, RecordStore>();

/** By the settings. A session read takes 2 % less time with the store itself than with a promise. */
const found = new WeakMap<RecordSettings, RecordStore>();

/**
 * Returns the record store of a configuration.
 *
 * @throws {SessionRecordsError} if no records are kept, or if the adapter of a function has no record store.
 * @throws {AdapterError} if the adapter cannot be made.
 */
export function recordStore({ records }: Settings): RecordStore | Promise<RecordStore> {
  return (records && found.get(records)) ?? findRecordStore(records);
}

async function findRecordStore(records: RecordSettings | undefined): Promise<RecordStore> {
  const store = await records?.store();
  if (!records || !store) {
    throw new SessionRecordsError(
      '`session.records` needs a store. Set `records.store` to `SqlSessionRecords(db)` or `RedisSessionRecords(client)`',
    );
  }
  const made = known.get(store) ?? wrap(store);
  known.set(store, made);
  found.set(records, made);
  return made;
}

function wrap(store: SessionRecords): RecordStore {
  return {
    create: (record) => step('create', () => store.create(record)),
    check: (id, touch) => step('check', () => store.check(id, touch), isAnswer),
    find: (by, now, skip) => step('find', () => store.find(by, now, skip), Array.isArray),
    remove: (ids) => step('remove', () => store.remove(ids), Array.isArray),
    endBefore: (userId, epoch) => step('endBefore', () => store.endBefore(userId, epoch)),
    seen: new BoundedMap(limits.checkedSessions),
    running: new Map(),
    logoutTokens: new BoundedMap(limits.logoutTokens),
  };
}

/** Otherwise the empty answer of a broken store would count as a live session. */
function isAnswer(answer: unknown): boolean {
  return answer === 'ended' || answer === 'unknown' || isRecord(answer);
}

/** The step may still be carried out after the deadline; each step may be repeated. */
async function step<T>(
  name: keyof Steps,
  call: () => T | PromiseLike<T>,
  isValid: (answer: unknown) => boolean = () => true,
): Promise<Awaited<T>> {
  try {
    const answer = await withinTime((async () => call())(), limits.recordsTime);
    if (!isValid(answer)) throw new TypeError('the result is not that of a record store');
    return answer;
  } catch (error) {
    throw new SessionRecordsError(`the record store's \`${name}\` failed`, { err: errorOf(error), step: name });
  }
}
