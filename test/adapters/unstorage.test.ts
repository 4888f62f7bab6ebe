import type { Adapter } from '@latchkey/core/adapters';
import { describe } from 'vitest';
import { loadPeer } from '../peers/load.ts';
import { available, redis } from '../services/index.ts';
import { adapterFlows } from './flows.ts';
import { knownTokensTwice } from './known.ts';
import type { Counts, OpenStore } from './store.ts';
import { type Known, peerSuite } from './suite.ts';

interface Storage {
  getKeys(base?: string): Promise<string[]>;
  clear(): Promise<void>;
  dispose(): Promise<void>;
}

const { UnstorageAdapter } = await loadPeer<{ UnstorageAdapter: (storage: Storage) => Adapter }>(
  'unstorage',
  '@auth/unstorage-adapter',
);
const { createStorage } = await loadPeer<{ createStorage: (options?: { driver: object }) => Storage }>(
  'unstorage',
  'unstorage',
);
const { default: redisDriver } = await loadPeer<{ default: (options: object) => object }>(
  'unstorage',
  'unstorage/drivers/redis',
);

async function countKeys(storage: Storage): Promise<Counts> {
  const keys = await storage.getKeys('user');
  const under = (prefix: string): string[] => keys.filter((key) => key.startsWith(`user:${prefix}:`));
  const byUser = (kind: string): number => under(kind).length - under(`${kind}:by-user-id`).length;
  return {
    users: keys.filter((key) => /^user:[\da-f-]{36}$/.test(key)).length,
    accounts: byUser('account'),
    sessions: byUser('session'),
    tokens: under('token').length,
  };
}

function inMemory(): OpenStore {
  const storage = createStorage();
  return { adapter: UnstorageAdapter(storage), counts: () => countKeys(storage), close: () => storage.dispose() };
}

async function onRedis(): Promise<OpenStore> {
  const { url, prefix, drop } = await (await redis()).fresh();
  const storage = createStorage({ driver: redisDriver({ url, base: prefix.replace(/:$/, '') }) });
  return {
    adapter: UnstorageAdapter(storage),
    counts: () => countKeys(storage),
    async close() {
      await storage.dispose();
      await drop();
    },
  };
}

const known: Known[] = [
  knownTokensTwice,
  {
    because: 'a row is written over one of the same key',
    cases: [
      'refuses a second user with the same address',
      'refuses to link an account twice',
      'refuses a second verification token with the same key',
      'refuses a second session with the same token',
    ],
    error: /the second (user|link|token|session): expected a rejection/,
  },
  {
    because: 'a row is written over one of the same key',
    cases: ['creates one user for fifty simultaneous calls'],
    error: /number of users: expected 1, got 50/,
  },
  {
    because: 'deleting a user who has no account or no session asks the storage to remove the key `null`',
    cases: ['deletes a user with their accounts, and no other user', 'ends the sessions of a user who is deleted'],
    error: /Invalid key: null/,
  },
  {
    because: 'a text that looks like a date is read as one',
    cases: ['keeps a date in a user'],
    error: /by id: expected .*, got .*image: Date\(/,
  },
];

describe('@auth/unstorage-adapter in memory', () => {
  adapterFlows(inMemory, { unique: false, tokensOnce: false, extent: 'sample' });
  peerSuite(inMemory, known, { authenticators: true, extent: 'sample' });
});

describe.skipIf(!(await available('redis')))('@auth/unstorage-adapter on Redis', () => {
  adapterFlows(onRedis, { unique: false, tokensOnce: false });
  peerSuite(onRedis, known, { authenticators: true });
});
