import { providerFindings } from '../config/check-providers.ts';
import { limits } from '../config/defaults.ts';
import { type OAuthProvider, providerOf } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import { errorOf, InvalidProvider, type TokensCode, type TokensUnavailable } from '../errors.ts';
import { clientIdOf } from '../identity/oauth/client.ts';
import type { VaultEntry, VaultKey } from '../types/token-vault.ts';
import type { GetTokenOptions, ProviderToken, TokenAccount } from '../types/tokens.ts';
import { importAccountRows } from './accounts.ts';
import { decideRefresh } from './decide.ts';
import { factsOf, type OpenedEntry } from './entry.ts';
import { currentBackOff, joinFlight, openOrFail, type RefreshWork, retryUnstored } from './refresh.ts';
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

/** A call of `get`, with its defaults. */
interface TokenRequest extends RefreshWork {
  readonly owner: TokensOwner;
  /** Id of the account at the provider. Default: the user's only account. */
  readonly account: string | undefined;
  readonly scopes: readonly string[];
  /** Seconds that the token must still be valid. */
  readonly minTtl: number;
  /** An access token that an API has refused. */
  readonly rejected: string | undefined;
}

/** Decisions of one call at most: the entry may change again and again. */
const TURNS = 5;

/** Returns a valid access token; see `VisitorTokens.get`. */
export async function getToken(call: TokenCall, id: string, options: GetTokenOptions = {}): Promise<ProviderToken> {
  const request = await requestOf(call, id, options);
  const { vault, owner } = request;
  let entry = (await findEntry(request)) ?? (await takeOverEntry(request));
  for (let turn = 0; turn < TURNS; turn++) {
    if (!entry) throw refuse(request, 'no-account');
    const opened = await openCurrent(request, entry);
    if (!isRefreshNeeded(request, opened)) return tokenOf(opened);
    const flight = await joinFlight(request, opened);
    if (flight.do === 'use') return tokenOf(withScopes(request, requireOwn(flight.opened, owner)));
    if (flight.do === 'fail') throw refuse(request, flight.code, { granted: opened.tokens.scopes, retryAfter: 1 });
    entry = await readOwn(vault, entry, owner);
  }
  throw refuse(request, 'provider-unavailable', { retryAfter: 1 });
}

async function requestOf(call: TokenCall, id: string, options: GetTokenOptions): Promise<TokenRequest> {
  const { settings, owner } = call;
  const { minTtl: defaultTtl } = requireTokens(settings.tokens);
  const { account, scopes = [], minTtl = defaultTtl, rejected } = options;
  checkOptions(scopes, minTtl);
  const vault = call.vault ?? (await vaultOf(settings));
  return { settings, vault, provider: requireOAuth(settings, id), owner, account, scopes, minTtl, rejected };
}

/**
 * Opens the entry. Tokens that the vault has not accepted before take precedence.
 *
 * @throws {TokensUnavailable} if the entry does not open, or if it belongs to another client.
 */
async function openCurrent(request: TokenRequest, entry: VaultEntry): Promise<OpenedEntry> {
  const { settings, provider } = request;
  const opened = (await retryUnstored(request, entry)) ?? (await open(settings, entry));
  if (opened?.tokens.clientId === clientIdOf(provider)) return opened;
  const error = refuse(request, 'unreadable');
  settings.logger.error(error);
  throw error;
}

/** @throws {TokensUnavailable} if the token cannot be used, and a refresh is not possible. */
function isRefreshNeeded(request: TokenRequest, { entry, tokens }: OpenedEntry): boolean {
  const { vault, scopes: requiredScopes, minTtl, rejected } = request;
  const failure = currentBackOff(vault, entry);
  const waiting = failure?.code ?? (vault.isReadOnly ? 'read-only' : undefined);
  const facts = { now: Date.now(), minTtl, requiredScopes, rejected, waiting };
  const decision = decideRefresh({ entry: factsOf(tokens), ...facts });
  if (decision.do !== 'fail') return decision.do === 'refresh';
  const retryAfter = failure && secondsTo(failure.until);
  throw refuse(request, decision.code, { granted: tokens.scopes, retryAfter });
}

/** Each caller's scopes are compared with the result of a refresh, because the provider may grant fewer. */
function withScopes(request: TokenRequest, opened: OpenedEntry): OpenedEntry {
  const { scopes: granted } = opened.tokens;
  if (request.scopes.every((scope) => granted.includes(scope))) return opened;
  throw refuse(request, 'missing-scopes', { granted });
}

interface RefuseFacts {
  /** The scopes of the stored token. Default: none. */
  readonly granted?: readonly string[];
  readonly retryAfter?: number | undefined;
}

/** Returns the error of a call. Its scopes are those that a sign-in must ask for. */
function refuse(
  { provider, scopes }: TokenRequest,
  code: TokensCode,
  { granted = [], retryAfter }: RefuseFacts = {},
): TokensUnavailable {
  const facts = { provider: provider.id, scopes: [...new Set([...granted, ...scopes])] };
  return refusal(code, { ...facts, ...(retryAfter !== undefined && { retryAfter }) });
}

function secondsTo(instant: number): number {
  return Math.ceil((instant - Date.now()) / 1000);
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
 * Returns a provider whose tokens can be used.
 *
 * @throws {InvalidProvider} if it is not configured, or not of type `oauth` or `oidc`.
 * @throws {AuthError} if its configuration has a problem: its tokens could be sent to an http URL.
 */
export function requireOAuth(settings: Settings, id: string): OAuthProvider {
  const provider = oauthProviderOf(settings, id);
  if (!provider) {
    throw new InvalidProvider(`provider "${id}" is not configured, or has no tokens. Correct the id`, { provider: id });
  }
  const problem = providerFindings(settings).scoped.find(({ ids }) => ids.includes(id));
  if (problem) throw problem.error;
  return provider;
}

/** Returns a provider; `undefined` if it is not configured any more, or not of type `oauth` or `oidc`. */
export function oauthProviderOf(settings: Settings, id: string): OAuthProvider | undefined {
  const provider = providerOf(settings, id, NO_SITE);
  return provider?.type === 'oauth' || provider?.type === 'oidc' ? (provider as OAuthProvider) : undefined;
}

/** @throws {TokensUnavailable} if the user has several accounts, or if this one is not the user's. */
async function findEntry({ vault, provider: { id: provider }, owner, account }: TokenRequest) {
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

/**
 * Takes over the tokens in the user's rows of `accounts`.
 *
 * @returns The new entry; `null` if the user has no rows with tokens.
 * @throws {TokensUnavailable} if the adapter, the vault or the KMS fails.
 */
async function takeOverEntry(request: TokenRequest): Promise<VaultEntry | null> {
  const { settings, vault, provider, owner } = request;
  try {
    await importAccountRows(settings, vault, provider, owner.userId);
  } catch (error) {
    const failure = storeUnavailable(provider.id, 'the stored tokens of the account could not be taken over', error);
    settings.logger.error(failure);
    throw failure;
  }
  return findEntry(request);
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

async function open(settings: Settings, entry: VaultEntry): Promise<OpenedEntry | undefined> {
  try {
    return await openOrFail(settings, entry);
  } catch (error) {
    settings.logger.error(errorOf(error));
    throw error;
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
