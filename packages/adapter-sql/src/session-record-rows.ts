import { epochFields, isOverBy, type RecordField, recordFields, touchedRecord } from '@latchkey/core/adapters';
import type { RecordKey, RecordTouch, SessionEpoch, SessionRecord } from '@latchkey/core/types';
import { type Codec, codecOf, type Encoded, textOf } from './codec.ts';
import type { Engine, Result, Row, SqlValue } from './dialect.ts';
import type { OwnColumn } from './own-tables.ts';
import { REMOVED, type RecordTables, recordStatements, SWEPT } from './session-record-statements.ts';

/** The columns of a record. */
export const recordColumns: readonly OwnColumn[] = columnsOf(recordFields);

/** The columns of a user's epoch. */
export const epochColumns: readonly OwnColumn[] = columnsOf(epochFields);

/** Instants are integers in milliseconds, which every database compares and returns exactly. */
function columnsOf(fields: Readonly<Record<string, RecordField>>): OwnColumn[] {
  const kinds = { key: 'key', text: 'text', list: 'text', date: 'number' } as const;
  return Object.entries(fields).map(([name, { kind, optional }]) => ({ name, kind: kinds[kind], optional }));
}

/** Every key is text, and every instant a number of milliseconds. */
const SHAPE = { ids: { type: 'text' }, dates: 'milliseconds', mixedDates: false } as const;

/** The steps of a record store, on tables that exist. */
interface RecordRows {
  create(record: SessionRecord): Promise<void>;
  check(id: string, touch: RecordTouch): Promise<SessionRecord | 'ended' | 'unknown'>;
  find(by: RecordKey, now: Date, skip: number): Promise<readonly SessionRecord[]>;
  remove(ids: readonly string[]): Promise<readonly string[]>;
  endBefore(userId: string, epoch: SessionEpoch): Promise<void>;
  cleanup(now: Date): Promise<number>;
}

/** Returns the steps on two tables. */
export function recordRowsOf(engine: Engine, tables: RecordTables): RecordRows {
  const { dialect, run } = engine;
  const codec = codecOf(dialect, SHAPE);
  const statements = recordStatements(dialect, tables);
  const sweeps = [statements.sweepRecords, statements.sweepEpochs];

  /** One statement reads the record with the epoch, so that both are from the same instant. */
  async function read(id: SqlValue, now: Date): Promise<SessionRecord | 'ended' | 'unknown'> {
    const [row] = (await run(statements.read({ id }))).rows;
    const record = row && readRecord(codec, row);
    if (!record || record.expires.getTime() <= now.getTime()) return 'unknown';
    return isOverBy(readEpoch(codec, row), record) ? 'ended' : record;
  }

  async function removeSome(ids: readonly SqlValue[]): Promise<string[]> {
    const size = REMOVED.find((most) => ids.length <= most) ?? ids.length;
    const input: Encoded = {};
    for (let index = 0; index < size; index++) input[`id${index}`] = ids[index] ?? null;
    const { rows } = await deleteReturning(engine, statements.removals(size), input);
    return rows.map(({ id }) => String(id));
  }

  return {
    create: async (record) => {
      await run(statements.insert(encode(codec, 'record', recordFields, record)));
    },
    check: async (id, touch) => {
      const key = codec.lookup('key', id);
      const record = await read(key, touch.now);
      if (typeof record !== 'object' || record.seenAt.getTime() >= touch.after.getTime()) return record;
      const written = encodeTouch(codec, touch);
      // The condition fails if the record was removed, or if another process has written it.
      const { affected } = await run(statements.touch({ ...written, id: key }));
      return affected > 0 ? touchedRecord(record, touch) : read(key, touch.now);
    },
    find: async (by, now, skip) => {
      const [field, value] = keyOf(by);
      const { first, further } = statements.find[field];
      const input = { key: codec.lookup('key', value), now: codec.required('date', 'now', now), skip };
      const { rows } = await run(skip > 0 ? further(input) : first(input));
      return rows.map((row) => readRecord(codec, row));
    },
    remove: async (ids) => {
      const removed: string[] = [];
      const keys = ids.map((id) => codec.lookup('key', id));
      const most = REMOVED.at(-1) ?? 1;
      for (let index = 0; index < keys.length; index += most)
        removed.push(...(await removeSome(keys.slice(index, index + most))));
      return removed;
    },
    endBefore: async (userId, epoch) => {
      await run(statements.endBefore(encode(codec, 'epoch', epochFields, { ...epoch, userId })));
    },
    cleanup: async (now) => {
      const input = { now: codec.required('date', 'now', now) };
      let deleted = 0;
      for (const sweep of sweeps) {
        for (let affected = SWEPT; affected === SWEPT; deleted += affected) ({ affected } = await run(sweep(input)));
      }
      return deleted;
    },
  };
}

/** Deletes rows and returns them to one of several simultaneous callers. */
async function deleteReturning(
  { dialect, run, batch }: Engine,
  removal: ReturnType<ReturnType<typeof recordStatements>['removals']>,
  input: Encoded,
): Promise<Pick<Result, 'rows'>> {
  if (dialect.returning) return run(removal.returning(input));
  const [locked] = await batch([removal.lock(input), removal.delete(input)]);
  return locked ?? { rows: [] };
}

type KeyField = 'userId' | 'providerSession' | 'providerUser';

function keyOf(by: RecordKey): [field: KeyField, value: string] {
  if ('userId' in by) return ['userId', by.userId];
  return 'providerSession' in by ? ['providerSession', by.providerSession] : ['providerUser', by.providerUser];
}

/** @throws {TypeError} if the database cannot store a value exactly, or if one is missing. */
function encode(
  codec: Codec,
  name: string,
  fields: Readonly<Record<string, RecordField>>,
  row: SessionRecord | (SessionEpoch & { userId: string }),
): Encoded {
  const encoded: Encoded = {};
  for (const [field, { kind, optional }] of Object.entries(fields)) {
    const value: unknown = Reflect.get(row, field);
    const encodeField = optional ? codec.encode : codec.required;
    encoded[field] =
      kind === 'list'
        ? encodeField('text', `${name}.${field}`, JSON.stringify(value))
        : encodeField(kind, `${name}.${field}`, value);
  }
  return encoded;
}

function encodeTouch(codec: Codec, { now, after, expires, handle }: RecordTouch): Encoded {
  return {
    now: codec.required('date', 'touch.now', now),
    after: codec.required('date', 'touch.after', after),
    expires: codec.required('date', 'touch.expires', expires),
    handle: codec.encode('text', 'touch.handle', handle),
  };
}

function readRecord(codec: Codec, row: Row): SessionRecord {
  const record: Record<string, unknown> = {};
  for (const [field, { kind }] of Object.entries(recordFields)) {
    const value = kind === 'list' ? listOf(row[field]) : codec.decode(kind, row[field]);
    if (value !== null) record[field] = value;
  }
  return record as unknown as SessionRecord;
}

function readEpoch(codec: Codec, row: Row): Pick<SessionEpoch, 'before' | 'except'> | null {
  const before = codec.decode('date', row['before']);
  return before instanceof Date ? { before, except: textOf(row['except']) ?? undefined } : null;
}

function listOf(value: unknown): string[] {
  const list: unknown = JSON.parse(textOf(value) ?? '[]');
  return Array.isArray(list) ? list.map(String) : [];
}
