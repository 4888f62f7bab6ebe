import { limits } from '../config/defaults.ts';
import type { OAuthProvider } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import { AdapterError, errorOf } from '../errors.ts';
import { clientIdOf } from '../identity/oauth/client.ts';
import { subjectOf } from '../identity/oauth/refresh.ts';
import { isAccessToken } from '../identity/oauth/token.ts';
import type { AdapterAccount } from '../types/adapter.ts';
import type { ImportedAccount } from '../types/tokens.ts';
import { type OpenedEntry, sealEntry, type Tokens } from './entry.ts';
import { configuredScopes, grantedScopes } from './scopes.ts';
import { requireTokens, type Vault } from './vault.ts';

/** Returns the tokens in a row of the table `accounts`; `undefined` if it has no access token that can be sent. */
export function tokensOfRow(provider: OAuthProvider, row: ImportedAccount): Tokens | undefined {
  const { access_token, refresh_token, id_token, expires_at, scope } = row;
  if (typeof access_token !== 'string' || !isAccessToken(access_token)) return undefined;
  const expires = Number(expires_at);
  return {
    provider: row.provider,
    account: String(row.providerAccountId),
    userId: String(row.userId),
    clientId: clientIdOf(provider),
    accessToken: access_token,
    refreshToken: refresh_token || undefined,
    idToken: id_token || undefined,
    subject: subjectOf(id_token || undefined),
    // The row does not say it. So an old token counts as old, and its margin is the whole of `minTtl`.
    issuedAt: 0,
    expiresAt: expires > 0 ? expires * 1000 : undefined,
    scopes: scope ? grantedScopes(provider, scope) : configuredScopes(provider),
  };
}

/**
 * Stores the tokens of a user's rows that have no entry yet.
 *
 * @param userId Id in the store. Without an adapter, it is `''`, and there are no rows.
 */
export async function importAccountRows(
  settings: Settings,
  vault: Vault,
  provider: OAuthProvider,
  userId: string,
): Promise<void> {
  if (requireTokens(settings.tokens).isInCookie) return;
  const store = await settings.store();
  // A row whose columns cannot be cleared would bring revoked tokens back.
  if (!store?.listAccountsByUserId || !store.updateAccount) return;
  const rows = (await store.listAccountsByUserId(userId)).filter((row) => row.provider === provider.id);
  for (const row of rows.slice(0, limits.tokenAccounts)) {
    const tokens = tokensOfRow(provider, { ...row, userId });
    if (!tokens) continue;
    const isWritten = await vault.write(await sealEntry(settings, tokens, null), null);
    // Otherwise another process has stored them, and may have refreshed them since.
    if (isWritten) await syncAccountColumns(settings, provider, tokens);
  }
}

/** Returns the tokens in the `accounts` row, if Auth.js or an older release has stored newer ones there. */
export async function newerTokens(
  settings: Settings,
  provider: OAuthProvider,
  { tokens }: OpenedEntry,
): Promise<Tokens | undefined> {
  const { isInCookie, isCleared } = requireTokens(settings.tokens);
  // With tokens in a cookie, the row may have those of another session.
  if (isInCookie || isCleared || tokens.expiresAt === undefined) return undefined;
  const row = await rowOf(settings, tokens);
  if (!row || String(row.userId) !== tokens.userId) return undefined;
  const stored = tokensOfRow(provider, row);
  // The column has whole seconds.
  if (!stored?.expiresAt || stored.expiresAt < tokens.expiresAt + 1000) return undefined;
  return {
    ...stored,
    refreshToken: stored.refreshToken ?? tokens.refreshToken,
    subject: stored.subject ?? tokens.subject,
  };
}

/** The row is not necessary for a refresh: a failure is logged. */
async function rowOf(settings: Settings, { account, provider }: Tokens): Promise<AdapterAccount | null | undefined> {
  try {
    return await (await settings.store())?.getAccount?.(account, provider);
  } catch (error) {
    settings.logger.error(errorOf(error));
    return undefined;
  }
}

/** Updates the token columns of an account after a write to the vault. A failure is logged. */
export async function syncAccountColumns(settings: Settings, provider: OAuthProvider, tokens: Tokens): Promise<void> {
  const { isInCookie, isCleared } = requireTokens(settings.tokens);
  if (isInCookie) return;
  const columns = isCleared ? noTokens : tokenColumns(tokens);
  try {
    await writeColumns(settings, provider, tokens, columns);
  } catch (error) {
    settings.logger.error(
      new AdapterError('the token columns of an account could not be written', {
        err: errorOf(error),
        provider: tokens.provider,
      }),
    );
  }
}

/**
 * Sets the token columns of an account to null, so that its tokens are not taken over again.
 *
 * @throws what the adapter throws, if the account exists.
 */
export async function clearColumns(settings: Settings, provider: OAuthProvider, tokens: Owner): Promise<void> {
  try {
    await writeColumns(settings, provider, tokens, noTokens);
  } catch (error) {
    const store = await settings.store();
    // Some adapters throw if the row was deleted.
    if ((await store?.getAccount?.(tokens.account, tokens.provider)) !== null) throw error;
  }
}

type Owner = Pick<Tokens, 'provider' | 'account' | 'userId'>;

const noTokens = { access_token: null, refresh_token: null, id_token: null, expires_at: null };

function tokenColumns({ accessToken, refreshToken, idToken, expiresAt, scopes }: Tokens): object {
  return {
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(idToken !== undefined && { id_token: idToken }),
    ...(expiresAt !== undefined && { expires_at: Math.floor(expiresAt / 1000) }),
    scope: scopes.join(' '),
  };
}

async function writeColumns(
  settings: Settings,
  { type }: OAuthProvider,
  { provider, account: providerAccountId, userId }: Owner,
  columns: object,
): Promise<void> {
  const store = await settings.store();
  // The types of Auth.js have no null, but its columns have.
  const row = { userId, type, provider, providerAccountId, ...columns } as AdapterAccount;
  await store?.updateAccount?.(row);
}
