import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VaultEntry } from '@latchkey/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, mariadb, postgres, redis } from '../services/index.ts';
import { Process, type Store } from './processes.ts';

interface Opened extends Store {
  drop(): unknown;
}

async function sqlite(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-vaults-'));
  const drop = (): void => rmSync(folder, { recursive: true, force: true });
  return { kind: 'SQLite', url: join(folder, 'auth.db'), prefix: '', drop };
}

async function inRedis(kind: string): Promise<Opened> {
  return { kind, ...(await (await redis()).fresh()) };
}

const stores: [kind: string, isAvailable: boolean, open: () => Promise<Opened>][] = [
  ['SQLite', true, sqlite],
  ['PostgreSQL', await available('postgres'), async () => sqlStore('PostgreSQL', await (await postgres()).fresh())],
  ['MariaDB', await available('mariadb'), async () => sqlStore('MariaDB', await (await mariadb()).fresh())],
  ['Redis', await available('redis'), () => inRedis('Redis')],
  ['Redis, by user', await available('redis'), () => inRedis('Redis, by user')],
];

function sqlStore(kind: string, fresh: { url: string; drop(): unknown }): Opened {
  return { kind, url: fresh.url, prefix: '', drop: () => fresh.drop() };
}

describe.each(stores.filter(([, isAvailable]) => isAvailable))(
  'two processes with one token vault on %s',
  (_, __, open) => {
    let store: Opened;
    /** The clock of the first is ten minutes slow, that of the second ten minutes fast. */
    let slow: Process;
    let fast: Process;
    beforeAll(async () => {
      store = await open();
      [slow, fast] = [await Process.start(store, -10), await Process.start(store, 10)];
    });
    afterAll(async () => {
      await Promise.all([slow?.kill(), fast?.kill()]);
      await store?.drop();
    });
    const both = <T>(call: (process: Process, index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: 50 }, (_, index) => call(index % 2 ? slow : fast, index)));

    it('let one of fifty simultaneous steps win', async () => {
      const entry = anEntry();
      const entries = Array.from({ length: 50 }, (_, index) => ({ ...entry, sealed: `sealed by ${index}` }));
      const first = await both((process, index) => process.write(entries[index] ?? entry, null));
      expect(first.filter(Boolean)).toHaveLength(1);
      expect(await slow.read(entry)).toEqual(entries[first.indexOf(true)]);
      const leases = await both((process, index) => process.lease(entry, entry.version, `holder ${index}`, 15));
      expect(leases.filter(Boolean)).toHaveLength(1);
      const next = entries.map((one) => ({ ...one, version: one.version + 1 }));
      const writes = await both((process, index) => process.write(next[index] ?? entry, entry.version));
      expect(writes.filter(Boolean)).toHaveLength(1);
      for (const process of [slow, fast])
        expect(await process.find(entry.userId)).toEqual([next[writes.indexOf(true)]]);
    });

    it('end a lease by the clock of the store', async () => {
      for (const [one, other] of [
        [slow, fast],
        [fast, slow],
      ] as const) {
        const entry = anEntry();
        await one.write(entry, null);
        expect(await one.lease(entry, entry.version, 'one', 2)).toBe(true);
        expect(await other.lease(entry, entry.version, 'other', 15)).toBe(false);
        await pause(1000);
        expect(await other.lease(entry, entry.version, 'other', 15)).toBe(false);
        await pause(1200);
        expect(await other.lease(entry, entry.version, 'other', 15)).toBe(true);
        expect(await one.lease(entry, entry.version, 'one', 15)).toBe(false);
      }
    });

    it('find what the other has written, and not what it has removed', async () => {
      const entry = anEntry();
      await slow.write(entry, null);
      expect(await fast.find(entry.userId)).toEqual([entry]);
      await fast.remove(entry);
      expect(await slow.read(entry)).toBeNull();
      expect(await slow.find(entry.userId)).toEqual([]);
      await slow.write(entry, null);
      expect(await fast.find(entry.userId)).toEqual([entry]);
    });

    it('continue when the process with the lease was killed', async () => {
      const entry = anEntry();
      const dying = await Process.start(store);
      await dying.write(entry, null);
      await dying.dieAfter('lease', entry, entry.version, 'dead', 2);
      const next = { ...entry, version: entry.version + 1 };
      expect(await slow.lease(entry, entry.version, 'alive', 15)).toBe(false);
      await pause(2200);
      expect(await slow.lease(entry, entry.version, 'alive', 15)).toBe(true);
      expect(await slow.write(next, entry.version)).toBe(true);
      // The late write of a process that was only slow.
      expect(await fast.write({ ...next, sealed: 'late' }, entry.version)).toBe(false);
      expect(await fast.read(entry)).toEqual(next);
    });

    it('see a write whose process was killed before it had the answer', async () => {
      const entry = anEntry();
      const dying = await Process.start(store);
      await dying.dieAfter('write', entry, null);
      expect(await slow.write(entry, null)).toBe(false);
      expect(await slow.find(entry.userId)).toEqual([entry]);
    });

    it('find a whole entry when a process is killed at any time of its writes', async () => {
      for (let round = 0; round < 2; round++) {
        const entry = anEntry({ sealed: 's'.repeat(30_000) });
        const dying = await Process.start(store);
        const work = writes(dying, entry);
        await pause(5 + round * 30);
        await dying.kill();
        await work;
        const found = await slow.read(entry);
        if (found) expect(found).toEqual({ ...entry, version: found.version });
        expect(await fast.find(entry.userId)).toEqual(found ? [found] : []);
        const next = { ...entry, version: (found?.version ?? 0) + 1 };
        expect(await fast.write(next, found?.version ?? null)).toBe(true);
        expect(await slow.find(entry.userId)).toEqual([next]);
      }
    });
  },
);

/** Writes an entry until the process is killed. */
async function writes(process: Process, entry: VaultEntry): Promise<void> {
  try {
    await process.write(entry, null);
    for (let version = entry.version; ; version++) {
      await process.lease(entry, version, 'one', 15);
      await process.write({ ...entry, version: version + 1 }, version);
    }
  } catch (error) {
    expect(String(error)).toMatch(/the process has ended|channel/i);
  }
}

function anEntry(members: Partial<VaultEntry> = {}): VaultEntry {
  return {
    provider: 'google',
    providerAccountId: crypto.randomUUID(),
    userId: crypto.randomUUID(),
    version: 1_099_511_627_770,
    sealed: 'sealed',
    expires: new Date('2099-12-31T23:59:59.999Z'),
    ...members,
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
