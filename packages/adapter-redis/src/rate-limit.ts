import type { RateLimitRule, RateLimitStore } from '@latchkey/core/types';
import { commandOf, type RedisClient, textOf } from './client.ts';
import { run, type Script, script } from './scripts.ts';

/** Options of {@link RedisRateLimits}. */
export interface RedisRateLimitsOptions {
  /** Begins each key; must not contain braces. Default: `latchkey:`. */
  prefix?: string | undefined;
}

/** The counters of a Redis. */
export interface RedisRateLimits extends RateLimitStore {
  take(counter: string, rule: RateLimitRule): Promise<Date | null>;
  giveBack(counter: string, at: Date): Promise<void>;
}

/**
 * Counts an instant, or tells the one from which that can be done. KEYS: the counter, a list of instants. ARGV: now, the window, the
 * limit; in milliseconds. The instants come from the processes' clocks; the lifetime of the key is the server's, and a minute longer.
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
 * Keeps the counters of `rateLimit` in Redis or Valkey, for all processes that share it. Each counter is a key of its own, which the
 * server forgets when it counts no more; to look and to count is one Lua script.
 *
 * ```ts
 * const config = { providers, rateLimit: { store: RedisRateLimits(client) } };
 * ```
 *
 * The client is the application's, as for `RedisAdapter`. Its errors pass through.
 *
 * @throws {TypeError} when `client` is no client that we know, or `prefix` has a brace.
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
    async giveBack(counter, at) {
      // From the end, where it most likely is.
      await command(keyOf(counter), 'LREM', keyOf(counter), '-1', String(at.getTime()));
    },
  };
}
