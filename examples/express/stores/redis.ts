import { RedisAdapter, RedisSessionRecords } from '@latchkey/adapter-redis';
import { createClient } from 'redis';
import type { Store } from '../store.ts';

/** Connects to a Redis or Valkey server. */
export async function openRedis(url: string): Promise<Store> {
  const client = createClient({ url, disableOfflineQueue: true, socket: { connectTimeout: 5000 } });
  await new Promise<void>((resolve, reject) => {
    // Later connection attempts emit further errors, which need a listener. Commands reject with their own errors.
    client.on('error', reject);
    client.connect().then(() => resolve(), reject);
  }).catch((error: unknown) => {
    client.destroy();
    throw error;
  });
  return {
    name: 'Redis',
    adapter: RedisAdapter(client, { prefix: 'latchkey-demo:' }),
    databaseRecords: RedisSessionRecords(client, { prefix: 'latchkey-demo-database:' }),
    countSessions: async () => null,
    close: () => client.close(),
  };
}
