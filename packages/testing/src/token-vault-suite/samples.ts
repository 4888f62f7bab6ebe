import type { TokenVault, VaultEntry, VaultKey } from '@latchkey/core/types';
import { check, same } from '../adapter-suite/expect.ts';
import { fresh } from '../adapter-suite/samples.ts';

/** Returns an entry of an account and a user of its own. */
export function anEntry(members: Partial<VaultEntry> = {}): VaultEntry {
  return {
    provider: 'google',
    providerAccountId: fresh('account'),
    userId: fresh('user'),
    version: 1_099_511_627_770,
    sealed: fresh('sealed'),
    expires: new Date('2099-12-31T23:59:59.999Z'),
    ...members,
  };
}

/** Returns the next version of an entry. */
export function nextOf(entry: VaultEntry, members: Partial<VaultEntry> = {}): VaultEntry {
  return { ...entry, version: entry.version + 1, sealed: fresh('sealed'), ...members };
}

/** Stores an entry, and returns it. */
export async function stored(vault: TokenVault, members: Partial<VaultEntry> = {}): Promise<VaultEntry> {
  const entry = anEntry(members);
  same(await vault.write(entry, null), true, 'the first write');
  return entry;
}

/** Returns the key of an entry, alone. */
export function keyOf({ provider, providerAccountId }: VaultKey): VaultKey {
  return { provider, providerAccountId };
}

/** Fails the case unless a vault has returned this entry, with no other members. */
export function sameEntry(actual: VaultEntry | null | undefined, expected: VaultEntry): void {
  check(actual !== null && typeof actual === 'object', `expected an entry, got ${String(actual)}`);
  same(actual, expected, 'entry');
  check(typeof actual.version === 'number', 'version must be a number');
  check(actual.expires === null || actual.expires instanceof Date, 'expires must be a Date or null');
}

/** Returns the account ids of the entries that a vault finds, sorted. */
export async function accountsOf(vault: TokenVault, userId: string, provider?: string): Promise<string[]> {
  return (await vault.find(userId, provider)).map(({ providerAccountId }) => providerAccountId).sort();
}

/** Calls a function with each number below `count`, at the same time. */
export function together<T>(count: number, call: (index: number) => T): Promise<Awaited<T>[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}
