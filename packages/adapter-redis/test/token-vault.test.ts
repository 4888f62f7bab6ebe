import { readFileSync } from 'node:fs';
import type { VaultEntry } from '@latchkey/core/types';
import { MemoryTokenVault, memoryAdapter } from '@latchkey/testing';
import { tokenVaultSuite } from '@latchkey/testing/token-vault-suite';
import { describe, expect, it } from 'vitest';
import { available, redis as redisServer } from '../../../test/services/index.ts';
import { combine, RedisAdapter, RedisSessions, RedisTokenVault, type Tag } from '../src/index.ts';
import { clients, countKinds, nodeRedis } from './clients.ts';
import { type Recorded, recorded } from './recorded.ts';
import { rejection } from './samples.ts';
import { connection, subject } from './subject.ts';

const isThere = await available('redis');
const start = Date.parse('2026-03-01T12:00:00Z');
const at = (minutes: number): Date => new Date(start + minutes * 60_000);

describe.runIf(isThere).each(['all', 'user'] as const)('RedisTokenVault, tag %s', (tag: Tag) => {
  const redis = subject();
  const make = (now?: () => Date) => RedisTokenVault(redis().client, { prefix: redis().prefix, tag, now });
  const kinds = async () => countKinds(await redis().keys(), '');

  /** Returns a vault whose client is recorded, with keys of its own. */
  function recordedVault(name: string): { client: Recorded; vault: RedisTokenVault; other: RedisTokenVault } {
    const client = recorded(redis());
    const options = { prefix: redis().prefix + name, tag };
    return {
      client,
      vault: RedisTokenVault(client.client, options),
      other: RedisTokenVault(redis().client, options),
    };
  }

  tokenVaultSuite(() => ({ vault: make(), elsewhere: make() }), { describe, it });

  it('has no ids in key names, and leaves no keys of an entry that was removed', async () => {
    const vault = make();
    const entry = anEntry();
    await vault.write(entry, null);
    await vault.lease(entry, entry.version, 'one', 15);
    const keys = await redis().keys();
    expect(countKinds(keys, '')).toEqual({ vault: 1, vaults: 1, vaultIndex: 1, lease: 1 });
    const ids = ['google', entry.providerAccountId, entry.userId];
    expect(keys.filter((key) => ids.some((id) => key.includes(id)))).toEqual([]);
    await vault.remove(entry);
    // On several slots, a list keeps what was listed within the last hour.
    expect(await kinds()).toEqual(tag === 'all' ? {} : { vaults: 1 });
    await make(() => new Date(Date.now() + 7_200_000)).find(entry.userId);
    expect(await kinds()).toEqual({});
  });

  it('lets entries expire with their lists an hour later, and keeps entries without an expiry', async () => {
    const vault = make(() => at(0));
    const left = async (): Promise<Record<string, number>> => {
      const entries = (await redis().keys()).map(async (key): Promise<[string, number]> => {
        const remaining = Number(await redis().send('PTTL', redis().prefix + key));
        return [key.replace('{latchkey}:', '').split(':')[0] ?? '', Math.ceil(remaining / 60_000)];
      });
      return Object.fromEntries(await Promise.all(entries));
    };
    const entry = anEntry({ expires: at(10) });
    await vault.write(entry, null);
    expect(await left()).toMatchObject({ vault: 70, vaults: 70 });
    await vault.lease(entry, entry.version, 'one', 120);
    expect(await left()).toMatchObject({ lease: 2 });
    await vault.write({ ...entry, version: entry.version + 1, expires: null }, entry.version);
    const { vault: entryLeft, vaults } = await left();
    expect(entryLeft).toBeLessThanOrEqual(0);
    expect(vaults).toBeGreaterThan(10_000_000);
    await vault.write({ ...entry, version: entry.version + 2, expires: at(5) }, entry.version + 1);
    expect(await left()).toMatchObject({ vault: 65, vaults });
  });

  it('removes the name of an entry that the server has deleted, when `scan` or `find` finds it', async () => {
    const vault = make(() => at(0));
    const [gone, kept] = [anEntry(), anEntry()];
    for (const entry of [gone, { ...kept, userId: gone.userId }]) await vault.write(entry, null);
    await deleteEntry(gone);
    expect((await vault.scan(null, 10)).map(({ providerAccountId }) => providerAccountId)).toEqual([
      kept.providerAccountId,
    ]);
    const named = async (kind: string): Promise<number> => {
      const keys = (await redis().keys()).filter((key) => key.replace('{latchkey}:', '').startsWith(`${kind}:`));
      const own = tag === 'all' && kind === 'vaultIndex' ? ['{latchkey}:vaultIndex'] : keys;
      const sizes = own.map(async (key) => Number(await redis().send('ZCARD', redis().prefix + key)));
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    };
    expect(await named('vaultIndex')).toBe(1);
    expect(await vault.find(gone.userId)).toHaveLength(1);
    expect(await named('vaults')).toBe(2);
    await make(() => at(60)).find(gone.userId);
    expect(await named('vaults')).toBe(1);
  });

  async function deleteEntry({ providerAccountId }: VaultEntry): Promise<void> {
    for (const key of await redis().keys()) {
      if (!key.replace('{latchkey}:', '').startsWith('vault:')) continue;
      const name = redis().prefix + key;
      if (String(await redis().send('GET', name)).includes(providerAccountId)) await redis().send('DEL', name);
    }
  }

  it('keeps entries without a user in no list', async () => {
    const vault = make();
    const entry = anEntry({ userId: '' });
    await vault.write(entry, null);
    expect(await kinds()).toEqual({ vault: 1, vaultIndex: 1 });
    expect(await vault.find('')).toEqual([]);
    expect(await vault.read(entry)).toEqual(entry);
  });

  it('refuses values that cannot be stored', async () => {
    const vault = make();
    const entry = anEntry();
    await vault.write(entry, null);
    for (const seconds of [-1, 0.5, Number.NaN])
      expect(String(await rejection(() => vault.lease(entry, entry.version, 'one', seconds)))).toContain(
        'seconds must',
      );
    for (const [members, message] of [
      [{ version: 0.5 }, 'entry.version must be a whole number'],
      [{ provider: 'a\ud800' }, 'entry.provider must be text'],
      [{ sealed: undefined }, 'entry.sealed is missing'],
      [{ expires: new Date(Number.NaN) }, 'entry.expires must be a valid Date'],
    ] as const)
      expect(String(await rejection(() => vault.write({ ...entry, ...(members as object) }, null)))).toContain(message);
    expect(await vault.read({ provider: 'google', providerAccountId: 'a\ud800' })).toBeNull();
    expect(await vault.lease({ provider: 'a\ud800', providerAccountId: 'a' }, 1, 'one', 1)).toBe(false);
    await vault.remove({ provider: 'a\ud800', providerAccountId: 'a' });
    expect(await vault.find('a\ud800')).toEqual([]);
    expect(await vault.scan(null, 0)).toEqual([]);
  });

  describe('a step whose connection breaks', () => {
    const entry = anEntry();
    const next = { ...entry, version: entry.version + 1, sealed: 'next' };
    const listed = async (vault: RedisTokenVault) => (await vault.find(entry.userId)).map(({ version }) => version);
    const stored = async (vault: RedisTokenVault): Promise<void> => void (await vault.write(entry, null));
    /** Afterwards the entry is as before or as after the step, it is listed if it exists, and a repetition succeeds. */
    const steps: Record<string, Work> = {
      'a first write': {
        work: (vault) => vault.write(entry, null),
        holds: async (vault) => {
          const found = await vault.read(entry);
          expect(await listed(vault)).toEqual(found ? [entry.version] : []);
          expect(await vault.write(entry, null)).toBe(found === null);
          expect(await vault.read(entry)).toEqual(entry);
          expect(await listed(vault)).toEqual([entry.version]);
        },
      },
      write: {
        prepare: stored,
        work: (vault) => vault.write(next, entry.version),
        holds: async (vault) => {
          const found = await vault.read(entry);
          expect([entry, next]).toContainEqual(found);
          expect(await listed(vault)).toEqual([found?.version]);
          expect(await vault.write(next, entry.version)).toBe(found?.version === entry.version);
          expect(await vault.read(entry)).toEqual(next);
        },
      },
      lease: {
        prepare: stored,
        work: (vault) => vault.lease(entry, entry.version, 'one', 15),
        holds: async (vault) => {
          expect(await vault.lease(entry, entry.version, 'one', 15)).toBe(true);
          expect(await vault.lease(entry, entry.version, 'two', 15)).toBe(false);
        },
      },
      remove: {
        prepare: stored,
        work: (vault) => vault.remove(entry),
        holds: async (vault) => {
          const found = await vault.read(entry);
          expect(await listed(vault)).toEqual(found ? [entry.version] : []);
          await vault.remove(entry);
          expect(await vault.read(entry)).toBeNull();
          expect(await listed(vault)).toEqual([]);
          expect(await vault.scan(null, 10)).toEqual([]);
        },
      },
    };

    it.each(Object.entries(steps))('%s', async (_, { prepare, work, holds }) => {
      const whole = recordedVault('whole:');
      await prepare?.(whole.vault);
      whole.client.commands();
      await work(whole.vault);
      const commands = whole.client.commands().length;
      expect(commands).toBeGreaterThan(0);
      for (let index = 1; index <= commands; index++) {
        for (const when of ['before', 'after'] as const) {
          const { client, vault } = recordedVault(`${index}${when}:`);
          await prepare?.(vault);
          client.cut({ at: index, when });
          expect(String(await rejection(() => work(vault)))).toContain('the connection was cut');
          client.cut();
          await holds(vault);
        }
      }
    });
  });

  it('lists an entry that another process stores while it is removed', async () => {
    const entry = anEntry();
    for (const at of [1, 2, 3]) {
      const { client, vault, other } = recordedVault(`removed${at}:`);
      await other.write(entry, null);
      let commands = 0;
      client.before = async () => {
        if (++commands !== at) return;
        await other.remove(entry);
        await other.write({ ...entry, version: 7 }, null);
      };
      await vault.remove(entry);
      const found = await other.read(entry);
      expect(await other.find(entry.userId)).toEqual(found ? [found] : []);
    }
  });

  it('is a member of the adapter, and of a combined adapter whose store of users has one', async () => {
    const options = { prefix: redis().prefix, tag };
    const entry = anEntry();
    const adapter = RedisAdapter(redis().client, options);
    await adapter.tokenVault.write(entry, null);
    expect(await make().read(entry)).toEqual(entry);
    const sessions = RedisSessions(redis().client, options);
    expect(combine({ users: adapter, sessions }).tokenVault).toBe(adapter.tokenVault);
    const vault = MemoryTokenVault();
    expect(combine({ users: { ...memoryAdapter(), tokenVault: vault }, sessions }).tokenVault).toBe(vault);
    expect(combine({ users: {}, sessions })).not.toHaveProperty('tokenVault');
  });
});

interface Work {
  prepare?(vault: RedisTokenVault): Promise<unknown>;
  work(vault: RedisTokenVault): Promise<unknown>;
  /** Checks the entry, whether the work was done or not. */
  holds(vault: RedisTokenVault): Promise<void>;
}

describe.runIf(isThere).each(Object.entries(clients))('RedisTokenVault through %s', (_, connect) => {
  const redis = connection(connect);

  it.each(['all', 'user'] as const)('reads, finds, leases, writes, scans and removes, tag %s', async (tag) => {
    const vault = RedisTokenVault(redis().client, { prefix: `${redis().prefix}${tag}:`, tag });
    const entry = anEntry({ providerAccountId: 'ünï 👩‍👩‍👧', expires: null });
    expect(await vault.write(entry, null)).toBe(true);
    expect(await vault.write(entry, null)).toBe(false);
    expect(await vault.lease(entry, entry.version, 'one', 15)).toBe(true);
    expect(await vault.lease(entry, entry.version, 'two', 15)).toBe(false);
    const next = { ...entry, version: entry.version + 1 };
    expect(await vault.write(next, entry.version)).toBe(true);
    expect(await vault.read(entry)).toStrictEqual(next);
    expect(await vault.find(entry.userId, 'google')).toStrictEqual([next]);
    expect(await vault.scan(null, 10)).toStrictEqual([next]);
    expect(await vault.cleanup()).toBe(0);
    await vault.remove(entry);
    expect(await vault.find(entry.userId)).toEqual([]);
  });
});

describe('RedisTokenVault', () => {
  it.runIf(isThere)('only needs the rights that the README names', async () => {
    const server = await redisServer();
    const { prefix, drop, url: address } = await server.fresh();
    const admin = await nodeRedis(address);
    const name = `lk_${crypto.randomUUID()}`;
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rights = /Rights for a token vault:[^#]*?`([^`]+)`/.exec(readme)?.[1]?.match(/\+[a-z]+/g) ?? [];
    expect(rights.length).toBeGreaterThan(5);
    await admin.send('ACL', 'SETUSER', name, 'on', '>secret', `~${prefix}*`, ...rights);
    try {
      const url = new URL(address);
      [url.username, url.password] = [name, 'secret'];
      const { client, close } = await nodeRedis(url.href);
      for (const tag of ['all', 'user'] as const) {
        const vault = RedisTokenVault(client, { prefix: `${prefix}${tag}`, tag });
        const entry = anEntry({ expires: at(0) });
        await vault.write(entry, null);
        await vault.lease(entry, entry.version, 'one', 15);
        await vault.lease(entry, entry.version, 'one', 0);
        expect(await vault.find(entry.userId)).toHaveLength(1);
        expect(await vault.cleanup()).toBe(1);
        await vault.write({ ...entry, expires: null }, null);
        await vault.remove(entry);
        const later = RedisTokenVault(client, { prefix: `${prefix}${tag}`, tag, now: () => new Date('2099-01-01') });
        expect(await later.find(entry.userId)).toEqual([]);
      }
      close();
    } finally {
      await admin.send('ACL', 'DELUSER', name);
      await drop();
      admin.close();
    }
  });

  it('refuses unknown clients, and prefixes with braces', () => {
    expect(() => RedisTokenVault({} as never)).toThrow(TypeError);
    expect(() => RedisTokenVault({ call: async () => null } as never, { prefix: '{a}' })).toThrow('`prefix`');
  });
});

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
