import type { VaultEntry } from '@latchkey/core/types';
import { check, outcome, same } from '../adapter-suite/expect.ts';
import { fresh, hostile, lookAlikes, refusable } from '../adapter-suite/samples.ts';
import { accountsOf, anEntry, nextOf, sameEntry } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about text that stores often change. A store may refuse some of it, but must not change any. */
export function text(it: Case): void {
  for (const [kind, words] of Object.entries(hostile)) {
    const isRefusable = refusable.has(kind);
    it(`keeps ${isRefusable ? 'or refuses ' : ''}${kind} in a key`, async (vault) => {
      const key = (): string => `${words}${fresh('')}`;
      const entry = anEntry({ provider: key(), providerAccountId: key(), userId: key() });
      const written = await outcome(() => vault.write(entry, null));
      if (!written.ok) {
        if (!isRefusable) throw written.error;
        const found = await outcome(() => vault.read(entry));
        return same(found.ok ? found.value : null, null, 'after the refusal');
      }
      same(written.value, true, 'written');
      sameEntry(await vault.read(entry), entry);
      same(await accountsOf(vault, entry.userId, entry.provider), [entry.providerAccountId], 'by user and provider');
      same(await vault.lease(entry, entry.version, `${words} holder`, 15), true, 'lease');
      same(await vault.lease(entry, entry.version, `${words} other`, 15), false, 'lease of another holder');
      const next = nextOf(entry);
      same(await vault.write(next, entry.version), true, 'written again');
      sameEntry((await vault.find(entry.userId))[0], next);
      await vault.remove(entry);
      same(await vault.read(entry), null, 'after the removal');
      same(await vault.find(entry.userId), [], 'entries of the user');
    });
  }

  it('distinguishes providers, accounts and users byte by byte', async (vault) => {
    const prefix = fresh('');
    const kept: VaultEntry[] = [];
    for (const key of lookAlikes.map((one) => prefix + one))
      for (const entry of [anEntry({ provider: key, providerAccountId: 'x', userId: key }), anEntry({ userId: key })]) {
        const named = { ...entry, providerAccountId: entry.provider === key ? prefix : key };
        if ((await outcome(() => vault.write(named, null))).ok) kept.push(named);
      }
    check(kept.length >= lookAlikes.length * 2 - 4, `only ${kept.length} similar keys were kept`);
    for (const entry of kept) {
      sameEntry(await vault.read(entry), entry);
      same(await accountsOf(vault, entry.userId, entry.provider), [entry.providerAccountId], 'by user and provider');
    }
    const [first, ...others] = kept;
    if (first) await vault.remove(first);
    for (const entry of others) sameEntry(await vault.read(entry), entry);
  });

  it('does not confuse keys whose parts join to the same text', async (vault) => {
    const id = fresh('');
    const parts: [string, string][] = [
      [`${id}a`, 'b:c'],
      [`${id}a:b`, 'c'],
      [`${id}a,b`, 'c'],
      [`${id}a`, 'b,c'],
      [`${id}a`, ''],
    ];
    const entries = parts.map(([provider, providerAccountId]) => anEntry({ provider, providerAccountId, userId: id }));
    for (const entry of entries) same(await vault.write(entry, null), true, 'written');
    for (const entry of entries) sameEntry(await vault.read(entry), entry);
    same((await vault.find(id)).length, entries.length, 'entries of the user');
  });
}
