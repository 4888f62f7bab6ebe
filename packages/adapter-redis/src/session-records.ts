import type { RedisClient } from './client.ts';
import { type RecordSteps, sessionRecordsOf } from './rows/session-records.ts';
import { type RedisOptions, storeOf } from './store.ts';

/** The session records of a Redis or Valkey. */
export interface RedisSessionRecords extends RecordSteps {}

/**
 * Keeps the records of `session.records` in Redis or Valkey, beside any adapter. Records and epochs expire by
 * themselves, an hour later than core needs them.
 *
 * ```ts
 * const config = { providers, session: { records: { store: RedisSessionRecords(client) } } };
 * ```
 *
 * The server must not evict keys: without its record, a session is over. The application connects and closes the
 * client. Errors of the client are passed on.
 *
 * @throws {TypeError} if `client` is not a client of `redis` or `ioredis`, or if an option is not valid.
 */
export function RedisSessionRecords(client: RedisClient, options: RedisOptions = {}): RedisSessionRecords {
  return sessionRecordsOf(storeOf(client, options));
}
