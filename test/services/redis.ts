import { createClient } from 'redis';
import { findProgram } from '../../scripts/programs.mjs';
import type { Engine, Fresh, Recipe, RedisOptions } from './engine.ts';
import { freshName } from './names.ts';

/** A part of the key space: the keys that begin with `prefix`. */
export interface FreshPrefix extends Fresh {
  /** For example `lk_t4k2x1_0a1b2c3d4e5f:`. */
  readonly prefix: string;
}

export const redisEngine: Engine<FreshPrefix, RedisOptions> = {
  kind: 'redis',
  title: 'Redis',
  variable: 'TEST_REDIS_URL',
  url: (port) => `redis://127.0.0.1:${port}`,
  standardPort: 6379,
  debian: 'redis-server',
  endSignal: 'SIGKILL',
  recipe,
  ping: (url) => withClient(url, (client) => client.ping()),
  async fresh(url) {
    const prefix = `${freshName()}:`;
    const drop = (): Promise<void> => withClient(url, (client) => removeKeys(client, `${prefix}*`, () => true));
    return { url, prefix, drop };
  },
  sweep: (url, isOver) =>
    withClient(url, (client) => removeKeys(client, 'lk_*:*', (key) => isOver(key.slice(0, key.indexOf(':'))))),
};

function recipe(): Recipe<RedisOptions> | undefined {
  const server = findProgram('redis-server');
  if (!server) return undefined;
  return {
    serve: (data, port, { persistent = false, settings }) => ({
      program: server,
      args: Object.entries({
        ...defaults,
        ...durability(persistent),
        dir: data,
        port: String(port),
        ...settings,
      }).flatMap(([name, value]) => [`--${name}`, value]),
    }),
  };
}

const defaults = { bind: '127.0.0.1', save: '' };

function durability(persistent: boolean): Record<string, string> {
  return persistent ? { appendonly: 'yes', appendfsync: 'always' } : { appendonly: 'no' };
}

type Client = ReturnType<typeof clientFor>;

function clientFor(url: string) {
  return createClient({ url, socket: { connectTimeout: 5000, reconnectStrategy: false } });
}

async function removeKeys(client: Client, match: string, which: (key: string) => boolean): Promise<void> {
  for await (const keys of client.scanIterator({ MATCH: match, COUNT: 1000 })) {
    const chosen = keys.filter(which);
    if (chosen.length > 0) await client.unlink(chosen);
  }
}

async function withClient(url: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = clientFor(url);
  // Without a listener an error would end the process; commands report it by themselves.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await use(client);
  } finally {
    client.destroy();
  }
}
