import { same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { anEpoch, aPlainRecord, aRecord, at, idsOf, touchAt } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about the records of a user, of a provider's session, and of a provider's user. */
export function find(it: Case): void {
  it('finds records by the user, by the provider session and by the provider user', async (records) => {
    const [userId, providerSession, providerUser] = [fresh('user'), fresh('session'), fresh('provider-user')];
    const [one, two, three] = [aRecord({ userId }), aRecord({ providerSession }), aRecord({ providerUser })];
    const all = aRecord({ userId, providerSession, providerUser, seenAt: at(1) });
    for (const record of [one, two, three, all, aRecord(), aPlainRecord()]) await records.create(record);
    same(await idsOf(records, { userId }), [all.id, one.id], 'by user');
    same(await idsOf(records, { providerSession }), [all.id, two.id], 'by provider session');
    same(await idsOf(records, { providerUser }), [all.id, three.id], 'by provider user');
  });

  it('finds nothing by an unknown key, and does not confuse the keys', async (records) => {
    const record = aRecord();
    await records.create(record);
    for (const by of [
      { userId: record.id },
      { userId: record.providerUser ?? '' },
      { providerSession: record.providerUser ?? '' },
      { providerUser: record.userId },
      { providerUser: fresh('unknown') },
    ])
      same(await idsOf(records, by), [], 'records');
  });

  it('returns the last seen first, and of equal ones the smaller id', async (records) => {
    const userId = fresh('user');
    const prefix = fresh('');
    const made = [
      ['c', 5],
      ['Z', 7],
      ['a', 7],
      ['b', 7],
      ['d', 6.999],
      ['e', 7.001],
    ] as const;
    for (const [name, seconds] of made)
      await records.create(aRecord({ id: prefix + name, userId, seenAt: at(seconds), expires: at(9000 - seconds) }));
    same(
      await idsOf(records, { userId }),
      [...'eZabdc'].map((name) => prefix + name),
      'order',
    );
    await records.check(`${prefix}c`, touchAt(700));
    same(
      await idsOf(records, { userId }),
      [...'ceZabd'].map((name) => prefix + name),
      'order after a check',
    );
  });

  it('returns at most 200, and leaves out those at the beginning that are skipped', async (records) => {
    const userId = fresh('user');
    const made = Array.from({ length: 207 }, (_, index) => aPlainRecord({ userId, seenAt: at(index) }));
    for (let index = 0; index < made.length; index += 50)
      await Promise.all(made.slice(index, index + 50).map((record) => records.create(record)));
    const order = made.map(({ id }) => id).reverse();
    same(await idsOf(records, { userId }), order.slice(0, 200), 'the first page');
    same(await idsOf(records, { userId }, 1, 5), order.slice(5, 205), 'the page after five');
    same(await idsOf(records, { userId }, 1, 200), order.slice(200), 'the second page');
    same(await idsOf(records, { userId }, 1, 207), [], 'the page after the last');
  });

  it('leaves out expired records, also where it counts the skipped ones', async (records) => {
    const userId = fresh('user');
    const expired = aRecord({ userId, seenAt: at(5), expires: at(100) });
    const [one, two] = [aRecord({ userId, seenAt: at(4), expires: at(100.001) }), aRecord({ userId, seenAt: at(3) })];
    for (const record of [expired, one, two]) await records.create(record);
    same(await idsOf(records, { userId }, 100), [one.id, two.id], 'records');
    same(await idsOf(records, { userId }, 100, 1), [two.id], 'records after the first');
    same(await idsOf(records, { userId }, 99.999), [expired.id, one.id, two.id], 'a millisecond earlier');
  });

  it('leaves out the records that the epoch of their user ends', async (records) => {
    const [userId, providerUser] = [fresh('user'), fresh('provider-user')];
    const shared = { userId, providerUser };
    const old = aRecord({ ...shared, startedAt: at(-1), seenAt: at(9) });
    const excepted = aRecord({ ...shared, startedAt: at(-2), seenAt: at(8) });
    const young = aRecord({ ...shared, startedAt: at(0), seenAt: at(7) });
    const ofOther = aRecord({ providerUser, startedAt: at(-3), seenAt: at(6) });
    for (const record of [old, excepted, young, ofOther]) await records.create(record);
    await records.endBefore(userId, anEpoch(at(0), { except: excepted.id }));
    same(await idsOf(records, { userId }), [excepted.id, young.id], 'by user');
    same(await idsOf(records, { userId }, 1, 1), [young.id], 'after the first');
    same(await idsOf(records, { providerUser }), [excepted.id, young.id, ofOther.id], 'by provider user');
  });
}
