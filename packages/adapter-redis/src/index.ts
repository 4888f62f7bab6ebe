export type { UserFields } from '@latchkey/core/adapters';
export { RedisAdapter, type RedisAdapterOptions, RedisSessions, type SessionStore } from './adapter.ts';
export type {
  IoredisClient,
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisSentinel,
  RedisClient,
} from './client.ts';
export { combine, type Stores } from './combine.ts';
export { RowNotFound, UniqueViolation } from './errors.ts';
export type { Tag } from './keys.ts';
export { RedisRateLimits, type RedisRateLimitsOptions } from './rate-limit.ts';
export { RedisSessionRecords } from './session-records.ts';
export type { RedisOptions } from './store.ts';
export { RedisTokenVault } from './token-vault.ts';
