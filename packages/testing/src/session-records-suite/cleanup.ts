import type { SessionRecords } from '@latchkey/core/types';
import { check, same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { anEpoch, aPlainRecord, aRecord, at, idsOf, stateOf, together } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about the deletion of expired rows. */
export function cleanup(it: Case): void {
  it('deletes expired records and epochs, and returns their number', async (records) => {
    await clean(records, 5000);
    const userId = fresh('user');
    const [old, young] = [aRecord({ userId, expires: at(5001) }), aRecord({ userId, expires: at(5001.001) })];
    for (const record of [old, young]) await records.create(record);
    await records.endBefore(userId, anEpoch(at(10), { expires: at(5001) }));
    same(await clean(records, 5000.999), 0, 'deleted a millisecond too early');
    same(await clean(records, 5001), 2, 'deleted');
    same(await clean(records, 5001), 0, 'deleted by the repeated step');
    same(await stateOf(records, old.id), 'unknown', 'the expired record');
    same(await stateOf(records, young.id), 'live', 'the other record, without the epoch');
  });

  it('keeps an epoch until the later of two expiries', async (records) => {
    for (const [first, second] of [
      [10, 20],
      [20, 10],
      [10, 10],
    ] as const) {
      const record = aRecord({ expires: at(90_000) });
      await records.create(record);
      await records.endBefore(record.userId, anEpoch(at(first), { expires: at(7000) }));
      await records.endBefore(record.userId, anEpoch(at(second), { expires: at(6000) }));
      await clean(records, 6999.999);
      same(await stateOf(records, record.id), 'ended', `before the later expiry, after ${first} and ${second}`);
      await clean(records, 7000);
      same(await stateOf(records, record.id), 'live', 'after it');
      await records.remove([record.id]);
    }
  });

  it('deletes 450 expired records', async (records) => {
    await clean(records, 8000);
    const userId = fresh('user');
    for (let round = 0; round < 9; round++)
      await together(50, () => records.create(aPlainRecord({ userId, expires: at(8001) })));
    same(await clean(records, 8001), 450, 'deleted');
    same(await idsOf(records, { userId }), [], 'records of the user');
  });
}

async function clean(records: SessionRecords, seconds: number): Promise<number> {
  check(typeof records.cleanup === 'function', 'the store has no `cleanup`');
  return records.cleanup(at(seconds));
}
