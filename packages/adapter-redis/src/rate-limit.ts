import type { RateLimitRule, RateLimitStore } from '@latchkey/core/types';
import { commandOf, type RedisClient, textOf } from './client.ts';
import { run, type Script, script } from './scripts.ts';

/** Options of {@link RedisRateLimits}. */
export interface RedisRateLimitsOptions {
  /** Text before each key, without braces. Default: `latchkey:`. */
  prefix?: string | undefined;
}

/** The methods of {@link RedisRateLimits}. */
export interface RedisRateLimits extends RateLimitStore {
  /** See {@link RateLimitStore.take}. */
  take(counter: string, rule: RateLimitRule): Promise<Date | null>;
  /** See {@link RateLimitStore.release}. */
  release(counter: string, at: Date): Promise<void>;
}

/**
 * Counts an instant. If the limit is reached, returns the instant that has to leave the window first. KEYS[1] is the
 * counter, a list of instants. ARGV is the current instant, the window and the limit, in milliseconds. The instants
 * come from the clocks of the processes. The server's clock decides when the key expires: a minute after the window.
 */
const take: Script = script(`
local key, now, window, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
while true do
  local first = redis.call('LINDEX', key, 0)
  if not first or tonumber(first) > now - window then break end
  redis.call('LPOP', key)
end
if redis.call('LLEN', key) >= limit then return redis.call('LINDEX', key, -limit) end
redis.call('RPUSH', key, ARGV[1])
redis.call('PEXPIRE', key, window + 60000)
return ''
`);

/**
 * Keeps the counters of `rateLimit` in Redis or Valkey, so that all processes count together. Each counter is one key,
 * which expires. One Lua script reads and counts.
 *
 * ```ts
 * const config = { providers, rateLimit: { store: RedisRateLimits(client) } };
 * ```
 *
 * The application connects and closes the client. Errors of the client are passed on.
 *
 * @throws {TypeError} if `client` is not a client of `redis` or `ioredis`, or if `prefix` has a brace.
 */
export function RedisRateLimits(
  client: RedisClient,
  { prefix = 'latchkey:' }: RedisRateLimitsOptions = {},
): RedisRateLimits {
  const command = commandOf(client);
  if (typeof prefix !== 'string' || /[{}]/.test(prefix)) throw new TypeError('`prefix` must be text without { and }');
  const keyOf = (counter: string): string => `${prefix}rate:${counter}`;

  return {
    async take(counter, { limit, window, now }) {
      const args = [now.getTime(), window * 1000, limit].map(String);
      const first = textOf(await run(command, take, [keyOf(counter)], args));
      return first ? new Date(Number(first) + window * 1000) : null;
    },
    async release(counter, at) {
      // Searches from the end, where the latest instants are.
      await command(keyOf(counter), 'LREM', keyOf(counter), '-1', String(at.getTime()));
    },
  };
}
