import type { TokenVault, VaultEntry } from '@latchkey/core/types';
import { describe, expect, it } from 'vitest';
import { MemoryTokenVault } from '../src/memory-token-vault.ts';
import { tokenVaultSuite, type VaultSubject } from '../src/token-vault-suite.ts';

/** A vault whose clock a case moves instead of waiting. */
function subject(flaw: (right: MemoryTokenVault) => Partial<TokenVault> = () => ({}), latency?: () => Promise<void>) {
  let now = Date.now();
  const right = MemoryTokenVault({ now: () => new Date(now), latency });
  const pass = (seconds: number): void => {
    now += seconds * 1000;
  };
  return { vault: { ...right, ...flaw(right) }, pass } satisfies VaultSubject;
}

/** Returns the titles of the cases that a vault fails. */
async function failures(make: () => VaultSubject): Promise<string[]> {
  const cases: [string, () => Promise<void>][] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (title: string, body: () => Promise<void>) => cases.push([title, body]),
  };
  tokenVaultSuite(make, runner);
  const results = await Promise.allSettled(cases.map(([, body]) => body()));
  return cases.filter((_, index) => results[index]?.status === 'rejected').map(([title]) => title);
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

type Flaw = (right: MemoryTokenVault) => Partial<TokenVault>;

/** Each flaw, and the cases that notice it. */
const flaws: [string, Flaw, string[]][] = [
  [
    'ignores the expected version',
    ({ read, write }) => ({ write: async (entry) => write(entry, (await read(entry))?.version ?? null) }),
    ['writes over an entry only if it has the expected version', 'writes a new entry only if the key is free'],
  ],
  [
    'compares the version before it waits, and then writes',
    ({ read, rows }) => ({
      write: async (entry, expected) => {
        const before = await read(entry);
        await pause();
        if ((before?.version ?? null) !== expected) return false;
        rows.set(JSON.stringify([entry.provider, entry.providerAccountId]), { entry });
        return true;
      },
    }),
    ['lets one of fifty simultaneous writes over an entry win', 'lets one of fifty simultaneous first writes win'],
  ],
  [
    'gives every holder the lease',
    ({ lease }) => ({ lease: (key, version, _, seconds) => lease(key, version, 'anyone', seconds) }),
    ['gives one of fifty simultaneous holders the lease'],
  ],
  [
    'ignores the version of a lease',
    ({ read, lease }) => ({
      lease: async (key, _, holder, seconds) => lease(key, (await read(key))?.version ?? 0, holder, seconds),
    }),
    ['gives no lease for another version, nor for a missing entry'],
  ],
  [
    'lets anyone end a lease',
    ({ rows }) => ({
      lease: (key, version, holder, seconds) => {
        const row = rows.get(JSON.stringify([key.provider, key.providerAccountId]));
        if (row?.entry.version !== version || (seconds > 0 && row.lease && row.lease.holder !== holder)) return false;
        row.lease = seconds > 0 ? { holder, until: new Date(Date.now() + seconds * 1000) } : undefined;
        return true;
      },
    }),
    ['ends the lease of its holder with 0 seconds, and of no one else'],
  ],
  [
    'never ends a lease by time',
    ({ lease }) => ({ lease: (key, version, holder, seconds) => lease(key, version, holder, seconds && 9000) }),
    ['ends the lease when its seconds have passed'],
  ],
  [
    'keeps the lease after a write',
    ({ rows, write }) => ({
      write: async (entry, expected) => {
        const key = JSON.stringify([entry.provider, entry.providerAccountId]);
        const held = rows.get(key)?.lease;
        const done = await write(entry, expected);
        const row = rows.get(key);
        if (done && row) row.lease = held;
        return done;
      },
    }),
    ['ends the lease with a write, and keeps it with a refused one'],
  ],
  [
    'ignores the provider of `find`',
    ({ find }) => ({ find: (userId) => find(userId) }),
    ['finds the entries of a user, of all providers or of one'],
  ],
  [
    'ignores case in keys',
    ({ read, write }) => ({
      write: (entry, expected) => write({ ...entry, provider: entry.provider.toLowerCase() }, expected),
      read: async (key) => read({ ...key, provider: key.provider.toLowerCase() }),
    }),
    ['distinguishes providers, accounts and users byte by byte'],
  ],
  [
    'joins the parts of a key',
    ({ read, write, find }) => {
      const joined = <T extends { provider: string; providerAccountId: string }>(key: T): T => ({
        ...key,
        provider: `${key.provider}:${key.providerAccountId}`,
        providerAccountId: '',
      });
      return { write: (entry, expected) => write(joined(entry), expected), read: (key) => read(joined(key)), find };
    },
    ['does not confuse keys whose parts join to the same text'],
  ],
  [
    'cuts milliseconds off',
    ({ write }) => ({
      write: (entry, expected) => {
        const expires = entry.expires && new Date(Math.floor(+entry.expires / 1000) * 1000);
        return write({ ...entry, expires }, expected);
      },
    }),
    ['keeps every member of an entry'],
  ],
  [
    'skips entries at the end of a page',
    ({ scan }) => ({ scan: async (after, limit) => (await scan(after, limit + 1)).toSpliced(0, 1) }),
    ['returns every entry once, page by page'],
  ],
  [
    'deletes entries that never expire',
    ({ cleanup, rows }) => ({
      cleanup: async (now) => {
        for (const [key, { entry }] of rows) if (entry.expires === null) rows.delete(key);
        return cleanup(now);
      },
    }),
    ['deletes expired entries, and returns their number'],
  ],
];

describe('tokenVaultSuite', () => {
  it('accepts a correct vault', async () => {
    expect(await failures(subject)).toEqual([]);
    expect(await failures(() => subject(undefined, pause))).toEqual([]);
  });

  it.each(flaws)('notices a vault that %s', async (_, flaw, titles) => {
    expect(await failures(() => subject(flaw))).toEqual(expect.arrayContaining(titles));
  });

  it('requires `scan` and `cleanup` only if the vault has them', async () => {
    const titles: string[] = [];
    const runner = { describe: (_: string, body: () => void) => body(), it: (title: string) => titles.push(title) };
    tokenVaultSuite(subject, runner, { cleanup: false, scan: false });
    expect(titles.length).toBeGreaterThan(30);
    expect(titles.filter((title) => /page by page|deletes expired/.test(title))).toEqual([]);
  });
});

describe('MemoryTokenVault', () => {
  tokenVaultSuite(subject, { describe, it });

  const entry: VaultEntry = {
    provider: 'google',
    providerAccountId: '1',
    userId: 'ada',
    version: 7,
    sealed: 'sealed',
    expires: null,
  };

  it('fails on demand before it writes or after, hangs, and recovers', async () => {
    const vault = MemoryTokenVault();
    vault.fail('write');
    vault.fail('write', 'after');
    await expect(vault.write(entry, null)).rejects.toThrow('write failed on demand');
    expect(vault.dump()).toEqual([]);
    await expect(vault.write(entry, null)).rejects.toThrow('write failed on demand');
    expect(vault.dump()).toEqual([entry]);
    vault.fail('read', { hang: true, times: Number.POSITIVE_INFINITY });
    const answer = vault.read(entry).then(() => 'answered');
    expect(await Promise.race([answer, pause()])).toBeUndefined();
    vault.recover();
    expect(await vault.read(entry)).toEqual(entry);
    expect(vault.calls.map(({ step }) => step)).toEqual(['write', 'write', 'read', 'read']);
  });
});
