import {
  epochFields,
  isOverBy,
  laterEpoch,
  type RecordField,
  recordFields,
  recordPage,
  touchedRecord,
} from '@latchkey/core/adapters';
import type { RecordKey, RecordTouch, SessionEpoch, SessionRecord } from '@latchkey/core/types';
import { partOf, type RecordList } from '../keys.ts';
import { retry, type Step, type Write } from '../plan.ts';
import { type Members, markOf, membersOf, ownerOf, rowText } from '../row.ts';
import { KEEP, lifetime, type Store } from '../store.ts';
import { checked, lookupPart, type MemberKinds, required } from '../values.ts';

/*
 * A record is one key, and so is the epoch of a user. A check knows only the id of the session, so it cannot read both
 * at once: in a cluster they are on different servers. It reads the record first, and then the epoch. Epochs only ever
 * end more sessions. So if the epoch does not end the session, the session was live when its record was read. An end
 * that was complete before the check is never missed.
 *
 * Three lists lead from a user, a provider session and a provider user to the ids of their records. A record is listed
 * before it is stored, and stays listed until its session has ended, so a list never misses a live record. An entry
 * whose record does not exist is removed when it is found an hour later.
 */

/** The steps of the record store. */
export interface RecordSteps {
  create(record: SessionRecord): Promise<void>;
  check(id: string, touch: RecordTouch): Promise<SessionRecord | 'ended' | 'unknown'>;
  find(by: RecordKey, now: Date, skip?: number): Promise<readonly SessionRecord[]>;
  remove(ids: readonly string[]): Promise<readonly string[]>;
  endBefore(userId: string, epoch: SessionEpoch): Promise<void>;
}

/** Returns the steps of the record store. */
export function sessionRecordsOf(store: Store): RecordSteps {
  return {
    create: (record) => create(store, record),
    check: (id, touch) => check(store, id, touch),
    find: (by, now, skip = 0) => find(store, by, now, skip),
    remove: async (ids) => {
      const removed = await Promise.all([...new Set(ids)].map(async (id) => ((await remove(store, id)) ? [id] : [])));
      return removed.flat();
    },
    endBefore: (userId, epoch) => endBefore(store, userId, epoch),
  };
}

async function create(store: Store, record: SessionRecord): Promise<void> {
  const row = recordText(record);
  const key = recordKey(store, record.id);
  let expired: string | null = null;
  await retry(async () => {
    const free = expired === null ? (['absent', key] as const) : (['is', key, expired] as const);
    const unmet = await store.commit([listed(store, record), { need: [free], write: [put(store, record, row)] }]);
    if (unmet === null) return { done: true };
    expired = await store.get(key);
    // The server keeps an expired record for another hour.
    return expired !== null && markOf(expired) > record.seenAt.getTime() ? { done: false } : undefined;
  });
}

async function check(store: Store, id: string, touch: RecordTouch): Promise<SessionRecord | 'ended' | 'unknown'> {
  const part = lookupPart(id);
  if (part === null) return 'unknown';
  const key = store.keys.of('record', part);
  return retry<SessionRecord | 'ended' | 'unknown'>(async () => {
    const row = await store.get(key);
    if (row === null || markOf(row) <= touch.now.getTime()) return { done: 'unknown' };
    const epoch = await readEpoch(store, ownerOf(row));
    const record = membersOf<SessionRecord>(row);
    if (isOverBy(epoch, record)) return { done: 'ended' };
    if (record.seenAt.getTime() >= touch.after.getTime()) return { done: record };
    const next = touchedRecord(record, touch);
    const write = put(store, next, recordText(next));
    const unmet = await store.commit([listed(store, next), { need: [['is', key, row]], write: [write] }]);
    return unmet === null ? { done: next } : undefined;
  });
}

async function find(store: Store, by: RecordKey, now: Date, skip: number): Promise<readonly SessionRecord[]> {
  const [kind, part] = listOf(by);
  if (part === null) return [];
  const list = store.keys.of(kind, part);
  // A record that is seen during the reads moves to the beginning, and the one before it is read twice.
  const live = new Map<string, SessionRecord>();
  const missing: string[] = [];
  for (let from = 0, isLast = false; !isLast && live.size < skip + recordPage; ) {
    const ids = await store.ranked(list, from, recordPage);
    isLast = ids.length < recordPage;
    const rows = await store.getAll(ids.map((id) => recordKey(store, id)));
    missing.push(...ids.filter((_, index) => rows[index] === null));
    const records = await unexpired(store, rows, now);
    for (const { record, isOver } of records) if (!isOver && isListed(record, by)) live.set(record.id, record);
    const over = records.filter(({ isOver }) => isOver).map(({ record }) => record.id);
    // A user may have ended very many sessions: the next call must not read their records again.
    await unlist(store, list, over, ENDED);
    from += ids.length - over.length;
  }
  // Another process may be storing the record of a later entry.
  await unlist(store, list, missing, now.getTime() - KEEP);
  return [...live.values()].sort(lastSeenFirst).slice(skip, skip + recordPage);
}

/** A session that is over never becomes live again, so its entry is removed whenever it was last seen. */
const ENDED = Number.MAX_SAFE_INTEGER;

/** A record that has not expired, and whether its session is over. */
interface Unexpired {
  readonly record: SessionRecord;
  readonly isOver: boolean;
}

/** Returns the records that have not expired. Epochs are read after the records, as by a check. */
async function unexpired(store: Store, rows: readonly (string | null)[], now: Date): Promise<Unexpired[]> {
  const present = rows.filter((row) => row !== null && markOf(row) > now.getTime()).map(String);
  const owners = [...new Set(present.map(ownerOf))];
  const epochs = new Map<string, SessionEpoch | null>();
  await Promise.all(owners.map(async (owner) => epochs.set(owner, await readEpoch(store, owner))));
  return present.map((row) => {
    const record = membersOf<SessionRecord>(row);
    return { record, isOver: isOverBy(epochs.get(ownerOf(row)), record) };
  });
}

/** Removes entries of a list that were last seen at an instant or before. */
async function unlist(store: Store, list: string, ids: readonly string[], seen: number): Promise<void> {
  if (ids.length === 0) return;
  await store.commit([{ write: ids.map((id): Write => ['unrank', list, id, String(seen)]) }]);
}

/** Returns whether this call has removed the record. */
async function remove(store: Store, id: string): Promise<boolean> {
  const part = lookupPart(id);
  const key = part && store.keys.of('record', part);
  const row = key && (await store.get(key));
  if (!key || !row) return false;
  const record = membersOf<SessionRecord>(row);
  const seen = String(record.seenAt.getTime());
  // If the same id is stored again meanwhile, its entry has a later instant and stays.
  const unlisted = listsOf(store, record).map((list): Step => ({ write: [['unrank', list, id, seen]] }));
  const unmet = await store.commit([{ need: [['exists', key]], write: [['drop', key]] }, unlisted]);
  return unmet === null;
}

async function endBefore(store: Store, userId: string, epoch: SessionEpoch): Promise<void> {
  const members = membersFor('epoch', epochFields, { ...epoch, userId });
  const key = store.keys.of('epoch', partOf(required('userId', userId)));
  await retry(async () => {
    const row = await store.get(key);
    const { before, except, expires } = laterEpoch(row === null ? null : epochOf(row), epoch);
    const next = rowText(null, expires.getTime(), { ...members, before, except, expires });
    const need = row === null ? (['absent', key] as const) : (['is', key, row] as const);
    const write = ['put', key, next, lifetime(expires, store.now())] as const;
    return (await store.commit([{ need: [need], write: [write] }])) === null ? { done: true } : undefined;
  });
}

async function readEpoch(store: Store, owner: string): Promise<SessionEpoch | null> {
  const row = await store.get(store.keys.of('epoch', owner));
  return row === null ? null : epochOf(row);
}

function epochOf(row: string): SessionEpoch {
  return membersOf<{ userId: string } & SessionEpoch>(row);
}

/** Returns the steps that list a record, or move it to the beginning of its lists. */
function listed(store: Store, record: SessionRecord): Step[] {
  const { id, seenAt, expires } = record;
  const rest = [id, String(seenAt.getTime()), lifetime(expires, store.now())] as const;
  return listsOf(store, record).map((list): Step => ({ write: [['rank', list, ...rest]] }));
}

function put(store: Store, { id, expires }: SessionRecord, row: string): Write {
  return ['put', recordKey(store, id), row, lifetime(expires, store.now())];
}

function recordKey(store: Store, id: string): string {
  return store.keys.of('record', partOf(id));
}

/** Returns the keys of the lists that a record is in. */
function listsOf({ keys }: Store, { userId, providerSession, providerUser }: SessionRecord): string[] {
  const lists = [keys.of('records', partOf(userId))];
  if (providerSession !== undefined) lists.push(keys.of('providerSessions', partOf(providerSession)));
  if (providerUser !== undefined) lists.push(keys.of('providerUsers', partOf(providerUser)));
  return lists;
}

function listOf(by: RecordKey): [kind: RecordList, part: string | null] {
  if ('userId' in by) return ['records', lookupPart(by.userId)];
  if ('providerSession' in by) return ['providerSessions', lookupPart(by.providerSession)];
  return ['providerUsers', lookupPart(by.providerUser)];
}

/** An entry may name a record that another user has, if a step has stopped midway. */
function isListed(record: SessionRecord, by: RecordKey): boolean {
  return Object.entries(by).every(([name, value]) => Reflect.get(record, name) === value);
}

function lastSeenFirst(a: SessionRecord, b: SessionRecord): number {
  return b.seenAt.getTime() - a.seenAt.getTime() || (a.id < b.id ? -1 : 1);
}

/** The owner is the user, so that a check finds the epoch. The mark is the expiry. */
function recordText(record: SessionRecord): string {
  const members = membersFor('record', recordFields, record);
  return rowText(partOf(record.userId), record.expires.getTime(), members);
}

/** @throws {TypeError} if a value is missing, or cannot be stored exactly. */
function membersFor(name: string, fields: Readonly<Record<string, RecordField>>, row: object): Members {
  const kinds = { key: 'key', text: 'text', list: 'json', date: 'date' } as const;
  const memberKinds: MemberKinds = Object.fromEntries(
    Object.entries(fields).map(([field, { kind }]) => [field, kinds[kind]]),
  );
  const members = checked(name, memberKinds, row, 'leave out');
  const missing = Object.keys(fields).find((field) => !fields[field]?.optional && !Object.hasOwn(members, field));
  if (missing !== undefined) throw new TypeError(`${name}.${missing} is missing`);
  return members;
}
