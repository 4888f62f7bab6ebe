import type { Settings } from '../config/settings.ts';
import { AuthError, errorOf } from '../errors.ts';
import { type RevocationResult, revokeTokens } from '../identity/oauth/revoke.ts';
import type { VaultEntry, VaultKey } from '../types/token-vault.ts';
import type { RevokedTokens } from '../types/tokens.ts';
import { clearColumns } from './accounts.ts';
import { keyText, openEntry, type Tokens } from './entry.ts';
import { entriesOf, requireOAuth, type TokenCall } from './get.ts';
import { type Vault, vaultOf } from './vault.ts';

/** Deletes tokens, and revokes them at the provider; see `VisitorTokens.revoke`. */
export async function revoke(
  call: TokenCall,
  provider?: string,
  options: { readonly account?: string | undefined } = {},
): Promise<RevokedTokens[]> {
  const vault = await vaultOf(call.settings);
  const entries = await entriesOf(call, provider);
  const chosen = entries.filter((entry) => (options.account ?? entry.providerAccountId) === entry.providerAccountId);
  const revoked: RevokedTokens[] = [];
  for (let from = 0; from < chosen.length; from += AT_ONCE) {
    const some = chosen.slice(from, from + AT_ONCE);
    revoked.push(...(await Promise.all(some.map((entry) => revokeEntry(call.settings, vault, entry)))));
  }
  return revoked;
}

/** Accounts that are revoked at the same time. A deleted user must not leave tokens, so all accounts are. */
const AT_ONCE = 50;

/**
 * Revokes tokens of a user, after an account was unlinked or the user was deleted. A failure is logged.
 *
 * @param account Default: all accounts of the user.
 */
export async function revokeOfUser(settings: Settings, userId: string, account?: VaultKey): Promise<void> {
  if (!settings.tokens) return;
  try {
    await revoke({ settings, owner: { userId } }, account?.provider, { account: account?.providerAccountId });
  } catch (error) {
    settings.logger.error(errorOf(error));
  }
}

async function revokeEntry(settings: Settings, vault: Vault, entry: VaultEntry): Promise<RevokedTokens> {
  const { provider, providerAccountId, userId } = entry;
  const { result, failure } = await revokeAtProvider(settings, entry);
  if (failure) {
    settings.logger.error(new AuthError('the provider did not revoke tokens', { ...failure, provider }));
  }
  await vault.remove(entry);
  vault.state.unwritten.delete(keyText(entry));
  await clearIfConfigured(settings, { provider, account: providerAccountId, userId });
  await settings.emit('tokensRevoked', { userId, provider, providerAccountId, result });
  return { provider, account: providerAccountId, result };
}

async function revokeAtProvider(settings: Settings, entry: VaultEntry): Promise<RevocationResult> {
  try {
    const opened = await openEntry(settings, entry);
    if (!opened) return { result: 'failed' };
    const { refreshToken, accessToken, expiresAt } = opened.tokens;
    const isValid = expiresAt === undefined || expiresAt > Date.now();
    const tokens = { refreshToken, ...(isValid && { accessToken }) };
    return await revokeTokens(requireOAuth(settings, entry.provider), tokens);
  } catch (error) {
    return { result: 'failed', failure: { err: errorOf(error) } };
  }
}

/** The provider may not be configured any more. */
async function clearIfConfigured(
  settings: Settings,
  owner: Pick<Tokens, 'provider' | 'account' | 'userId'>,
): Promise<void> {
  try {
    await clearColumns(settings, requireOAuth(settings, owner.provider), owner);
  } catch (error) {
    settings.logger.error(errorOf(error));
  }
}
