import { createHash } from 'node:crypto';
import type { Command } from './client.ts';

/** A Lua script, and the SHA-1 by which the server caches it. */
export interface Script {
  readonly source: string;
  readonly sha: string;
}

/**
 * Carries out a whole plan, or nothing of it. ARGV is a list of instructions, conditions before writes: a name, the
 * number of a key, and the arguments of that name. Returns 0, or the number of the key whose condition was not met.
 */
export const commit: Script = script(`
local function owner(key)
  local row = redis.call('GET', key)
  return row and string.match(row, '^(%S+) ')
end
local needs = {
  absent = { 0, function(key) return redis.call('EXISTS', key) == 0 end },
  exists = { 0, function(key) return redis.call('EXISTS', key) == 1 end },
  is = { 1, function(key, text) return redis.call('GET', key) == text end },
  of = { 1, function(key, part) return owner(key) == part end },
  marked = { 1, function(key, mark)
    local row = redis.call('GET', key)
    return row and string.match(row, '^%S+ (%S+) ') == mark
  end },
  size = { 1, function(key, size) return redis.call('SCARD', key) == tonumber(size) end },
  scheduled = { 1, function(key, size) return redis.call('ZCARD', key) == tonumber(size) end },
}
needs.has = { 1, function(key, member)
  if redis.call('TYPE', key).ok == 'zset' then return redis.call('ZSCORE', key, member) end
  return redis.call('SISMEMBER', key, member) == 1
end }
local writes = {
  put = { 2, function(key, text, lifetime)
    if lifetime == '' then redis.call('SET', key, text) else redis.call('SET', key, text, 'PX', lifetime) end
  end },
  drop = { 0, function(key) redis.call('DEL', key) end },
  dropOf = { 1, function(key, part) if owner(key) == part then redis.call('DEL', key) end end },
  dropIs = { 1, function(key, text) if redis.call('GET', key) == text then redis.call('DEL', key) end end },
  add = { 1, function(key, member) redis.call('SADD', key, member) end },
  remove = { 1, function(key, member) redis.call('SREM', key, member) end },
  schedule = { 4, function(key, member, expires, now, keep)
    local oldest = string.format('(%.0f', tonumber(now) - tonumber(keep))
    for _, stale in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', oldest, 'LIMIT', 0, 100)) do
      redis.call('ZREM', key, stale)
    end
    redis.call('ZADD', key, 'GT', expires, member)
    local last = tonumber(redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
    redis.call('PEXPIRE', key, string.format('%.0f', math.max(last - tonumber(now), 0) + tonumber(keep)))
  end },
  index = { 1, function(key, member) redis.call('ZADD', key, 0, member) end },
  unschedule = { 1, function(key, member) redis.call('ZREM', key, member) end },
  rank = { 3, function(key, member, seen, lifetime)
    redis.call('ZADD', key, 'LT', string.format('%.0f', -tonumber(seen)), member)
    if redis.call('PTTL', key) < tonumber(lifetime) then redis.call('PEXPIRE', key, lifetime) end
  end },
  unrank = { 2, function(key, member, seen)
    local score = redis.call('ZSCORE', key, member)
    if score and -tonumber(score) <= tonumber(seen) then redis.call('ZREM', key, member) end
  end },
}
local at = 1
while at <= #ARGV do
  local name, number = ARGV[at], tonumber(ARGV[at + 1])
  local need = needs[name]
  local instruction = need or writes[name]
  local met = instruction[2](KEYS[number], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5])
  if need and not met then return number end
  at = at + 2 + instruction[1]
end
return 0
`);

/**
 * Reads a row and the user who owns it. The script derives the user's key from the row's key, including a client's own
 * prefix: it replaces the last ARGV[1] characters. The caller cannot declare that key because the row names it; it is
 * on the same slot.
 */
export const readWithOwner: Script = script(`
local row = redis.call('GET', KEYS[1])
if not row then return false end
local base = string.sub(KEYS[1], 1, -1 - tonumber(ARGV[1]))
return { row, redis.call('GET', base .. 'user:' .. (string.match(row, '^(%S+) ') or '')) }
`);

/**
 * Deletes expired rows. KEYS[1] is the sorted set of expiries, the other keys are the rows. ARGV[1] is the current
 * instant, the other arguments are the rows' names in the set. Returns the number of deleted rows.
 */
export const sweep: Script = script(`
local deleted = 0
for i = 2, #KEYS do
  local row = redis.call('GET', KEYS[i])
  local expires = row and tonumber(string.match(row, '^%S+ (%-?%d+) '))
  if expires and expires >= tonumber(ARGV[1]) then
    redis.call('ZADD', KEYS[1], string.format('%.0f', expires), ARGV[i])
  else
    if expires then deleted = deleted + redis.call('DEL', KEYS[i]) end
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return deleted
`);

/**
 * Takes or ends the lease of an entry of the token vault. KEYS are the entry and its lease. ARGV is the version of the
 * entry, the holder, and the lifetime in milliseconds: the server's clock ends the lease. Returns 0 if it is refused.
 */
export const lease: Script = script(`
local row = redis.call('GET', KEYS[1])
if not row or string.match(row, '^%S+ (%S+) ') ~= ARGV[1] then return 0 end
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[2] then return 0 end
if ARGV[3] == '0' then redis.call('DEL', KEYS[2]) else redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
return 1
`);

/** Runs a script by its SHA-1; if the server has not cached it, by its text. */
export async function run(
  command: Command,
  { source, sha }: Script,
  keys: readonly [string, ...string[]],
  args: readonly string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args];
  try {
    return await command(keys[0], 'EVALSHA', sha, ...rest);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return command(keys[0], 'EVAL', source, ...rest);
  }
}

/** Returns a script with its SHA-1. */
export function script(source: string): Script {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}
