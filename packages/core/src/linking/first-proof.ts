import { readableProviders } from '../config/provider-options.ts';
import type { Context } from '../context.ts';
import { errorOf } from '../errors.ts';
import { lazily } from '../lazy.ts';
import type { Warning } from '../log/logger.ts';
import { redact } from '../log/redact.ts';
import { currentUser, mayAddTo } from '../session/session.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import { isSameUser } from '../store/users.ts';
import type { AdapterAuthenticator, AdapterUser } from '../types/adapter.ts';

/** Loaded if records of sessions are kept. */
const loadEnd = lazily(() => import('../session/end.ts'));

/**
 * Records that the owner of an address has proven it, for the user who has the address. Does nothing if that was
 * recorded before: the time of the first proof stays.
 *
 * Until then, anyone could have made the user and added passkeys to it. They are removed first, so that a failure
 * leaves the user unproven. With them, the sessions of the user end. Both stay if the browser is signed in as this
 * user.
 *
 * @throws {AdapterError} if the store fails.
 * @throws {SessionRecordsError} if the record store fails, or if no secret opens the token of a database session.
 */
export async function recordFirstProof(context: Context, store: Store, user: AdapterUser): Promise<AdapterUser> {
  if (user.emailVerified) return user;
  const { settings, now } = context;
  const removedPasskeys = (await isSignedIn(context, user)) ? 0 : await removePasskeys(context, store, user);
  const updated = await requireMethod(store, 'updateUser')({ id: user.id, emailVerified: now });
  // Some adapters return only the members that they were given.
  const proven = updated?.email ? updated : { ...user, emailVerified: now };
  await settings.emit('updateUser', { user: proven, ...(removedPasskeys > 0 && { removedPasskeys }) });
  return proven;
}

/** A session that a subdomain has set does not count: an attacker could keep their passkeys by it. */
async function isSignedIn(context: Context, user: AdapterUser): Promise<boolean> {
  return isSameUser(await currentUser(context, true), user) && (await mayAddTo(context, user.id));
}

const NOT_REMOVED: Warning = {
  code: 'passkeys-not-removed',
  words:
    'the adapter has neither `unlinkAccount` nor `deleteAuthenticator`, so passkeys that were added before an address was proven keep working.',
};

/** The ids that passkey providers have by default, also those of another application with the same store. */
const DEFAULT_IDS = ['passkey', 'webauthn'];

async function removePasskeys(context: Context, store: Store, user: AdapterUser): Promise<number> {
  const passkeys = await passkeysOf(context, store, user);
  if (passkeys.length === 0) return 0;
  if (!store.unlinkAccount && !store.deleteAuthenticator) {
    context.settings.logger.warn(NOT_REMOVED);
    return 0;
  }
  const providers = new Set([...passkeyProviders(context), ...DEFAULT_IDS]);
  for (const { providerAccountId } of passkeys)
    for (const provider of providers) await unlink(store, user, { provider, providerAccountId });
  // Passkeys without accounts start no session. Their rows go last: if the sessions cannot be ended, the next proof
  // finds the rows and tries again.
  await endSessions(context, store, user);
  for (const { credentialID } of passkeys) await store.deleteAuthenticator?.(credentialID);
  return passkeys.length;
}

/** The person who added the passkeys may still be signed in, and could add another one. */
async function endSessions({ settings, now }: Context, store: Store, user: AdapterUser): Promise<void> {
  const userId = String(user.id);
  if (settings.records) await (await loadEnd()).endAllSessions(settings, now, { userId, reason: 'first-proof' });
  else if (settings.strategy === 'database') await store.deleteSessionsByUserId?.(userId);
}

/** Another application with the same store may offer passkeys, also if this one does not. */
async function passkeysOf(context: Context, store: Store, { id }: AdapterUser): Promise<AdapterAuthenticator[]> {
  try {
    return (await store.listAuthenticatorsByUserId?.(id)) ?? [];
  } catch (error) {
    if (passkeyProviders(context).length > 0) throw error;
    // The store may have no table for them.
    context.settings.logger.debug('webauthn', 'passkeys_not_listed', () => redact({ error: errorOf(error) }));
    return [];
  }
}

/** The ids of the configured passkey providers. */
function passkeyProviders({ settings }: Context): string[] {
  return readableProviders(settings.config).flatMap(({ type, id }) => (type === 'webauthn' ? [id] : []));
}

/** Some stores throw if they have to delete an account that does not exist. */
async function unlink(
  store: Store,
  user: AdapterUser,
  { provider, providerAccountId }: { provider: string; providerAccountId: string },
): Promise<void> {
  const account = await store.getAccount?.(providerAccountId, provider);
  if (account && isSameUser(user, { id: account.userId })) await store.unlinkAccount?.({ provider, providerAccountId });
}
