import { createHash } from 'node:crypto';

/**
 * How keys are spread over a cluster.
 *
 * - `all`: all keys on one slot, so that each change is one transaction.
 * - `user`: the keys of one user on one slot, index keys and sessions on others.
 */
export type Tag = 'all' | 'user';

/** The kinds of keys. */
export type Kind =
  | 'user'
  | 'email'
  | 'account'
  | 'session'
  | 'authenticator'
  | 'token'
  /** List of an identifier's tokens. Its key part is {@link partOf} the identifier. */
  | 'tokens'
  | 'spent'
  | 'fence'
  /** A session's record. Its key part is {@link partOf} the id. */
  | 'record'
  /** A user's epoch. Its key part is {@link partOf} the user's id. */
  | 'epoch'
  /** An entry of the token vault. Its key part is {@link partOf} the provider and the account. */
  | 'vault'
  /** The lease of an entry, with the same key part. */
  | 'lease'
  /** List of a user's entries. Its key part is {@link partOf} the user's id. */
  | 'vaults'
  | RecordList
  | List;

/** Lists of session records. Their key part is {@link partOf} the user's id, or of the provider's key. */
export type RecordList = 'records' | 'providerSessions' | 'providerUsers';

/**
 * Lists of a user's rows. Their key part is {@link partOf} the user's id. `unlinking` has accounts that are being
 * unlinked: they do not count as a way to sign in.
 */
export type List = 'accounts' | 'unlinking' | 'sessions' | 'authenticators';

/** Returns the lists that have all accounts of a user. Only changes in several steps need the second one. */
export function accountLists(tag: Tag): readonly List[] {
  return tag === 'all' ? ['accounts'] : ['accounts', 'unlinking'];
}

/** Builds the names of keys. */
export interface Keys {
  readonly tag: Tag;
  of(kind: Kind, part: string): string;
  /** The sorted set that records when a session or token expires, on the slot of that session or token. */
  expiring(part: string): string;
  /** All sorted sets that record expiries. */
  allExpiring(): string[];
  /** The sorted set that has the part of an entry of the token vault, on the slot of that entry. */
  vaultIndex(part: string): string;
  /** All sorted sets with the parts of entries. */
  allVaultIndexes(): string[];
}

/**
 * Returns the part of a key that identifies a value: the SHA-256 of its JSON text in base64url, 43 characters. Thus two
 * values never share a key, a value cannot change the hash tag, and key names contain neither addresses nor session
 * tokens.
 */
export function partOf(value: string | readonly [string, string]): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/**
 * Returns the names of keys for a prefix and a tag.
 *
 * @throws {TypeError} if the prefix has a brace, which Redis would read as a hash tag, or if `tag` is unknown.
 */
export function keysOf(prefix: string, tag: Tag): Keys {
  if (typeof prefix !== 'string' || /[{}]/.test(prefix)) throw new TypeError('`prefix` must be text without { and }');
  switch (tag) {
    case 'all': {
      const base = `${prefix}{latchkey}:`;
      const [expiring, vaultIndex] = [`${base}expiring`, `${base}vaultIndex`];
      return {
        tag,
        of: (kind, part) => `${base}${kind}:${part}`,
        expiring: () => expiring,
        allExpiring: () => [expiring],
        vaultIndex: () => vaultIndex,
        allVaultIndexes: () => [vaultIndex],
      };
    }
    case 'user': {
      const expiring = (shard: string): string => `${prefix}expiring:{${shard}}`;
      const vaultIndex = (shard: string): string => `${prefix}vaultIndex:{${shard}}`;
      return {
        tag,
        of: (kind, part) =>
          SHARDED.has(kind) ? `${prefix}${kind}:{${part.slice(0, 1)}}${part.slice(1)}` : `${prefix}${kind}:{${part}}`,
        expiring: (part) => expiring(part.slice(0, 1)),
        allExpiring: () => [...SHARDS].map(expiring),
        vaultIndex: (part) => vaultIndex(part.slice(0, 1)),
        allVaultIndexes: () => [...SHARDS].map(vaultIndex),
      };
    }
    default:
      throw new TypeError("`tag` must be 'all' or 'user'");
  }
}

/**
 * These keys are spread by the first character of their part, so that they share a slot with {@link Keys.expiring} or
 * {@link Keys.vaultIndex}.
 */
const SHARDED: ReadonlySet<Kind> = new Set<Kind>(['session', 'token', 'vault', 'lease']);
const SHARDS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
