import type { TokenVault, VaultEntry, VaultKey } from '@latchkey/core/types';
import { check, same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';
import { keyOf, nextOf, sameEntry, stored } from './samples.ts';
import type { Case } from './subject.ts';

/** Registers the cases about reading all entries. */
export function scan(it: Case): void {
  it('returns every entry once, page by page', async (vault) => {
    const provider = fresh('provider');
    const entries = new Map<string, VaultEntry>();
    for (let count = 0; count < 25; count++) {
      const entry = await stored(vault, { provider });
      entries.set(entry.providerAccountId, entry);
    }
    const found = (await all(vault, 7)).filter((entry) => entry.provider === provider);
    same(found.length, 25, 'number of entries');
    for (const entry of found) sameEntry(entry, entries.get(entry.providerAccountId) ?? entry);
    same(new Set(found.map(({ providerAccountId }) => providerAccountId)).size, 25, 'different entries');
  });

  it('continues after an entry that was written or removed meanwhile', async (vault) => {
    const provider = fresh('provider');
    for (let count = 0; count < 6; count++) await stored(vault, { provider });
    const seen: string[] = [];
    for (let after: VaultKey | null = null; ; ) {
      const page: readonly VaultEntry[] = await scanOf(vault)(after, 1);
      const [entry] = page;
      if (!entry) break;
      after = keyOf(entry);
      if (entry.provider !== provider) continue;
      seen.push(entry.providerAccountId);
      if (seen.length % 2 === 0) await vault.remove(entry);
      else same(await vault.write(nextOf(entry), entry.version), true, 'written');
    }
    same(seen.length, 6, 'entries');
    same(new Set(seen).size, 6, 'different entries');
  });
}

function scanOf(vault: TokenVault): NonNullable<TokenVault['scan']> {
  check(typeof vault.scan === 'function', 'the vault must have the method `scan`');
  return vault.scan.bind(vault);
}

async function all(vault: TokenVault, limit: number): Promise<VaultEntry[]> {
  const found: VaultEntry[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await scanOf(vault)(last ? keyOf(last) : null, limit);
    found.push(...page);
    check(page.length <= limit, `a page must have at most ${limit} entries, has ${page.length}`);
    if (page.length < limit) return found;
  }
}
