import { limits } from '../config/defaults.ts';
import type { Store } from '../store/store.ts';
import type { ProviderType } from '../types/user.ts';

/**
 * Returns how many accounts, or passkeys, can be added to a user.
 *
 * @param type `webauthn` for passkeys, which have a limit of their own.
 * @returns A negative number if the user has more than the limit. `Infinity` if the adapter cannot list accounts.
 * @throws {AdapterError} if the store fails.
 */
export async function roomFor(store: Store, userId: string, type: ProviderType): Promise<number> {
  if (!store.listAccountsByUserId) return Number.POSITIVE_INFINITY;
  const accounts = await store.listAccountsByUserId(userId);
  return roomBeside(
    accounts.map((account) => account.type),
    type,
  );
}

/** Returns how many accounts, or passkeys, can be added beside these ways to sign in. */
export function roomBeside(kinds: readonly ProviderType[], type: ProviderType): number {
  const isPasskey = type === 'webauthn';
  const same = kinds.filter((kind) => (isPasskey ? kind === 'webauthn' : kind === 'oauth' || kind === 'oidc'));
  return (isPasskey ? limits.passkeys : limits.accounts) - same.length;
}
