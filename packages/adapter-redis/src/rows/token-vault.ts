import type { TokenVault, VaultEntry, VaultKey } from '@latchkey/core/types';
import { partOf } from '../keys.ts';
import { type Need, type Plan, retry, type Step } from '../plan.ts';
import { membersOf, ownerOf, rowText } from '../row.ts';
import { KEEP, lifetime, type Store } from '../store.ts';
import { instant, lookupPair, lookupPart, required } from '../values.ts';

/*
 * An entry is one key, and so is its lease. A sorted set has the parts of all entries, for `scan`. These three are on
 * one slot, so each step that writes them is one script. The row of an entry is marked with its version, and its owner
 * is the user.
 *
 * A list leads from a user to the parts of the user's entries. With the tag `user` it is on another slot. An entry is
 * listed before it is stored, so a list never misses an entry. A listed entry that does not exist, or that belongs to
 * another user, leaves the list when it is found an hour later. Without an adapter, entries have no user and no list.
 */

/** The steps of the token vault. */
export interface VaultSteps extends TokenVault {
  read(key: VaultKey): Promise<VaultEntry | null>;
  find(userId: string, provider?: string): Promise<readonly VaultEntry[]>;
  lease(key: VaultKey, version: number, holder: string, seconds: number): Promise<boolean>;
  write(entry: VaultEntry, expected: number | null): Promise<boolean>;
  remove(key: VaultKey): Promise<void>;
  scan(after: VaultKey | null, limit: number): Promise<readonly VaultEntry[]>;
  /**
   * Deletes expired entries, and returns their number. It need not be called: the server deletes each an hour later.
   *
   * @param now The current time. Default: the time of the option `now`.
   */
  cleanup(now?: Date): Promise<number>;
}

/** Returns the steps of the token vault. */
export function tokenVaultOf(store: Store): VaultSteps {
  return {
    read: async (key) => {
      const part = partOfKey(key);
      const row = part && (await store.get(entryKey(store, part)));
      return row ? membersOf<VaultEntry>(row) : null;
    },
    find: (userId, provider) => find(store, userId, provider),
    lease: (key, version, holder, seconds) => lease(store, key, version, holder, seconds),
    write: async (entry, expected) => (await store.commit(writing(store, entry, expected))) === null,
    remove: (key) => remove(store, key),
    scan: (after, limit) => scan(store, after, limit),
    cleanup: (now = store.now()) => cleanup(store, now),
  };
}

/** Milliseconds that the list of an entry without an expiry lives after each write: a hundred years. */
const FOREVER = 100 * 365 * 24 * 3_600_000;
/** Listed entries that are read for a user. */
const LISTED = 1000;
/** Entries that `cleanup` reads at once. */
const BATCH = 100;
/** A listed entry leaves its list whenever it was listed. */
const ALWAYS = Number.MAX_SAFE_INTEGER;

async function find(store: Store, userId: string, provider: string | undefined): Promise<VaultEntry[]> {
  const owner = userId === '' ? null : lookupPart(userId);
  if (owner === null) return [];
  const list = store.keys.of('vaults', owner);
  const parts = await store.ranked(list, 0, LISTED);
  const rows = await store.getAll(parts.map((part) => entryKey(store, part)));
  const isOwn = (row: string | null | undefined): row is string => typeof row === 'string' && ownerOf(row) === owner;
  const stale = parts.filter((_, index) => !isOwn(rows[index]));
  if (stale.length > 0) {
    // Another process may be storing an entry that was listed later.
    const listed = String(store.now().getTime() - KEEP);
    await store.commit([{ write: stale.map((part) => ['unrank', list, part, listed] as const) }]);
  }
  const entries = rows.filter(isOwn).map((row) => membersOf<VaultEntry>(row));
  return entries.filter((entry) => (provider ?? entry.provider) === entry.provider);
}

async function lease(store: Store, key: VaultKey, version: number, holder: string, seconds: number): Promise<boolean> {
  const milliseconds = wholeNumber('seconds', seconds) * 1000;
  const part = partOfKey(key);
  if (part === null) return false;
  return store.lease(
    entryKey(store, part),
    store.keys.of('lease', part),
    wholeNumber('version', version),
    required('holder', holder),
    milliseconds,
  );
}

/** Returns the plan that writes an entry if the stored version is `expected`. */
function writing(store: Store, entry: VaultEntry, expected: number | null): Plan {
  const members = checkedEntry(entry);
  const { provider, providerAccountId, userId, version, expires } = members;
  const { keys, now } = store;
  const part = partOf([provider, providerAccountId]);
  const owner = partOf(userId);
  const key = entryKey(store, part);
  const lives = expires ? lifetime(expires, now()) : '';
  const need: Need = expected === null ? ['absent', key] : ['marked', key, String(wholeNumber('expected', expected))];
  const listed: Step = {
    write: [['rank', keys.of('vaults', owner), part, String(now().getTime()), lives || String(FOREVER)]],
  };
  const written: Step = {
    need: [need],
    write: [
      ['put', key, rowText(owner, version, { ...members }), lives],
      ['drop', keys.of('lease', part)],
      ['index', keys.vaultIndex(part), part],
    ],
  };
  return userId === '' ? [written] : [listed, written];
}

async function remove(store: Store, key: VaultKey): Promise<void> {
  const part = partOfKey(key);
  if (part === null) return;
  await retry(async () => {
    const row = await store.get(entryKey(store, part));
    const unmet = row === null ? null : await store.commit(removing(store, part, row));
    return unmet === null ? { done: true } : undefined;
  });
}

/**
 * Returns the plan that deletes an entry if it has this row. With the tag `user`, another process may store the entry
 * again between the steps. So an entry that was listed within the last hour stays listed.
 */
function removing({ keys, now }: Store, part: string, row: string): Plan {
  const [key, list] = [keys.of('vault', part), keys.of('vaults', ownerOf(row))];
  const listed = keys.tag === 'all' ? ALWAYS : now().getTime() - KEEP;
  return [
    {
      need: [['is', key, row]],
      write: [
        ['drop', key],
        ['drop', keys.of('lease', part)],
        ['unschedule', keys.vaultIndex(part), part],
      ],
    },
    { write: [['unrank', list, part, String(listed)]] },
  ];
}

async function scan(store: Store, after: VaultKey | null, limit: number): Promise<VaultEntry[]> {
  const most = wholeNumber('limit', limit);
  const part = after && partOfKey(after);
  if (most === 0 || (after && part === null)) return [];
  const found: VaultEntry[] = [];
  for await (const rows of pages(store, part, most)) {
    found.push(...rows.map(({ row }) => membersOf<VaultEntry>(row)));
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

async function cleanup(store: Store, now: Date): Promise<number> {
  let deleted = 0;
  for await (const rows of pages(store, null, BATCH)) {
    for (const { part, row } of rows) {
      const { expires } = membersOf<VaultEntry>(row);
      if (!expires || expires.getTime() > now.getTime()) continue;
      if ((await store.commit(removing(store, part, row))) === null) deleted += 1;
    }
  }
  return deleted;
}

/** Returns all rows in the order of their parts, page by page. An entry that has expired leaves its index. */
async function* pages(
  store: Store,
  after: string | null,
  size: number,
): AsyncGenerator<{ readonly part: string; readonly row: string }[]> {
  const indexes = store.keys.allVaultIndexes();
  const first = after === null ? 0 : indexes.indexOf(store.keys.vaultIndex(after));
  let last = after;
  for (const index of indexes.slice(first)) {
    for (let isLast = false; !isLast; ) {
      const parts = await store.ordered(index, last, size);
      const rows = await store.getAll(parts.map((part) => entryKey(store, part)));
      isLast = parts.length < size;
      last = parts.at(-1) ?? null;
      await Promise.all(parts.filter((_, at) => rows[at] === null).map((part) => unindex(store, part)));
      yield parts.flatMap((part, at) => (rows[at] ? [{ part, row: rows[at] }] : []));
    }
    last = null;
  }
}

async function unindex(store: Store, part: string): Promise<void> {
  const write = ['unschedule', store.keys.vaultIndex(part), part] as const;
  await store.commit([{ need: [['absent', entryKey(store, part)]], write: [write] }]);
}

/** @throws {TypeError} if a value is missing, or cannot be stored exactly. */
function checkedEntry(entry: VaultEntry): VaultEntry {
  return {
    provider: required('entry.provider', entry.provider),
    providerAccountId: required('entry.providerAccountId', entry.providerAccountId),
    userId: required('entry.userId', entry.userId),
    version: wholeNumber('entry.version', entry.version),
    sealed: required('entry.sealed', entry.sealed),
    expires: entry.expires === null ? null : instant('entry.expires', entry.expires),
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError(`${name} must be a whole number, 0 or more`);
}

/** Returns the key part of an entry; `null` if such an entry cannot have been stored. */
function partOfKey({ provider, providerAccountId }: VaultKey): string | null {
  return lookupPair(provider, providerAccountId);
}

function entryKey({ keys }: Store, part: string): string {
  return keys.of('vault', part);
}
