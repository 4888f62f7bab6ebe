import { createClient } from 'redis';
import { RedisAdapter } from '../../src/index.ts';

/*
 * Another process of an application with the same Redis. Its arguments are the address, the prefix and the tag. Each
 * message names a method with its arguments; the process answers with the result.
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
