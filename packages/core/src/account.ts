/** The accounts of users, for jobs and for features without a visitor. */

import type { AccountOwner } from './account/actor.ts';
import { deleteOwner } from './account/delete.ts';
import { unlinkWay } from './account/unlink.ts';
import { listWays } from './account/ways.ts';
import { type Env, withEnv } from './config/env.ts';
import { settingsFor } from './config/settings.ts';
import { AuthError } from './errors.ts';
import { requireMethod } from './store/methods.ts';
import type { AccountWay, ChangedWays } from './types/account.ts';
import type { AuthConfig } from './types/config.ts';

export type { AccountWay, ChangedWays } from './types/account.ts';

/** The accounts of all users. */
export interface UserAccounts {
  /**
   * Returns the ways in which a user can sign in. Empty for a user that does not exist.
   *
   * @throws {MissingAdapterMethods} if the adapter has no `listAccountsByUserId`.
   */
  list(userId: string): Promise<AccountWay[]>;
  /**
   * Removes an account or a passkey of a user. With `session.records`, the sessions that began at its provider end.
   *
   * @param id From {@link list}. An id that is unknown, or that belongs to another user, removes nothing.
   * @throws {LastWayIn} if the user has no other way to sign in.
   * @throws {MissingAdapterMethods} if the adapter has no `unlinkAccountIfNotLast`.
   * @throws {TokensUnavailable} with `tokens`, if the token vault fails. The account stays: try again.
   */
  unlink(userId: string, id: string): Promise<ChangedWays>;
  /**
   * Deletes a user, in this order: `account.beforeDelete`, sessions, user. An error ends the order, and the call can be
   * repeated. A user that does not exist causes no error. No mail is sent.
   *
   * @throws {MissingAdapterMethods} before anything happens, if the adapter has no `deleteUser`.
   */
  delete(userId: string): Promise<void>;
}

/**
 * Returns functions that read and change the account of any user. Call them from jobs, or behind a check of your own.
 * They do not ask who the visitor is, need no recent sign-in, and have no limit.
 *
 * ```ts
 * const { list, unlink } = accountsOf(config);
 * for (const { id, kind } of await list(user.id)) if (kind === 'webauthn') await unlink(user.id, id);
 * ```
 *
 * `userId` is the user's id in the store.
 *
 * @param env Environment variables. Default: `process.env`.
 * @throws {AuthError} if the configuration has no `account` or no adapter. The functions throw an `AdapterError` if the
 *   adapter fails.
 */
export function accountsOf(config: AuthConfig, env: Env = processEnv()): UserAccounts {
  const settings = settingsFor(withEnv(config, env).config);
  const { account } = settings;
  if (!account || !settings.hasAdapter) {
    throw new AuthError('`accountsOf` needs `account` and an `adapter`. Set both in the configuration');
  }
  const ownerOf = async (userId: string): Promise<AccountOwner | undefined> => {
    const store = await settings.store();
    const user = store && (await requireMethod(store, 'getUser')(userId));
    return user ? { settings, account, store, user, now: new Date() } : undefined;
  };
  return {
    async list(userId) {
      const owner = await ownerOf(userId);
      return owner ? listWays(owner) : [];
    },
    async unlink(userId, id) {
      const owner = await ownerOf(userId);
      return owner ? unlinkWay(owner, id) : { count: 0 };
    },
    async delete(userId) {
      const owner = await ownerOf(userId);
      if (owner) await deleteOwner(owner, () => new Date());
    },
  };
}

declare const process: { readonly env: Env } | undefined;

function processEnv(): Env {
  return typeof process === 'undefined' ? {} : process.env;
}
