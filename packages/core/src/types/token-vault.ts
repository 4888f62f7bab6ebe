import type { Awaitable } from './user.ts';

/** Identifies an entry of a vault: an account at a provider. */
export interface VaultKey {
  /** Id of the provider. */
  readonly provider: string;
  /** Id of the account at the provider. */
  readonly providerAccountId: string;
}

/** The tokens of an account, as a vault keeps them. */
export interface VaultEntry extends VaultKey {
  /** Id of the user in the store; `''` without an adapter. */
  readonly userId: string;
  /** A whole number below 2^53. It is random for a new entry, and one more with each write. */
  readonly version: number;
  /** The sealed tokens. Opaque to the vault, and at most 32,768 characters of ASCII. */
  readonly sealed: string;
  /** When the entry becomes useless, so that it may be deleted. `null` if that is unknown. */
  readonly expires: Date | null;
}

/**
 * Keeps provider tokens, beside any adapter.
 *
 * Each step is atomic, and may be repeated if its answer was lost. Reads must see the writes of all processes: do not
 * read a replica. Text is compared byte by byte.
 *
 * ```ts
 * const config = { providers, tokens: { store: SqlTokenVault(pool) } };
 * ```
 */
export interface TokenVault {
  /** Returns an entry; `null` if it does not exist. An expired entry may be returned until it is deleted. */
  read(key: VaultKey): Awaitable<VaultEntry | null>;
  /**
   * Returns the entries of a user, in any order.
   *
   * @param provider Only the entries of this provider. Default: all.
   */
  find(userId: string, provider?: string): Awaitable<readonly VaultEntry[]>;
  /**
   * Takes the lease of an entry, so that one process refreshes it. The seconds count on the clock of the store, because
   * clocks of processes differ. A holder who has the lease gets it again, for the new number of seconds.
   *
   * @param holder Random text that identifies the caller.
   * @param seconds A whole number. `0` ends the lease of this holder.
   * @returns Whether the entry has this version, and no other holder has a running lease. If not, nothing changes.
   */
  lease(key: VaultKey, version: number, holder: string, seconds: number): Awaitable<boolean>;
  /**
   * Writes an entry if the stored version is `expected`, and ends any lease (compare and set). Does nothing otherwise.
   *
   * @param expected The version that the entry must have. `null`: the entry must not exist.
   * @returns Whether the entry was written. A repeated call returns `false`: compare `sealed` with what is stored.
   */
  write(entry: VaultEntry, expected: number | null): Awaitable<boolean>;
  /** Deletes an entry and its lease. Does nothing if there is no entry. */
  remove(key: VaultKey): Awaitable<void>;
  /**
   * Returns the next entries of all users, for `rewrite()`. The order is the vault's own, and does not change.
   *
   * @param after Key of the last entry of the previous call. `null`: from the beginning.
   * @param limit Number of entries to return. Fewer only if there are no more.
   */
  scan?(after: VaultKey | null, limit: number): Awaitable<readonly VaultEntry[]>;
  /**
   * Deletes expired entries. Returns their number.
   *
   * @param now Default: the system's clock.
   */
  cleanup?(now?: Date): Awaitable<number>;
}
