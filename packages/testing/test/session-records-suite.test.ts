import type { SessionRecord, SessionRecords } from '@latchkey/core/types';
import { describe, expect, it } from 'vitest';
import { MemorySessionRecords } from '../src/memory-session-records.ts';
import { sessionRecordsSuite } from '../src/session-records-suite.ts';

/** Returns the titles of the cases that a store fails. */
async function failures(make: () => SessionRecords): Promise<string[]> {
  const cases: [string, () => Promise<void>][] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (title: string, body: () => Promise<void>) => cases.push([title, body]),
  };
  sessionRecordsSuite(() => ({ records: make() }), runner);
  const results = await Promise.allSettled(cases.map(([, body]) => body()));
  return cases.filter((_, index) => results[index]?.status === 'rejected').map(([title]) => title);
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

type Flaw = (right: MemorySessionRecords) => Partial<SessionRecords>;

/** Changes what a check returns for a live session. */
function onLive(
  right: MemorySessionRecords,
  change: (record: SessionRecord) => SessionRecord,
): Partial<SessionRecords> {
  return {
    check: async (id, touch) => {
      const answer = await right.check(id, touch);
      return typeof answer === 'object' ? change(answer) : answer;
    },
  };
}

/** Each flaw, and the cases that notice it. */
const flaws: [string, Flaw, string[]][] = [
  [
    'overwrites a record that exists',
    ({ store }) => ({ create: (record) => void store.records.set(record.id, structuredClone(record)) }),
    ['does not change a record that exists, so that the step may be repeated'],
  ],
  [
    'never replaces an expired record',
    ({ store, create }) => ({ create: (record) => (store.records.has(record.id) ? undefined : create(record)) }),
    ['replaces a record that has expired'],
  ],
  [
    'returns absent members as null',
    (right) => onLive(right, (record) => ({ label: null, ...record }) as unknown as SessionRecord),
    ['leaves out the members that a record does not have'],
  ],
  [
    'cuts milliseconds off',
    (right) => onLive(right, (record) => ({ ...record, expires: new Date(Math.floor(+record.expires / 1000) * 1000) })),
    ['keeps instants to the millisecond, in the past as in the far future'],
  ],
  [
    'returns expired records',
    ({ check }) => ({ check: (id, touch) => check(id, { ...touch, now: new Date(0) }) }),
    ['answers `unknown` from the instant at which a record expires, and does not write it'],
  ],
  [
    'writes a record that is not due',
    ({ check }) => ({ check: (id, touch) => check(id, { ...touch, after: new Date(+touch.after + 1) }) }),
    ['does not write a record that is not due'],
  ],
  [
    'never writes',
    ({ check }) => ({ check: (id, touch) => check(id, { ...touch, after: new Date(0) }) }),
    ['writes `seenAt`, `expires` and `handle` if the record is due, and returns them'],
  ],
  [
    'moves the expiry back',
    ({ store, check }) => ({
      check: async (id, touch) => {
        const answer = await check(id, touch);
        const record = store.records.get(id);
        if (typeof answer === 'object' && record && +record.seenAt === +touch.now) record.expires = touch.expires;
        return typeof answer === 'object' ? { ...answer, expires: record?.expires ?? answer.expires } : answer;
      },
    }),
    ['never moves `expires` to an earlier instant'],
  ],
  [
    'drops the handle',
    ({ check }) => ({ check: (id, touch) => check(id, { ...touch, handle: touch.handle ?? '' }) }),
    ['keeps the handle if there is no other, and stores a first one'],
  ],
  [
    'brings a removed record back',
    ({ store, check }) => ({
      check: async (id, touch) => {
        const before = store.records.get(id);
        const answer = await check(id, touch);
        await pause();
        if (before && typeof answer === 'object') store.records.set(id, { ...answer });
        return answer;
      },
    }),
    ['does not bring a record back that is removed during fifty checks'],
  ],
  [
    'reads before it waits, and then writes',
    ({ store, check }) => ({
      check: async (id, touch) => {
        const before = structuredClone(store.records.get(id));
        await pause();
        if (before && store.records.has(id)) store.records.set(id, before);
        return check(id, touch);
      },
    }),
    ['writes a record once in fifty simultaneous checks'],
  ],
  [
    'finds expired records',
    ({ find }) => ({ find: (by, _, skip) => find(by, new Date(0), skip) }),
    ['leaves out expired records, also where it counts the skipped ones'],
  ],
  [
    'finds ended records',
    ({ store, find }) => ({
      find: async (by, now, skip) => {
        const epochs = [...store.epochs];
        store.epochs.clear();
        const found = await find(by, now, skip);
        for (const [user, epoch] of epochs) store.epochs.set(user, epoch);
        return found;
      },
    }),
    ['leaves out the records that the epoch of their user ends'],
  ],
  [
    'returns records in any order',
    ({ find }) => ({ find: async (by, now, skip) => (await find(by, now, skip)).toReversed() }),
    ['returns the last seen first, and of equal ones the smaller id'],
  ],
  [
    'ignores `skip`',
    ({ find }) => ({ find: (by, now) => find(by, now) }),
    ['returns at most 200, and leaves out those at the beginning that are skipped'],
  ],
  [
    'returns a removed id to several callers',
    ({ store, remove }) => ({
      remove: async (ids) => {
        const present = ids.filter((id) => store.records.has(id));
        await pause();
        await remove(ids);
        return present;
      },
    }),
    ['returns an id to one of fifty simultaneous callers'],
  ],
  [
    'returns ids that it did not have',
    ({ remove }) => ({
      remove: async (ids) => {
        await remove(ids);
        return ids;
      },
    }),
    ['removes records and returns the ids of those that existed'],
  ],
  [
    'ends sessions that started at the instant',
    ({ endBefore }) => ({
      endBefore: (user, epoch) => endBefore(user, { ...epoch, before: new Date(+epoch.before + 1) }),
    }),
    ['ends the sessions of a user that started before an instant, and no others'],
  ],
  [
    'keeps the last epoch',
    ({ store }) => ({ endBefore: (user, epoch) => void store.epochs.set(user, epoch) }),
    ['keeps the later of two epochs, in either order', 'excepts a session only if both epochs of an instant do'],
  ],
  [
    'keeps the first epoch',
    ({ store }) => ({
      endBefore: (user, epoch) => void store.epochs.set(user, store.epochs.get(user) ?? epoch),
    }),
    ['keeps the later of two epochs, in either order', 'keeps the latest of fifty simultaneous epochs'],
  ],
  [
    'ignores the excepted session',
    ({ endBefore }) => ({ endBefore: (user, { before, expires }) => endBefore(user, { before, expires }) }),
    ['excepts one session', 'may be repeated'],
  ],
  [
    'forgets an epoch too early',
    ({ endBefore }) => ({
      endBefore: (user, epoch) => endBefore(user, { ...epoch, expires: new Date(+epoch.expires - 3000) }),
    }),
    ['deletes expired records and epochs, and returns their number', 'keeps an epoch until the later of two expiries'],
  ],
  [
    'ignores case in ids',
    ({ create, check }) => ({
      create: (record) => create({ ...record, id: record.id.toLowerCase() }),
      check: (id, touch) => check(id.toLowerCase(), touch),
    }),
    ['distinguishes ids, users and provider keys byte by byte'],
  ],
  [
    'joins a list with commas',
    (right) => onLive(right, (record) => ({ ...record, amr: record.amr.join(',').split(',') })),
    ['keeps quotes in a record', 'leaves out the members that a record does not have'],
  ],
];

describe('sessionRecordsSuite', () => {
  it('accepts a correct store', async () => {
    expect(await failures(MemorySessionRecords)).toEqual([]);
    expect(await failures(() => MemorySessionRecords({ latency: pause }))).toEqual([]);
  });

  it.each(flaws)('notices a store that %s', async (_, flaw, titles) => {
    const make = (): SessionRecords => {
      const right = MemorySessionRecords();
      return { ...right, ...flaw(right) };
    };
    expect(await failures(make)).toEqual(expect.arrayContaining(titles));
  });

  it('requires `cleanup` only if the store has it', async () => {
    const titles: string[] = [];
    const runner = { describe: (_: string, body: () => void) => body(), it: (title: string) => titles.push(title) };
    sessionRecordsSuite(() => ({ records: MemorySessionRecords() }), runner, { cleanup: false });
    expect(titles.length).toBeGreaterThan(50);
    expect(titles).not.toContain('deletes 450 expired records');
  });
});

describe('MemorySessionRecords', () => {
  sessionRecordsSuite(() => ({ records: MemorySessionRecords() }), { describe, it });

  const record: SessionRecord = {
    id: 'session',
    userId: 'ada',
    startedAt: new Date(1000),
    seenAt: new Date(1000),
    expires: new Date(9000),
    authTime: new Date(1000),
    amr: [],
  };
  const touch = { now: new Date(2000), after: new Date(0), expires: new Date(9000) };

  it('fails on demand before it writes or after, until it has failed often enough', async () => {
    const records = MemorySessionRecords();
    records.fail('create');
    records.fail('create', 'after');
    await expect(records.create(record)).rejects.toThrow('create failed on demand');
    expect(records.dump().records).toEqual([]);
    await expect(records.create(record)).rejects.toThrow('create failed on demand');
    expect(records.dump().records).toEqual([record]);
    records.fail('check', { error: new Error('down'), times: Number.POSITIVE_INFINITY });
    for (let count = 0; count < 3; count++) await expect(records.check('session', touch)).rejects.toThrow('down');
    records.recover();
    expect(await records.check('session', touch)).toEqual(record);
    expect(records.calls.map(({ step }) => step)).toEqual(['create', 'create', 'check', 'check', 'check', 'check']);
  });

  it('hangs on demand', async () => {
    const records = MemorySessionRecords();
    records.fail('create', { hang: true, when: 'after' });
    const answer = Promise.resolve(records.create(record)).then(() => 'answered');
    expect(await Promise.race([answer, pause()])).toBeUndefined();
    expect(records.dump().records).toEqual([record]);
  });

  it('copies what it is given and what it returns', async () => {
    const records = MemorySessionRecords({ now: () => new Date(9000) });
    const given = structuredClone(record);
    await records.create(given);
    given.expires.setTime(0);
    const answer = await records.check('session', touch);
    if (typeof answer === 'object') answer.expires.setTime(0);
    expect(await records.check('session', touch)).toEqual(record);
    await records.endBefore('ada', { before: new Date(1), expires: new Date(9000) });
    expect(records.dump().epochs).toEqual([{ userId: 'ada', before: new Date(1), expires: new Date(9000) }]);
    expect(await records.cleanup()).toBe(2);
    expect(records.dump()).toEqual({ records: [], epochs: [] });
  });
});
