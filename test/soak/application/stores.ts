import { combine, RedisRateLimits, RedisSessionRecords, RedisSessions } from '@latchkey/adapter-redis';
import { SqlAdapter } from '@latchkey/adapter-sql';
import type { SessionRecords } from '@latchkey/core/types';
import type { Adapter } from '@latchkey/express/adapters';
import pg from 'pg';
import { createClient } from 'redis';
import type { Mode } from '../people.ts';

/** Milliseconds that either store has for an answer. One that is down refuses at once; a busy machine takes long. */
const PATIENCE = 15_000;

/** The stores of one process. */
export interface Stores {
  readonly adapters: Readonly<Record<Mode, Adapter>>;
  /** The records of sessions in cookies are in PostgreSQL. */
  readonly records: Readonly<Record<Mode, SessionRecords>>;
  /** Users are in PostgreSQL in each mode. */
  readonly users: ReturnType<typeof SqlAdapter>;
  readonly rateLimits: RedisRateLimits;
  /** Does it answer us? */
  readonly health: Readonly<Record<'postgres' | 'redis', () => Promise<boolean>>>;
  close(): Promise<void>;
}

/** Opens them as the READMEs say. Neither has to be there yet. */
export function openStores(postgresUrl: string, redisUrl: string, prefix: string): Stores {
  const pool = new pg.Pool({
    connectionString: postgresUrl,
    max: 6,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
  });
  const redis = createClient({ url: redisUrl, disableOfflineQueue: true, commandOptions: { timeout: PATIENCE } });
  redis.on('error', () => undefined);
  // It goes on trying by itself.
  void redis.connect().catch(() => undefined);
  const users = SqlAdapter(pool);
  return {
    adapters: { jwt: users, postgres: users, redis: combine({ users, sessions: RedisSessions(redis, { prefix }) }) },
    records: {
      jwt: users.sessionRecords,
      postgres: users.sessionRecords,
      redis: RedisSessionRecords(redis, { prefix }),
    },
    users,
    rateLimits: RedisRateLimits(redis, { prefix }),
    health: {
      postgres: () => succeeds(() => pool.query('select 1')),
      redis: () => succeeds(() => redis.ping()),
    },
    close: async () => {
      // A client that is not connected does not have to be closed.
      if (!redis.isReady) redis.destroy();
      await Promise.allSettled([pool.end(), redis.isOpen && redis.close()]);
    },
  };
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
