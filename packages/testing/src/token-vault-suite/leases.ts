import { same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { anEntry, keyOf, nextOf, sameEntry, stored, together } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about leases. */
export function leases(it: Case): void {
  it('gives the lease to one holder, who may take it again', async (vault, { elsewhere }) => {
    const entry = await stored(vault);
    const [one, other] = [fresh('holder'), fresh('holder')];
    same(await vault.lease(keyOf(entry), entry.version, one, 15), true, 'the first holder');
    same(await elsewhere.lease(keyOf(entry), entry.version, other, 15), false, 'another holder');
    same(await vault.lease(keyOf(entry), entry.version, one, 15), true, 'the first holder again');
    sameEntry(await vault.read(entry), entry);
    same((await vault.find(entry.userId)).length, 1, 'entries of the user');
  });

  it('gives one of fifty simultaneous holders the lease', async (vault, { elsewhere }) => {
    const entry = await stored(vault);
    const taken = await together(50, (index) =>
      [vault, elsewhere][index % 2]?.lease(entry, entry.version, `holder ${index}`, 15),
    );
    same(taken.filter(Boolean).length, 1, 'holders with the lease');
  });

  it('gives each of fifty entries a lease of its own', async (vault) => {
    const userId = fresh('user');
    const entries = await together(50, () => stored(vault, { userId }));
    const taken = await together(50, (index) => {
      const entry = entries[index] ?? anEntry();
      return vault.lease(entry, entry.version, `holder ${index}`, 15);
    });
    same(taken.filter(Boolean).length, 50, 'leases');
  });

  it('gives no lease for another version, nor for a missing entry', async (vault) => {
    const entry = await stored(vault);
    same(await vault.lease(entry, entry.version + 1, fresh('holder'), 15), false, 'another version');
    same(await vault.lease(anEntry(), entry.version, fresh('holder'), 15), false, 'missing entry');
    same(await vault.lease(entry, entry.version, fresh('holder'), 15), true, 'this version');
  });

  it('ends the lease of its holder with 0 seconds, and of no one else', async (vault) => {
    const entry = await stored(vault);
    const [one, other] = [fresh('holder'), fresh('holder')];
    await vault.lease(entry, entry.version, one, 15);
    same(await vault.lease(entry, entry.version, other, 0), false, 'ended by another holder');
    same(await vault.lease(entry, entry.version, other, 15), false, 'another holder');
    same(await vault.lease(entry, entry.version, one, 0), true, 'ended by its holder');
    same(await vault.lease(entry, entry.version, one, 0), true, 'ended again');
    same(await vault.lease(entry, entry.version, other, 15), true, 'another holder then');
  });

  it('ends the lease when its seconds have passed', async (vault, { elsewhere, pass }) => {
    const entry = await stored(vault);
    same(await vault.lease(entry, entry.version, fresh('holder'), 2), true, 'the first holder');
    await pass(1);
    same(await elsewhere.lease(entry, entry.version, fresh('holder'), 15), false, 'another holder, too early');
    await pass(1.5);
    same(await elsewhere.lease(entry, entry.version, fresh('holder'), 15), true, 'another holder');
  });

  it('extends the lease of its holder', async (vault, { pass }) => {
    const entry = await stored(vault);
    const holder = fresh('holder');
    await vault.lease(entry, entry.version, holder, 1);
    same(await vault.lease(entry, entry.version, holder, 15), true, 'extended');
    await pass(1.5);
    same(await vault.lease(entry, entry.version, fresh('holder'), 15), false, 'another holder');
  });

  it('ends the lease with a write, and keeps it with a refused one', async (vault) => {
    const entry = await stored(vault);
    const next = nextOf(entry);
    await vault.lease(entry, entry.version, fresh('holder'), 15);
    same(await vault.write(next, entry.version + 7), false, 'the refused write');
    same(await vault.lease(entry, entry.version, fresh('holder'), 15), false, 'after the refused write');
    same(await vault.write(next, entry.version), true, 'the write');
    same(await vault.lease(entry, next.version, fresh('holder'), 15), true, 'after the write');
  });

  it('ends the lease with the entry', async (vault) => {
    const entry = await stored(vault);
    await vault.lease(entry, entry.version, fresh('holder'), 15);
    await vault.remove(entry);
    same(await vault.write(entry, null), true, 'written again');
    same(await vault.lease(entry, entry.version, fresh('holder'), 15), true, 'lease of the new entry');
  });

  it('accepts the write of a holder whose lease has ended, if the version is the same', async (vault, { pass }) => {
    const entry = await stored(vault);
    await vault.lease(entry, entry.version, fresh('holder'), 1);
    await pass(1.5);
    const next = nextOf(entry);
    same(await vault.write(next, entry.version), true, 'the write');
    sameEntry(await vault.read(entry), next);
  });
}
