import { check, same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { aPlainRecord, aRecord, at, idsOf, look, sameRecord, stateOf, together, touchAt } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about new records. */
export function create(it: Case): void {
  it('keeps every member of a record', async (records, elsewhere) => {
    const record = aRecord();
    await records.create(record);
    sameRecord(await records.check(record.id, look()), record);
    sameRecord((await elsewhere.find({ userId: record.userId }, at(1)))[0], record);
  });

  it('leaves out the members that a record does not have', async (records) => {
    const record = aPlainRecord();
    await records.create(record);
    sameRecord(await records.check(record.id, look()), record);
    sameRecord((await records.find({ userId: record.userId }, at(1)))[0], record);
  });

  it('keeps instants to the millisecond, in the past as in the far future', async (records) => {
    const past = new Date('2001-02-03T04:05:06.007Z');
    const future = new Date('2099-12-31T23:59:59.999Z');
    const record = aRecord({ startedAt: past, authTime: new Date('2001-02-03T04:05:06.008Z'), expires: future });
    await records.create(record);
    sameRecord(await records.check(record.id, look()), record);
  });

  it('does not change a record that exists, so that the step may be repeated', async (records) => {
    const record = aRecord();
    await records.create(record);
    await records.create({ ...record, label: 'another', seenAt: at(30), expires: at(9000), amr: [] });
    sameRecord(await records.check(record.id, look()), record);
    same(await idsOf(records, { userId: record.userId }), [record.id], 'records of the user');
  });

  it('replaces a record that has expired', async (records) => {
    const record = aRecord();
    const next = { ...record, seenAt: record.expires, expires: at(9000), label: 'another' };
    await records.create(record);
    await records.create({ ...next, seenAt: at(3599.999) });
    same(await stateOf(records, record.id, 3600), 'unknown', 'the expired record');
    await records.create(next);
    sameRecord(await records.check(record.id, look(3600)), next);
    same(await idsOf(records, { userId: record.userId }, 3600), [record.id], 'records of the user');
  });

  it('keeps one of fifty simultaneous records with the same id', async (records, elsewhere) => {
    const record = aRecord();
    await together(50, (index) => [records, elsewhere][index % 2]?.create({ ...record, label: `label ${index}` }));
    const kept = await records.check(record.id, look());
    check(typeof kept === 'object' && /^label \d+$/.test(kept.label ?? ''), 'one record must be kept');
    sameRecord(kept, { ...record, label: kept.label });
    same(await idsOf(records, { userId: record.userId }), [record.id], 'records of the user');
  });

  it('keeps fifty simultaneous records of a user', async (records, elsewhere) => {
    const userId = fresh('user');
    const made = Array.from({ length: 50 }, () => aRecord({ userId }));
    await together(50, (index) => [records, elsewhere][index % 2]?.create(made[index] ?? aRecord()));
    same((await idsOf(records, { userId })).sort(), made.map(({ id }) => id).sort(), 'records of the user');
  });
}

/** Registers the cases about checks, and about what they write. */
export function touch(it: Case): void {
  it('answers `unknown` for an id that it does not have', async (records) => {
    same(await records.check(fresh('unknown'), touchAt(0)), 'unknown', 'answer');
  });

  it('answers `unknown` from the instant at which a record expires, and does not write it', async (records) => {
    const record = aRecord();
    await records.create(record);
    same(await stateOf(records, record.id, 3599.999), 'live', 'a millisecond before');
    same(await records.check(record.id, touchAt(3600)), 'unknown', 'at that instant');
    same(await stateOf(records, record.id, 3599.999), 'live', 'a millisecond before');
  });

  it('writes `seenAt`, `expires` and `handle` if the record is due, and returns them', async (records, elsewhere) => {
    const [record, other] = [aRecord(), aRecord()];
    for (const one of [record, other]) await records.create(one);
    const due = touchAt(600.001, { handle: 'another' });
    const next = { ...record, seenAt: due.now, expires: due.expires, handle: 'another' };
    sameRecord(await records.check(record.id, due), next);
    sameRecord(await elsewhere.check(record.id, look()), next);
    sameRecord(await records.check(record.id, due), next);
    sameRecord(await records.check(other.id, look()), other);
  });

  it('does not write a record that is not due', async (records) => {
    const record = aRecord();
    await records.create(record);
    sameRecord(await records.check(record.id, touchAt(600, { handle: 'another' })), record);
    sameRecord(await records.check(record.id, look()), record);
  });

  it('never moves `expires` to an earlier instant', async (records) => {
    const record = aRecord();
    await records.create(record);
    const next = { ...record, seenAt: at(900) };
    sameRecord(await records.check(record.id, touchAt(900, { expires: at(3599.999) })), next);
    sameRecord(await records.check(record.id, look()), next);
  });

  it('keeps the handle if there is no other, and stores a first one', async (records) => {
    const [record, plain] = [aRecord(), aPlainRecord()];
    for (const one of [record, plain]) await records.create(one);
    for (const one of [record, plain]) await records.check(one.id, touchAt(700, { handle: undefined }));
    sameRecord(await records.check(record.id, look()), { ...record, seenAt: at(700), expires: at(4300) });
    await records.check(plain.id, touchAt(1400, { handle: 'first' }));
    sameRecord(await records.check(plain.id, look()), {
      ...plain,
      seenAt: at(1400),
      expires: at(5000),
      handle: 'first',
    });
  });

  it('does not bring a removed record back', async (records) => {
    const record = aRecord();
    await records.create(record);
    await records.remove([record.id]);
    same(await records.check(record.id, touchAt(900)), 'unknown', 'answer');
    same(await stateOf(records, record.id), 'unknown', 'a second answer');
    same(await idsOf(records, { userId: record.userId }), [], 'records of the user');
  });

  it('does not bring a record back that is removed during fifty checks', async (records, elsewhere) => {
    const record = aRecord();
    await records.create(record);
    await together(51, (index) =>
      index === 25 ? elsewhere.remove([record.id]) : records.check(record.id, touchAt(900 + index)),
    );
    same(await stateOf(records, record.id), 'unknown', 'answer');
    for (const by of [{ userId: record.userId }, { providerUser: record.providerUser ?? '' }])
      same(await idsOf(records, by), [], 'records');
  });

  it('writes a record once in fifty simultaneous checks', async (records, elsewhere) => {
    const record = aRecord();
    await records.create(record);
    const answers = await together(50, (index) =>
      [records, elsewhere][index % 2]?.check(record.id, touchAt(900 + ((index * 7) % 50))),
    );
    const kept = await records.check(record.id, look());
    check(typeof kept === 'object' && kept.seenAt.getTime() >= at(900).getTime(), 'one check must write');
    for (const answer of answers) sameRecord(answer, kept);
  });

  it('returns the record to each of fifty simultaneous checks', async (records, elsewhere) => {
    const record = aRecord();
    await records.create(record);
    const due = touchAt(900, { handle: 'another' });
    const next = { ...record, seenAt: due.now, expires: due.expires, handle: 'another' };
    const answers = await together(50, (index) => [records, elsewhere][index % 2]?.check(record.id, due));
    for (const answer of answers) sameRecord(answer, next);
    same(await idsOf(records, { userId: record.userId }), [record.id], 'records of the user');
  });
}

/** Registers the cases about the removal of records. */
export function remove(it: Case): void {
  it('removes records and returns the ids of those that existed', async (records) => {
    const [one, two, other] = [aRecord(), aRecord(), aRecord()];
    for (const record of [one, two, other]) await records.create(record);
    const unknown = fresh('unknown');
    same([...(await records.remove([one.id, unknown, two.id]))].sort(), [one.id, two.id].sort(), 'removed');
    same(await records.remove([one.id, two.id, unknown]), [], 'removed by the repeated step');
    for (const { id } of [one, two]) same(await stateOf(records, id), 'unknown', 'a removed record');
    for (const by of [{ userId: one.userId }, { providerSession: one.providerSession ?? '' }])
      same(await idsOf(records, by), [], 'records of its keys');
    sameRecord(await records.check(other.id, look()), other);
  });

  it('removes nothing for an empty list, and returns an id once that is named twice', async (records) => {
    const record = aRecord();
    await records.create(record);
    same(await records.remove([]), [], 'removed');
    same(await records.remove([record.id, record.id]), [record.id], 'removed');
  });

  it('removes 450 records at once', async (records) => {
    const userId = fresh('user');
    const made = Array.from({ length: 450 }, () => aPlainRecord({ userId }));
    for (let index = 0; index < made.length; index += 50)
      await Promise.all(made.slice(index, index + 50).map((record) => records.create(record)));
    const ids = made.map(({ id }) => id);
    same([...(await records.remove(ids))].sort(), [...ids].sort(), 'removed');
    same(await idsOf(records, { userId }), [], 'records of the user');
  });

  it('returns an id to one of fifty simultaneous callers', async (records, elsewhere) => {
    const userId = fresh('user');
    const made = Array.from({ length: 6 }, () => aRecord({ userId }));
    for (const record of made) await records.create(record);
    const ids = made.map(({ id }) => id);
    const removed = await together(50, (index) => {
      const order = [...ids.slice(index % 6), ...ids.slice(0, index % 6)];
      return [records, elsewhere][index % 2]?.remove(index % 3 === 0 ? order.reverse() : order);
    });
    same(removed.flatMap((some) => some ?? []).sort(), [...ids].sort(), 'ids of all answers');
    same(await idsOf(records, { userId }), [], 'records of the user');
  });
}
