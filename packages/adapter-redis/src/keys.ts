import { createHash } from 'node:crypto';

/**
 * How keys are spread over a cluster.
 *
 * - `all`: all on one slot, so that each change is one transaction.
 * - `user`: what belongs to one user on one slot, index keys and sessions elsewhere.
 */
export type Tag = 'all' | 'user';

/** What a key holds. */
export type Kind = 'user' | 'email' | 'account' | 'session' | 'authenticator' | 'token' | 'spent' | 'fence' | List;

/** What belongs to a user: keys whose {@link partOf} is that of the user's id. */
export type List = 'accounts' | 'sessions' | 'authenticators';

/** The names of keys. */
export interface Keys {
  readonly tag: Tag;
  of(kind: Kind, part: string): string;
  /** The sorted set that tells when a session or a token expires. It lies on the slot of that one. */
  expiring(part: string): string;
  /** All sorted sets of that sort. */
  allExpiring(): string[];
}

/**
 * The part of a key that stands for a value: always the SHA-256 of its JSON text, in base64url, 43 characters. So no two values
 * share a key, no value reaches into the hash tag, and names of keys hold neither addresses nor session tokens.
 */
export function partOf(value: string | readonly [string, string]): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/**
 * @param prefix Begins each key.
 * @throws {TypeError} when the prefix has a brace, which would be taken for a hash tag, or `tag` is unknown.
 */
export function keysOf(prefix: string, tag: Tag): Keys {
  if (typeof prefix !== 'string' || /[{}]/.test(prefix)) throw new TypeError('`prefix` must be text without { and }');
  switch (tag) {
    case 'all': {
      const base = `${prefix}{latchkey}:`;
      const expiring = `${base}expiring`;
      return {
        tag,
        of: (kind, part) => `${base}${kind}:${part}`,
        expiring: () => expiring,
        allExpiring: () => [expiring],
      };
    }
    case 'user': {
      const expiring = (shard: string): string => `${prefix}expiring:{${shard}}`;
      return {
        tag,
        of: (kind, part) =>
          SHARDED.has(kind) ? `${prefix}${kind}:{${part.slice(0, 1)}}${part.slice(1)}` : `${prefix}${kind}:{${part}}`,
        expiring: (part) => expiring(part.slice(0, 1)),
        allExpiring: () => [...SHARDS].map(expiring),
      };
    }
    default:
      throw new TypeError("`tag` must be 'all' or 'user'");
  }
}

/** What expires is spread by the first character of its part, so that it shares a slot with its entry in {@link Keys.expiring}. */
const SHARDED: ReadonlySet<Kind> = new Set<Kind>(['session', 'token']);
const SHARDS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
