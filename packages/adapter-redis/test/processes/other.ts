import { createClient } from 'redis';
import { RedisAdapter } from '../../src/index.ts';

/*
 * Another process of an application, on the same Redis. Started with the address, the prefix and the tag; told a method and its
 * arguments by message, it answers with what came of it.
 */
const [url = '', prefix = '', tag = 'all'] = process.argv.slice(2);
const client = createClient({ url });
client.on('error', () => undefined);
await client.connect();
const adapter = RedisAdapter(client, { prefix, tag: tag as 'all' | 'user' });

process.on('message', async ({ id, method, args }: { id: number; method: keyof typeof adapter; args: unknown[] }) => {
  try {
    const result = await (adapter[method] as (...args: unknown[]) => unknown)(...args);
    process.send?.({ id, result });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
process.on('disconnect', () => client.destroy());
process.send?.({ id: 0 });
