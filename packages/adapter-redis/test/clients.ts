import { Redis } from 'ioredis';
import { createClient, RESP_TYPES } from 'redis';
import type { RedisClient } from '../src/index.ts';

/** A client with a connection of its own. */
export interface Connected {
  readonly client: RedisClient;
  /** Runs one command, without the adapter. */
  send(...command: string[]): Promise<unknown>;
  close(): void;
}

/** The supported clients, by their names in titles. */
export const clients: Readonly<Record<string, (url: string, prefix: string) => Promise<Connected>>> = {
  'redis, RESP3': (url) => nodeRedis(url, 3),
  'redis, RESP2': (url) => nodeRedis(url, 2),
  'redis, answering with bytes': (url) => nodeRedisOfBytes(url),
  'ioredis, RESP3': (url) => ioredis(url, { protocol: 3, replyMapping: 'resp3' }),
  'ioredis, RESP2': (url) => ioredis(url, { protocol: 2 }),
  'ioredis, with a prefix of its own': (url, prefix) => ioredis(url, { keyPrefix: prefix }),
};

export async function nodeRedis(url: string, version: 2 | 3 = 3): Promise<Connected> {
  const client = createClient({ url, RESP: version });
  client.on('error', () => undefined);
  await client.connect();
  return { client, send: (...command) => client.sendCommand(command), close: () => client.destroy() };
}

async function nodeRedisOfBytes(url: string): Promise<Connected> {
  const plain = createClient({ url });
  plain.on('error', () => undefined);
  await plain.connect();
  const client = plain.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.SET]: Set });
  return { client, send: (...command) => plain.sendCommand(command), close: () => plain.destroy() };
}

export async function ioredis(url: string, options: object = {}): Promise<Connected> {
  const client = new Redis(url, options);
  client.on('error', () => undefined);
  return { client, send: (name, ...args) => client.call(name ?? '', ...args), close: () => client.disconnect() };
}

/** Returns the keys that begin with a prefix, in order. For tests only: it scans all keys. */
export async function keysIn({ send }: Pick<Connected, 'send'>, prefix: string): Promise<string[]> {
  const keys = (await send('KEYS', `${prefix}*`)) as string[];
  return keys.map(String).sort();
}

/** Counts the keys by their kind, which follows the prefix and the hash tag. */
export function countKinds(keys: readonly string[], prefix: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) {
    const [kind = ''] = key.slice(prefix.length).replace('{latchkey}:', '').split(':');
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
