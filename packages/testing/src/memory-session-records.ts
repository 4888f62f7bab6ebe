import { isOverBy, laterEpoch, recordPage, touchedRecord } from '@latchkey/core/adapters';
import type {
  Awaitable,
  RecordKey,
  RecordTouch,
  SessionEpoch,
  SessionRecord,
  SessionRecords,
} from '@latchkey/core/types';
import { FaultQueue, type RecordFault } from './fault-queue.ts';

/** Options of {@link MemorySessionRecords}. */
export interface MemorySessionRecordsOptions {
  /** Returns the current instant for `cleanup`. Default: the system's clock. */
  now?: (() => Date) | undefined;
  /** Awaited by each step before it reads or writes, so that steps interleave. Default: one microtask. */
  latency?: (() => Awaitable<void>) | undefined;
}

/** A step of a record store. */
export type RecordStep = keyof SessionRecords;

/** A call of a record store in memory. */
export interface RecordCall {
  /** Name of the called method. */
  readonly step: RecordStep;
  /** The arguments of the call, as they were passed. */
  readonly args: readonly unknown[];
}

/** The rows of a record store in memory: records by id, epochs by user. The maps are live: a test may change them. */
export interface MemoryRecordStore {
  /** The records, by the id of the session. */
  readonly records: Map<string, SessionRecord>;
  /** The instants before which sessions have ended, by the id of the user. */
  readonly epochs: Map<string, SessionEpoch>;
}

/** A copy of a {@link MemoryRecordStore}, as lists. */
export interface MemoryRecordDump {
  /** The records, in the order in which they were created. */
  records: SessionRecord[];
  /** The epochs, each with the id of its user. */
  epochs: ({ userId: string } & SessionEpoch)[];
}

type Steps = {
  [K in RecordStep]-?: (
    ...args: Parameters<NonNullable<SessionRecords[K]>>
  ) => Promise<Awaited<ReturnType<NonNullable<SessionRecords[K]>>>>;
};

/** A record store in memory, and the members by which a test inspects and controls it. */
export interface MemorySessionRecords extends Steps {
  /** Its rows, live. */
  readonly store: MemoryRecordStore;
  /** The calls so far, with copies of their arguments. */
  readonly calls: readonly RecordCall[];
  /** Returns a copy of its rows. */
  dump(): MemoryRecordDump;
  /**
   * Makes the next call of a step reject, before it writes or after, or never answer. Several faults of one step apply
   * in order.
   *
   * ```ts
   * records.fail('check', { hang: true, times: Number.POSITIVE_INFINITY });
   * ```
   *
   * @param fault Default: `before`, with an error that names the step.
   */
  fail(step: RecordStep, fault?: RecordFault | Error | 'before' | 'after'): void;
  /** Removes all faults: each step works again. */
  recover(): void;
}

/**
 * Makes a store of session records in memory, for tests. Each step is atomic. Arguments and results are copied.
 *
 * ```ts
 * const records = MemorySessionRecords();
 * const app = application({ config: { session: { records: { store: records } } } });
 * records.fail('endBefore', 'after');
 * ```
 */
export function MemorySessionRecords({
  now = () => new Date(),
  latency,
}: MemorySessionRecordsOptions = {}): MemorySessionRecords {
  const store: MemoryRecordStore = { records: new Map(), epochs: new Map() };
  const faults = new FaultQueue();
  const calls: RecordCall[] = [];
  const steps = stepsOf(store, now);

  function step<K extends RecordStep>(name: K): Steps[K] {
    async function call(...args: unknown[]): Promise<unknown> {
      const given = structuredClone(args);
      calls.push({ step: name, args: structuredClone(args) });
      await latency?.();
      const fault = faults.take(name);
      if (fault?.when === 'before') return failed(fault);
      const work: (...given: never[]) => unknown = steps[name];
      const result = work(...(given as never[]));
      return fault ? failed(fault) : structuredClone(result);
    }
    return call as Steps[K];
  }

  return {
    create: step('create'),
    check: step('check'),
    find: step('find'),
    remove: step('remove'),
    endBefore: step('endBefore'),
    cleanup: step('cleanup'),
    store,
    calls,
    dump: () => dumpOf(store),
    fail: (name, fault = 'before') => faults.add(name, fault),
    recover: () => faults.clear(),
  };
}

async function failed({ error, hang }: { readonly error: Error; readonly hang: boolean }): Promise<never> {
  if (hang) return new Promise(() => {});
  throw error;
}

/** Returns the steps. Each is synchronous, so it is atomic. */
function stepsOf(store: MemoryRecordStore, clock: () => Date) {
  const { records, epochs } = store;
  return {
    create: (record: SessionRecord): void => {
      const present = records.get(record.id);
      if (!present || isExpired(present, record.seenAt)) records.set(record.id, withoutAbsent(record));
    },
    check: (id: string, touch: RecordTouch): SessionRecord | 'ended' | 'unknown' => {
      const record = records.get(id);
      if (!record || isExpired(record, touch.now)) return 'unknown';
      if (isOverBy(epochs.get(record.userId), record)) return 'ended';
      if (record.seenAt.getTime() >= touch.after.getTime()) return record;
      const next = touchedRecord(record, touch);
      records.set(id, next);
      return next;
    },
    find: (by: RecordKey, now: Date, skip = 0): readonly SessionRecord[] =>
      [...records.values()]
        .filter((record) => hasKey(record, by) && !isExpired(record, now))
        .filter((record) => !isOverBy(epochs.get(record.userId), record))
        .sort(lastSeenFirst)
        .slice(skip, skip + recordPage),
    remove: (ids: readonly string[]): readonly string[] => ids.filter((id) => records.delete(id)),
    endBefore: (userId: string, epoch: SessionEpoch): void => {
      epochs.set(userId, withoutAbsent(laterEpoch(epochs.get(userId), epoch)));
    },
    cleanup: (now: Date = clock()): number => removeExpired(records, now) + removeExpired(epochs, now),
  };
}

function isExpired({ expires }: { readonly expires: Date }, now: Date): boolean {
  return expires.getTime() <= now.getTime();
}

function hasKey(record: SessionRecord, by: RecordKey): boolean {
  return Object.entries(by).every(([name, value]) => value !== undefined && Reflect.get(record, name) === value);
}

function lastSeenFirst(a: SessionRecord, b: SessionRecord): number {
  return b.seenAt.getTime() - a.seenAt.getTime() || (a.id < b.id ? -1 : 1);
}

function removeExpired(rows: Map<string, { readonly expires: Date }>, now: Date): number {
  const expired = [...rows].filter(([, row]) => isExpired(row, now));
  for (const [key] of expired) rows.delete(key);
  return expired.length;
}

function dumpOf({ records, epochs }: MemoryRecordStore): MemoryRecordDump {
  return structuredClone({
    records: [...records.values()],
    epochs: [...epochs].map(([userId, epoch]) => ({ userId, ...epoch })),
  });
}

/** Leaves out members that are undefined: a database would return them as absent, too. */
function withoutAbsent<T extends object>(row: T): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T;
}
