import { limits } from '../config/defaults.ts';
import { type OAuthProvider, providerOf } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import { InvalidProvider } from '../errors.ts';
import { clientIdOf } from '../identity/oauth/client.ts';
import type { VaultEntry, VaultKey } from '../types/token-vault.ts';
import type { GetTokenOptions, ProviderToken, TokenAccount } from '../types/tokens.ts';
import { importAccountRows } from './accounts.ts';
import { decideRefresh } from './decide.ts';
import { factsOf, type OpenedEntry, openEntry } from './entry.ts';
import { currentBackOff, joinFlight, type RefreshWork, retryUnstored } from './refresh.ts';
import { refusal } from './refusal.ts';
import { requireTokens, storeUnavailable, type Vault, vaultOf } from './vault.ts';

/** Whose tokens a call uses. */
export interface TokensOwner {
  /** Id of the user in the store; `''` without an adapter. */
  readonly userId: string;
  /** The only account that counts. Without an adapter, the session has it. Default: all accounts of the user. */
  readonly account?: { readonly provider: string; readonly providerAccountId: string } | undefined;
}

/** A call for a token. */
export interface TokenCall {
  readonly settings: Settings;
  readonly owner: TokensOwner;
  /** The tokens in the cookie of a request. Default: the vault of the configuration. */
  readonly vault?: Vault | undefined;
}

/** Decisions of one call at most: the entry may change again and again. */
const TURNS = 5;

/** Returns a valid access token; see `VisitorTokens.get`. */
export async function getToken(call: TokenCall, id: string, options: GetTokenOptions = {}): Promise<ProviderToken> {
  const { settings, owner } = call;
  const { minTtl: defaultTtl } = requireTokens(settings.tokens);
  const { scopes = [], minTtl = defaultTtl, rejected } = options;
  checkOptions(scopes, minTtl);
  const vault = call.vault ?? (await vaultOf(settings));
  const work: RefreshWork = { settings, vault, provider: requireOAuth(settings, id) };
  let entry = await locate(work, owner, options.account);
  for (let turn = 0; turn < TURNS; turn++) {
    const opened = entry && ((await retryUnstored(work, entry)) ?? (await openOwn(work, entry)));
    const failure = entry ? currentBackOff(vault, entry) : undefined;
    const decision = decideRefresh({
      entry: entry ? (opened ? factsOf(opened.tokens) : 'unreadable') : 'none',
      now: Date.now(),
      minTtl,
      requiredScopes: scopes,
      rejected,
      waiting: failure?.code ?? (vault.isReadOnly ? 'read-only' : undefined),
    });
    const facts = { provider: id, scopes: union(scopes, opened?.tokens.scopes) };
    if (decision.do === 'fail') {
      const error = refusal(decision.code, { ...facts, ...(failure && { retryAfter: secondsTo(failure.until) }) });
      if (decision.code === 'unreadable') settings.logger.error(error);
      throw error;
    }
    if (decision.do === 'use' && opened) return tokenOf(opened);
    if (decision.do === 'take-over') {
      if (turn > 0 || !(await hasTakenOver(work, owner))) throw refusal('no-account', facts);
      entry = await locate(work, owner, options.account);
      continue;
    }
    if (!opened) continue;
    const flight = await joinFlight(work, opened);
    if (flight.do === 'fail') throw refusal(flight.code, { ...facts, retryAfter: 1 });
    if (flight.do === 'use') return tokenOf(withScopes(requireOwn(flight.opened, owner), scopes, id));
    entry = await readOwn(vault, opened.entry, owner);
  }
  throw refusal('provider-unavailable', { provider: id, scopes, retryAfter: 1 });
}

/** @throws {TokensUnavailable} if the adapter, the vault or the KMS fails. */
async function hasTakenOver({ settings, vault, provider }: RefreshWork, { userId }: TokensOwner): Promise<boolean> {
  if (!userId) return false;
  try {
    return (await importAccountRows(settings, vault, provider, userId)) > 0;
  } catch (error) {
    const failure = storeUnavailable(provider.id, 'the stored tokens of the account could not be taken over', error);
    settings.logger.error(failure);
    throw failure;
  }
}

/** Each caller's scopes are compared with the result of a refresh, because the provider may grant fewer. */
function withScopes(opened: OpenedEntry, required: readonly string[], provider: string): OpenedEntry {
  const { scopes } = opened.tokens;
  if (required.every((scope) => scopes.includes(scope))) return opened;
  throw refusal('missing-scopes', { provider, scopes: union(required, scopes) });
}

function union(required: readonly string[], granted: readonly string[] = []): readonly string[] {
  return [...new Set([...granted, ...required])];
}

function secondsTo(instant: number): number {
  return Math.max(1, Math.ceil((instant - Date.now()) / 1000));
}

/** @throws {TypeError} if an option cannot be used. */
function checkOptions(scopes: readonly string[], minTtl: number): void {
  if (!(minTtl >= 0 && minTtl <= limits.minTtl)) {
    throw new TypeError(`\`minTtl\` must be a number of seconds from 0 to ${limits.minTtl}`);
  }
  checkScopes(scopes);
}

/** @throws {TypeError} if the scopes are not a list, or too many. */
export function checkScopes(scopes: readonly string[]): void {
  const isList = Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string');
  if (isList && scopes.length <= limits.tokenScopes && scopes.join(' ').length <= limits.tokenScopeText) return;
  throw new TypeError(
    `\`scopes\` must be a list of at most ${limits.tokenScopes} strings with ${limits.tokenScopeText} characters in total`,
  );
}

/** Jobs have no origin, and a refresh needs no redirect URI. */
const NO_SITE = 'https://site.invalid';

/**
 * Returns a provider.
 *
 * @throws {InvalidProvider} if it is not configured, or not of type `oauth` or `oidc`.
 */
export function requireOAuth(settings: Settings, id: string): OAuthProvider {
  const provider = oauthProviderOf(settings, id);
  if (provider) return provider;
  throw new InvalidProvider(`provider "${id}" is not configured, or has no tokens. Correct the id`, { provider: id });
}

/** Returns a provider; `undefined` if it is not configured any more, or not of type `oauth` or `oidc`. */
export function oauthProviderOf(settings: Settings, id: string): OAuthProvider | undefined {
  const provider = providerOf(settings, id, NO_SITE);
  return provider?.type === 'oauth' || provider?.type === 'oidc' ? (provider as OAuthProvider) : undefined;
}

/** @throws {TokensUnavailable} if the user has several accounts, or if this one is not the user's. */
async function locate(
  { vault, provider: { id: provider } }: RefreshWork,
  owner: TokensOwner,
  account: string | undefined,
): Promise<VaultEntry | null> {
  const providerAccountId = owner.account?.providerAccountId ?? account;
  if (owner.account && (owner.account.provider !== provider || (account ?? providerAccountId) !== providerAccountId)) {
    throw refusal('no-account', { provider });
  }
  // Without an adapter, only the session says whose account it is: all entries have the same user.
  if (!owner.userId && !owner.account) throw refusal('no-account', { provider });
  if (providerAccountId !== undefined) return readOwn(vault, { provider, providerAccountId }, owner);
  const entries = await vault.find(owner.userId, provider);
  if (entries.length > 1) throw refusal('several-accounts', { provider });
  return entries[0] ?? null;
}

/** @throws {TokensUnavailable} if the entry belongs to another user. */
async function readOwn(vault: Vault, key: VaultKey, owner: TokensOwner): Promise<VaultEntry | null> {
  const entry = await vault.read(key);
  if (entry && entry.userId !== owner.userId) throw refusal('no-account', { provider: key.provider });
  return entry;
}

/**
 * Returns the result of a refresh. Another user may have started it, because the account has moved meanwhile.
 *
 * @throws {TokensUnavailable} if the entry belongs to another user.
 */
function requireOwn(opened: OpenedEntry, owner: TokensOwner): OpenedEntry {
  const { userId, provider } = opened.entry;
  if (userId !== owner.userId) throw refusal('no-account', { provider });
  return opened;
}

/** Opens an entry; `undefined` if it does not open, or if it belongs to another client. */
async function openOwn({ settings, provider }: RefreshWork, entry: VaultEntry): Promise<OpenedEntry | undefined> {
  const opened = await open(settings, entry);
  return opened?.tokens.clientId === clientIdOf(provider) ? opened : undefined;
}

async function open(settings: Settings, entry: VaultEntry): Promise<OpenedEntry | undefined> {
  try {
    return await openEntry(settings, entry);
  } catch (error) {
    const failure = storeUnavailable(entry.provider, 'the key of the tokens could not be decrypted', error);
    settings.logger.error(failure);
    throw failure;
  }
}

function tokenOf({ tokens: { accessToken, expiresAt, scopes, idToken } }: OpenedEntry): ProviderToken {
  return {
    accessToken,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    scopes: [...scopes],
    ...(idToken !== undefined && { idToken }),
  };
}

/** Returns the entries of an owner. */
export async function entriesOf(call: TokenCall, provider?: string): Promise<readonly VaultEntry[]> {
  const vault = call.vault ?? (await vaultOf(call.settings));
  const { userId, account } = call.owner;
  if (account) {
    const entry = provider === undefined || provider === account.provider ? await vault.read(account) : null;
    return entry && entry.userId === userId ? [entry] : [];
  }
  return userId ? vault.find(userId, provider) : [];
}

/** Lists accounts with tokens; see `VisitorTokens.list`. */
export async function listTokens(call: TokenCall): Promise<TokenAccount[]> {
  const entries = (await entriesOf(call)).slice(0, limits.tokenAccounts);
  const listed = await Promise.all(entries.map((entry) => describe(call.settings, entry)));
  return listed.sort((a, b) => (a.provider + a.account < b.provider + b.account ? -1 : 1));
}

async function describe(settings: Settings, entry: VaultEntry): Promise<TokenAccount> {
  const { provider, providerAccountId: account } = entry;
  const opened = await open(settings, entry);
  if (!opened) return { provider, account, scopes: [], expiresAt: null, state: 'unreadable' };
  const { scopes, expiresAt, isRefused } = opened.tokens;
  const state = isActive(opened) ? 'active' : isRefused ? 'refused' : 'expired';
  return { provider, account, scopes: [...scopes], expiresAt: expiresAt ? new Date(expiresAt) : null, state };
}

/** Returns whether a call with the default options sends a refresh request. */
export function isRefreshDue({ tokens: options }: Settings, { tokens }: OpenedEntry): boolean {
  const { minTtl } = requireTokens(options);
  const call = { now: Date.now(), minTtl, requiredScopes: [], rejected: undefined, waiting: undefined };
  return decideRefresh({ entry: factsOf(tokens), ...call }).do === 'refresh';
}

/** Returns whether `get` returns a token, if the provider accepts the refresh token. */
export function isActive({ tokens }: OpenedEntry): boolean {
  const call = { now: Date.now(), minTtl: 0, requiredScopes: [], rejected: undefined, waiting: undefined };
  return decideRefresh({ entry: factsOf(tokens), ...call }).do !== 'fail';
}
