import { AdapterError } from '../errors.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import { userByAddress } from '../store/users.ts';
import type { UpdateUserEmailParams, UpdateUserEmailResult } from '../types/adapter.ts';

/**
 * Gives a user another address, unless another user has it, or the user has got yet another one in the meantime.
 *
 * Without the adapter's `updateUserEmail`, look-ups come before `updateUser`. The unique index of the store then lets
 * one of simultaneous calls through.
 *
 * @throws {AdapterError} if the store fails.
 */
export async function changeAddress(store: Store, change: UpdateUserEmailParams): Promise<UpdateUserEmailResult> {
  if (store.updateUserEmail) return store.updateUserEmail(change);
  const { userId, from, to, emailVerified } = change;
  const user = await requireMethod(store, 'getUser')(userId);
  if (!user || (user.email ?? null) !== from) return 'stale';
  if (await isTaken(store, userId, to)) return 'taken';
  try {
    await requireMethod(store, 'updateUser')({ id: userId, email: to, emailVerified });
    return 'changed';
  } catch (error) {
    if (error instanceof AdapterError && (await isTaken(store, userId, to))) return 'taken';
    throw error;
  }
}

/** Returns whether another user has the address. */
export async function isTaken(store: Store, userId: string, address: string): Promise<boolean> {
  const owner = await userByAddress(store, address);
  return owner !== null && String(owner.id) !== String(userId);
}
