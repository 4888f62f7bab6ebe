import { same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { accountsOf, anEntry, keyOf, nextOf, sameEntry, stored } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about reading. */
export function read(it: Case): void {
  it('returns `null` and an empty list for unknown keys', async (vault) => {
    same(await vault.read(keyOf(anEntry())), null, 'read');
    same(await vault.find(fresh('user')), [], 'find');
    same(await vault.find(fresh('user'), 'google'), [], 'find by provider');
  });

  it('keeps every member of an entry', async (vault, { elsewhere }) => {
    const entry = await stored(vault);
    sameEntry(await vault.read(keyOf(entry)), entry);
    sameEntry(await elsewhere.read(entry), entry);
    sameEntry((await elsewhere.find(entry.userId))[0], entry);
  });

  it('keeps `null` as expiry, the largest version, and an entry of 32,768 characters', async (vault) => {
    const members = { expires: null, version: Number.MAX_SAFE_INTEGER - 1, sealed: 's'.repeat(32_768) };
    const entry = await stored(vault, members);
    sameEntry(await vault.read(entry), entry);
    const next = nextOf(entry);
    same(await vault.write(next, entry.version), true, 'written');
    sameEntry(await vault.read(entry), next);
  });

  it('finds the entries of a user, of all providers or of one', async (vault) => {
    const userId = fresh('user');
    const [one, two] = [await stored(vault, { userId }), await stored(vault, { userId })];
    const other = await stored(vault, { userId, provider: 'github' });
    await stored(vault);
    const of = (...entries: { providerAccountId: string }[]) =>
      entries.map(({ providerAccountId }) => providerAccountId).sort();
    same(await accountsOf(vault, userId), of(one, two, other), 'all');
    same(await accountsOf(vault, userId, 'google'), of(one, two), 'of Google');
    same(await accountsOf(vault, userId, 'github'), of(other), 'of GitHub');
    same(await accountsOf(vault, userId, 'gitlab'), [], 'of GitLab');
  });

  it('finds fifty entries of a user', async (vault) => {
    const userId = fresh('user');
    for (let count = 0; count < 50; count++) await stored(vault, { userId });
    same((await vault.find(userId)).length, 50, 'number of entries');
  });

  it('keeps entries of no user, of different providers with one account id', async (vault) => {
    const one = await stored(vault, { userId: '' });
    const other = await stored(vault, {
      userId: '',
      provider: 'github',
      providerAccountId: one.providerAccountId,
      version: 7,
    });
    sameEntry(await vault.read(one), one);
    sameEntry(await vault.read(other), other);
  });
}
