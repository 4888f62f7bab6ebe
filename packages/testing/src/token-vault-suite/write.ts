import { same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { accountsOf, anEntry, keyOf, nextOf, sameEntry, stored, together } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about writing and removing. */
export function write(it: Case): void {
  it('writes a new entry only if the key is free', async (vault) => {
    const entry = await stored(vault);
    same(await vault.write(nextOf(entry), null), false, 'a second new entry');
    sameEntry(await vault.read(entry), entry);
  });

  it('writes over an entry only if it has the expected version', async (vault) => {
    const entry = await stored(vault);
    const next = nextOf(entry, { expires: null });
    for (const wrong of [entry.version - 1, entry.version + 1, 0])
      same(await vault.write(next, wrong), false, `expecting ${wrong}`);
    sameEntry(await vault.read(entry), entry);
    same(await vault.write(next, entry.version), true, 'expecting its version');
    sameEntry(await vault.read(entry), next);
  });

  it('does not write a missing entry if it expects a version', async (vault) => {
    const entry = anEntry();
    same(await vault.write(nextOf(entry), entry.version), false, 'written');
    same(await vault.read(entry), null, 'entry');
    same(await vault.find(entry.userId), [], 'entries of the user');
  });

  it('refuses a repeated write, and keeps what the first has written', async (vault) => {
    const entry = await stored(vault);
    const next = nextOf(entry);
    same(await vault.write(next, entry.version), true, 'written');
    same(await vault.write(next, entry.version), false, 'written by the repeated step');
    sameEntry(await vault.read(entry), next);
  });

  it('lets one of fifty simultaneous first writes win', async (vault, { elsewhere }) => {
    const entry = anEntry();
    const tries = Array.from({ length: 50 }, (_, index) => ({ ...entry, version: 1000 + index, sealed: `s${index}` }));
    const won = await together(50, (index) => [vault, elsewhere][index % 2]?.write(tries[index] ?? entry, null));
    same(won.filter(Boolean).length, 1, 'writes that won');
    sameEntry(await vault.read(entry), tries[won.indexOf(true)] ?? entry);
    same(await accountsOf(vault, entry.userId), [entry.providerAccountId], 'entries of the user');
  });

  it('lets one of fifty simultaneous writes over an entry win', async (vault, { elsewhere }) => {
    const entry = await stored(vault);
    const tries = Array.from({ length: 50 }, () => nextOf(entry));
    const won = await together(50, (index) =>
      [vault, elsewhere][index % 2]?.write(tries[index] ?? entry, entry.version),
    );
    same(won.filter(Boolean).length, 1, 'writes that won');
    sameEntry(await vault.read(entry), tries[won.indexOf(true)] ?? entry);
  });

  it('moves an entry to another user', async (vault) => {
    const entry = await stored(vault);
    const next = nextOf(entry, { userId: fresh('user') });
    same(await vault.write(next, entry.version), true, 'written');
    same(await vault.find(entry.userId), [], 'entries of the user before');
    sameEntry((await vault.find(next.userId))[0], next);
  });

  it('removes an entry, also if the step is repeated', async (vault, { elsewhere }) => {
    const [entry, other] = [await stored(vault), await stored(vault)];
    await vault.remove(keyOf(entry));
    await elsewhere.remove(entry);
    same(await vault.read(entry), null, 'entry');
    same(await vault.find(entry.userId), [], 'entries of the user');
    same(await vault.write(nextOf(entry), entry.version), false, 'a late write');
    sameEntry(await vault.read(other), other);
  });

  it('writes a removed entry again, and refuses a late write over it', async (vault) => {
    const entry = await stored(vault);
    await vault.remove(entry);
    const again = { ...entry, version: 99, sealed: fresh('sealed') };
    same(await vault.write(again, null), true, 'written');
    same(await vault.write(nextOf(entry), entry.version), false, 'a late write');
    sameEntry(await vault.read(entry), again);
    same(await accountsOf(vault, entry.userId), [entry.providerAccountId], 'entries of the user');
  });

  it('keeps an entry removed that fifty writes compete with', async (vault, { elsewhere }) => {
    const entry = await stored(vault);
    await together(51, (index) =>
      index === 25 ? elsewhere.remove(entry) : vault.write(nextOf(entry), entry.version + (index % 2)),
    );
    await vault.remove(entry);
    same(await vault.read(entry), null, 'entry');
    same(await vault.find(entry.userId), [], 'entries of the user');
  });
}
