import { same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { anEpoch, aRecord, at, look, sameRecord, stateOf, together, touchAt } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about the end of all sessions of a user. */
export function epochs(it: Case): void {
  it('ends the sessions of a user that started before an instant, and no others', async (records, elsewhere) => {
    const userId = fresh('user');
    const old = aRecord({ userId, startedAt: at(9.999) });
    const young = aRecord({ userId, startedAt: at(10) });
    const other = aRecord();
    for (const record of [old, young, other]) await records.create(record);
    await records.endBefore(userId, anEpoch(at(10)));
    same(await records.check(old.id, touchAt(900)), 'ended', 'a millisecond before');
    same(await stateOf(elsewhere, old.id), 'ended', 'a millisecond before, elsewhere');
    sameRecord(await records.check(young.id, look()), young);
    sameRecord(await records.check(other.id, look()), other);
  });

  it('excepts one session', async (records) => {
    const userId = fresh('user');
    const [one, two] = [aRecord({ userId }), aRecord({ userId })];
    for (const record of [one, two]) await records.create(record);
    await records.endBefore(userId, anEpoch(at(10), { except: two.id }));
    same([await stateOf(records, one.id), await stateOf(records, two.id)], ['ended', 'live'], 'states');
  });

  it('ends a session whose record is stored after the epoch, if it started before', async (records) => {
    const record = aRecord();
    await records.endBefore(record.userId, anEpoch(at(10)));
    await records.create(record);
    same(await stateOf(records, record.id), 'ended', 'state');
    same(await records.remove([record.id]), [record.id], 'removed');
    await records.create({ ...record, startedAt: at(10) });
    same(await stateOf(records, record.id), 'live', 'state of a later session');
  });

  it('keeps the later of two epochs, in either order', async (records) => {
    for (const order of [
      [20, 10],
      [10, 20],
    ]) {
      const userId = fresh('user');
      const [old, between, young] = [9, 19, 20].map((seconds) => aRecord({ userId, startedAt: at(seconds) }));
      for (const record of [old, between, young]) await records.create(record ?? aRecord());
      for (const before of order)
        await records.endBefore(userId, anEpoch(at(before), { except: before === 20 ? between?.id : old?.id }));
      const states = [old, between, young].map((record) => stateOf(records, record?.id ?? ''));
      same(await Promise.all(states), ['ended', 'live', 'live'], `states after ${order}`);
    }
  });

  it('excepts a session only if both epochs of an instant do', async (records) => {
    const cases = [
      { excepts: ['a', 'a'], live: ['a'] },
      { excepts: ['a', 'b'], live: [] },
      { excepts: ['a', undefined], live: [] },
      { excepts: [undefined, 'a'], live: [] },
      { excepts: ['a', undefined, 'a'], live: [] },
    ];
    for (const { excepts, live } of cases) {
      const [userId, prefix] = [fresh('user'), fresh('')];
      for (const name of ['a', 'b']) await records.create(aRecord({ id: prefix + name, userId }));
      for (const except of excepts)
        await records.endBefore(userId, anEpoch(at(10), { except: except && prefix + except }));
      const states = await Promise.all(['a', 'b'].map((name) => stateOf(records, prefix + name)));
      same(
        ['a', 'b'].filter((_, index) => states[index] === 'live'),
        live,
        `live with ${excepts.join(', ')}`,
      );
    }
  });

  it('may be repeated', async (records) => {
    const record = aRecord();
    await records.create(record);
    const epoch = anEpoch(at(10), { except: record.id });
    for (let count = 0; count < 2; count++) await records.endBefore(record.userId, epoch);
    same(await stateOf(records, record.id), 'live', 'state of the excepted session');
  });

  it('keeps the latest of fifty simultaneous epochs', async (records, elsewhere) => {
    const userId = fresh('user');
    const [old, young] = [aRecord({ userId, startedAt: at(48.999) }), aRecord({ userId, startedAt: at(49) })];
    for (const record of [old, young]) await records.create(record);
    await together(50, (index) =>
      [records, elsewhere][index % 2]?.endBefore(userId, anEpoch(at((index * 7) % 50), { except: old.id })),
    );
    same([await stateOf(records, old.id), await stateOf(records, young.id)], ['live', 'live'], 'states');
    await together(50, () => records.endBefore(userId, anEpoch(at(49))));
    same([await stateOf(records, old.id), await stateOf(records, young.id)], ['ended', 'live'], 'states');
  });
}
