import type { RedisClient } from './client.ts';
import { tokenVaultOf, type VaultSteps } from './rows/token-vault.ts';
import { type RedisOptions, storeOf } from './store.ts';

/** The token vault of a Redis or Valkey. */
export interface RedisTokenVault extends VaultSteps {}

/**
 * Keeps provider tokens in Redis or Valkey, beside any adapter. Entries without an expiry stay; others expire by
 * themselves, an hour later. Leases end by the clock of the server.
 *
 * ```ts
 * const config = { providers, adapter, tokens: { store: RedisTokenVault(client) } };
 * ```
 *
 * The server must not evict keys, and should write to disk: a lost refresh token can only be replaced by a sign-in. The
 * application connects and closes the client. Errors of the client are passed on.
 *
 * @throws {TypeError} if `client` is not a client of `redis` or `ioredis`, or if an option is not valid.
 */
export function RedisTokenVault(client: RedisClient, options: RedisOptions = {}): RedisTokenVault {
  return tokenVaultOf(storeOf(client, options));
}
