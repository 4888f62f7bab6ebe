import { limits } from '../config/defaults.ts';
import { AuthError } from '../errors.ts';
import { listSessions } from '../session/list.ts';
import type { ExportedAccount } from '../types/exported-account.ts';
import type { AccountChange, AccountOwner } from './actor.ts';
import { storedWays } from './ways.ts';

/** Sends the visitor the data of the own account, as a file or, to scripts, as JSON. Changes nothing. */
export const exportAccount: AccountChange = async (actor) => {
  const exported = await exportOwner(actor);
  return {
    result: exported,
    file: { name: 'account.json', text: `${JSON.stringify(exported, undefined, 2)}\n` },
  };
};

/**
 * Returns the data of an account, without tokens, keys and hashes.
 *
 * @throws the error of `exportMore`.
 * @throws {AuthError} if the data have more than 1 MiB as JSON.
 * @throws {SessionRecordsError} if the record store fails.
 * @throws {AdapterError} if the adapter fails.
 */
export async function exportOwner(owner: AccountOwner): Promise<ExportedAccount> {
  const { settings, account, store, user } = owner;
  const { id, name = null, email, emailVerified = null, image = null } = user;
  const ways = store.listAccountsByUserId ? await storedWays(owner) : [];
  const exported: ExportedAccount = {
    user: { id, name, email, emailVerified: iso(emailVerified), image },
    accounts: ways
      .filter(({ account }) => account.type !== 'webauthn')
      .map(({ account: { provider, providerAccountId, type, label, createdAt } }) => {
        return { provider, providerAccountId, type, label: label ?? null, createdAt: iso(createdAt) };
      }),
    passkeys: ways
      .filter(({ account }) => account.type === 'webauthn')
      .map(({ account: { provider }, authenticator }) => ({
        provider,
        name: authenticator?.name ?? null,
        createdAt: iso(authenticator?.createdAt),
        usedAt: iso(authenticator?.usedAt),
      })),
    sessions: settings.records ? await sessionsOf(owner) : [],
    ...(account.exportMore && { more: await account.exportMore(user) }),
  };
  const size = new TextEncoder().encode(JSON.stringify(exported, undefined, 2)).byteLength;
  if (size > limits.accountExport) {
    throw new AuthError('the export of an account has more than 1 MiB. Return less from `account.exportMore`', {
      size,
    });
  }
  return exported;
}

async function sessionsOf({ settings, user, now }: AccountOwner): Promise<ExportedAccount['sessions']> {
  const sessions = await listSessions(settings, now, String(user.id));
  return sessions.map(({ label, network, provider, startedAt, seenAt }) => ({
    ...{ label: label ?? null, network: network ?? null, provider: provider ?? null },
    ...{ startedAt: startedAt.toISOString(), seenAt: seenAt.toISOString() },
  }));
}

function iso(date: unknown): string | null {
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date.toISOString() : null;
}
