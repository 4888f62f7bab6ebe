import { RedisAdapter } from '@latchkey/adapter-redis';
import { createClient } from 'redis';
import type { Store } from '../store.ts';

/** A Redis or Valkey server. */
export async function openRedis(url: string): Promise<Store> {
  const client = createClient({ url, disableOfflineQueue: true, socket: { connectTimeout: 5000 } });
  await new Promise<void>((resolve, reject) => {
    // Told again at each attempt to connect. Those who wait for an answer get the error themselves.
    client.on('error', reject);
    client.connect().then(() => resolve(), reject);
  }).catch((error: unknown) => {
    client.destroy();
    throw error;
  });
  return {
    name: 'Redis',
    adapter: RedisAdapter(client, { prefix: 'latchkey-demo:' }),
    countSessions: async () => null,
    close: () => client.close(),
  };
}
