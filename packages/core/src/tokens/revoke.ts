import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { randomBase64Url } from '../crypto/bytes.ts';
import { AuthError, errorOf } from '../errors.ts';
import { type RevocationResult, revokeTokens } from '../identity/oauth/revoke.ts';
import type { VaultEntry, VaultKey } from '../types/token-vault.ts';
import type { Revocation, RevokedTokens } from '../types/tokens.ts';
import { clearColumns } from './accounts.ts';
import { keyText, openEntry, type Tokens } from './entry.ts';
import { entriesOf, oauthProviderOf, requireOAuth, type TokenCall } from './get.ts';
import { callOf } from './owner.ts';
import { releaseLease, takeLease } from './refresh.ts';
import { storeUnavailable, type Vault, vaultOf } from './vault.ts';

/** Deletes tokens, and revokes them at the provider; see `VisitorTokens.revoke`. */
export async function revoke(
  call: TokenCall,
  provider?: string,
  options: { readonly account?: string | undefined } = {},
): Promise<RevokedTokens[]> {
  const vault = call.vault ?? (await vaultOf(call.settings));
  const entries = await entriesOf(call, provider);
  const chosen = entries.filter((entry) => (options.account ?? entry.providerAccountId) === entry.providerAccountId);
  const revoked: RevokedTokens[] = [];
  for (let from = 0; from < chosen.length; from += AT_ONCE) {
    const some = chosen.slice(from, from + AT_ONCE);
    const results = await Promise.all(some.map((entry) => revokeEntry(call.settings, vault, entry)));
    revoked.push(...results.filter((result) => result !== undefined));
  }
  return revoked;
}

/** Accounts that are revoked at the same time. A deleted user must not leave tokens, so all accounts are. */
const AT_ONCE = 50;

/** Whose tokens are revoked, because an account is removed. */
export interface RemovedOwner {
  readonly settings: Settings;
  readonly user: { readonly id: string };
  /** The request of the user. Default: a job, which reaches no cookie. */
  readonly context?: Context | undefined;
}

/**
 * Revokes tokens of a user, before an account is unlinked or the user is deleted. Of tokens in cookies, only those of
 * the request are revoked. Cookies in other browsers stay, but are ignored once the account is unlinked.
 *
 * @param account Default: all accounts of the user.
 * @throws {TokensUnavailable} if the adapter or the vault fails. Then the account must stay: its tokens stay usable.
 */
export async function revokeOfUser({ settings, user, context }: RemovedOwner, account?: VaultKey): Promise<void> {
  const isInCookie = settings.tokens?.isInCookie;
  const ofRequest = isInCookie && context ? await callOf(context) : undefined;
  const call = isInCookie ? ofRequest : { settings, owner: { userId: String(user.id) } };
  if (call) await revoke(call, account?.provider, { account: account?.providerAccountId });
}

/** The same afterwards, because a sign-in in between may have stored tokens. A failure is logged. */
export async function revokeRest(owner: RemovedOwner, account?: VaultKey): Promise<void> {
  const { settings } = owner;
  if (settings.tokens?.isInCookie) return;
  try {
    await revokeOfUser(owner, account);
  } catch (error) {
    settings.logger.error(errorOf(error));
  }
}

/** Turns of one revocation: a sign-in may write the entry again and again. */
const TURNS = 5;

/**
 * Revokes an entry in an order that leaves no tokens behind. The columns are cleared first, so that the next call does
 * not take the tokens over again. The lease keeps other processes from a refresh, whose tokens would not be revoked. If
 * the entry has changed nevertheless, its new tokens are revoked, too.
 *
 * @returns `undefined` if another process has deleted the entry.
 * @throws {TokensUnavailable} if the adapter or the vault fails. The call can be repeated.
 */
async function revokeEntry(settings: Settings, vault: Vault, first: VaultEntry): Promise<RevokedTokens | undefined> {
  const { provider, providerAccountId, userId } = first;
  await clearAccount(settings, { provider, account: providerAccountId, userId });
  let result: Revocation | undefined;
  let entry: VaultEntry | null = first;
  for (let turn = 0; entry && turn < TURNS; turn++) {
    const { version }: VaultEntry = entry;
    result = (await revokeUnderLease(settings, vault, entry)) ?? result;
    entry = await vault.read(first);
    if (entry?.version === version) break;
  }
  await vault.remove(first);
  vault.state.unwritten.delete(keyText(first));
  if (!result) return undefined;
  await settings.emit('tokensRevoked', { userId, provider, providerAccountId, result });
  return { provider, account: providerAccountId, result };
}

/** Returns `undefined` if another process has changed the entry. */
async function revokeUnderLease(settings: Settings, vault: Vault, entry: VaultEntry): Promise<Revocation | undefined> {
  const unwritten = vault.state.unwritten.get(keyText(entry));
  // The refresh of this process has the lease, and has ended.
  if (unwritten?.expected === entry.version) return revokeAtProvider(settings, entry, unwritten.tokens);
  const holder = randomBase64Url(16);
  if ((await takeLease(vault, entry, holder)) === 'changed') return undefined;
  try {
    return await revokeAtProvider(settings, entry);
  } finally {
    await releaseLease(vault, entry, holder);
  }
}

/**
 * Revokes the tokens of an entry at its provider. A failure is logged.
 *
 * @param newer Tokens that are not in the entry. Default: those in the entry.
 */
async function revokeAtProvider(settings: Settings, entry: VaultEntry, newer?: Tokens): Promise<Revocation> {
  const { provider } = entry;
  const { result, failure } = await sendRevocation(settings, entry, newer);
  if (failure) {
    settings.logger.error(new AuthError('the provider did not revoke tokens', { ...failure, provider }));
  }
  return result;
}

async function sendRevocation(settings: Settings, entry: VaultEntry, newer?: Tokens): Promise<RevocationResult> {
  try {
    const tokens = newer ?? (await openEntry(settings, entry))?.tokens;
    if (!tokens) return { result: 'failed' };
    const { refreshToken, accessToken, expiresAt } = tokens;
    const isValid = expiresAt === undefined || expiresAt > Date.now();
    const sent = { refreshToken, ...(isValid && { accessToken }) };
    return await revokeTokens(requireOAuth(settings, entry.provider), sent);
  } catch (error) {
    return { result: 'failed', failure: { err: errorOf(error) } };
  }
}

/**
 * Clears the token columns. The provider may not be configured any more; then its columns are not read.
 *
 * @throws {TokensUnavailable} if the adapter fails.
 */
async function clearAccount(settings: Settings, owner: Pick<Tokens, 'provider' | 'account' | 'userId'>): Promise<void> {
  const provider = oauthProviderOf(settings, owner.provider);
  try {
    if (provider) await clearColumns(settings, provider, owner);
  } catch (error) {
    throw storeUnavailable(owner.provider, 'the token columns of the account could not be cleared', error);
  }
}
