import { RedisAdapter } from '@latchkey/adapter-redis';
import { createClient } from 'redis';

/** A function, so that a build does not open a connection. It is called once. */
export const adapter = async () => RedisAdapter(await createClient({ url: process.env['REDIS_URL'] ?? '' }).connect());
