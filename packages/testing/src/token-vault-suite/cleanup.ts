import { check, same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { sameEntry, stored } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about the deletion of expired entries. */
export function cleanup(it: Case): void {
  it('deletes expired entries, and returns their number', async (vault) => {
    const at = new Date('2026-03-01T12:00:00.457Z');
    const userId = fresh('user');
    for (let count = 0; count < 3; count++) await stored(vault, { userId, expires: at });
    const later = await stored(vault, { expires: new Date(at.getTime() + 1) });
    const never = await stored(vault, { expires: null });
    check(typeof vault.cleanup === 'function', 'the vault must have the method `cleanup`');
    await vault.cleanup(new Date(at.getTime() - 1));
    same((await vault.find(userId)).length, 3, 'entries a millisecond before');
    check((await vault.cleanup(at)) >= 3, 'it must return at least the number of these entries');
    same(await vault.find(userId), [], 'entries at that instant');
    for (const entry of [later, never]) sameEntry(await vault.read(entry), entry);
  });
}
