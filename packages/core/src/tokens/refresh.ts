import { limits } from '../config/defaults.ts';
import type { OAuthProvider } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import { randomBase64Url } from '../crypto/bytes.ts';
import { errorOf, type TokensCode } from '../errors.ts';
import { type ProviderFailure, type RefreshResult, refreshTokens } from '../identity/oauth/refresh.ts';
import { revokeTokens } from '../identity/oauth/revoke.ts';
import { type CallbackServer, callbackServer } from '../identity/oauth/server.ts';
import type { VaultEntry } from '../types/token-vault.ts';
import { newerTokens, syncAccountColumns } from './accounts.ts';
import { decideOutcome, type EntryNow } from './decide.ts';
import { keyText, type OpenedEntry, openEntry, sealEntry, type Tokens } from './entry.ts';
import { refusal } from './refusal.ts';
import { grantedScopes } from './scopes.ts';
import { type Failure, type Flight, type RunningRefresh, storeUnavailable, type Vault } from './vault.ts';

/** Everything that a refresh needs. */
export interface RefreshWork {
  readonly settings: Settings;
  readonly vault: Vault;
  readonly provider: OAuthProvider;
}

/** The calls read the entry, and decide again. */
const AGAIN: Flight = { do: 'again' };

/**
 * Joins the refresh of an entry that runs in this process, or starts one (single flight). The limits are those of each
 * provider and of each refresh, so a provider that hangs does not block the others.
 */
export async function joinFlight(work: RefreshWork, opened: OpenedEntry): Promise<Flight> {
  const flights = flightsOf(work);
  const running = flights.get(keyText(opened.entry));
  const isFull = running ? running.waiting >= limits.tokenWaiting : flights.size >= limits.tokenFlights;
  if (isFull) return { do: 'fail', code: 'provider-unavailable' };
  const joined = running ?? startFlight(work, opened, flights);
  joined.waiting++;
  return joined.result;
}

function flightsOf({ vault, provider: { id } }: RefreshWork): Map<string, RunningRefresh> {
  const { flights } = vault.state;
  const known = flights.get(id) ?? new Map<string, RunningRefresh>();
  flights.set(id, known);
  return known;
}

function startFlight(work: RefreshWork, opened: OpenedEntry, flights: Map<string, RunningRefresh>): RunningRefresh {
  const key = keyText(opened.entry);
  const result = refreshEntry(work, opened).finally(() => flights.delete(key));
  const started: RunningRefresh = { result, waiting: 0 };
  flights.set(key, started);
  return started;
}

async function refreshEntry(work: RefreshWork, opened: OpenedEntry): Promise<Flight> {
  const { settings, provider } = work;
  const server = await serverOf(work, opened);
  if (!server) return AGAIN;
  const holder = randomBase64Url(16);
  const lease = await takeLease(work.vault, opened.entry, holder);
  if (lease === 'changed') return AGAIN;
  if (lease === 'late') {
    // The log of the process that refreshes has the failure.
    startBackOff(work, opened, 'provider-unavailable');
    return AGAIN;
  }
  const newer = await newerTokens(settings, provider, opened);
  if (newer) return storeTokensOfRow(work, opened, newer);
  const { refreshToken = '', scopes, subject } = opened.tokens;
  const now = new Date();
  const result = await refreshTokens({ provider, server, refreshToken, scopes, subject, now });
  if (result.answer === 'tokens') return storeRefreshed(work, opened, nextTokens(provider, opened.tokens, result, now));
  if (result.answer === 'refused') return refused(work, opened);
  await releaseLease(work.vault, opened.entry, holder);
  providerFailed(work, opened, result);
  return AGAIN;
}

/** Loads the metadata before the lease is taken, because the lease is short. */
async function serverOf(work: RefreshWork, opened: OpenedEntry): Promise<CallbackServer | undefined> {
  try {
    return await callbackServer(work.provider);
  } catch (error) {
    providerFailed(work, opened, { answer: 'provider-unavailable', err: errorOf(error) });
    return undefined;
  }
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Takes the lease, or waits until another process has written the entry. */
export async function takeLease(
  vault: Vault,
  entry: VaultEntry,
  holder: string,
): Promise<'taken' | 'changed' | 'late'> {
  const start = Date.now();
  for (;;) {
    if (await vault.lease(entry, entry.version, holder, limits.tokenLease)) return 'taken';
    const present = await vault.read(entry);
    if (present?.version !== entry.version) return 'changed';
    const waited = Date.now() - start;
    if (waited >= limits.tokenWait) return 'late';
    await sleep((waited < 1000 ? 50 : 250) * (0.9 + Math.random() * 0.2));
  }
}

/** A failure is harmless: the lease ends by itself. */
export async function releaseLease(vault: Vault, entry: VaultEntry, holder: string): Promise<void> {
  await vault.lease(entry, entry.version, holder, 0).catch(() => undefined);
}

/** Stores tokens that Auth.js or an older release has written into the `accounts` row. */
async function storeTokensOfRow(
  { settings, vault }: RefreshWork,
  { entry }: OpenedEntry,
  tokens: Tokens,
): Promise<Flight> {
  await vault.write(await sealed(settings, tokens, entry.version), entry.version);
  return AGAIN;
}

async function sealed(settings: Settings, tokens: Tokens, version: number): Promise<VaultEntry> {
  try {
    return await sealEntry(settings, tokens, version);
  } catch (error) {
    throw storeUnavailable(tokens.provider, 'the tokens could not be sealed', error);
  }
}

/**
 * Opens an entry.
 *
 * @throws {TokensUnavailable} if the KMS fails.
 */
export async function openOrFail(settings: Settings, entry: VaultEntry): Promise<OpenedEntry | undefined> {
  try {
    return await openEntry(settings, entry);
  } catch (error) {
    throw storeUnavailable(entry.provider, 'the key of the tokens could not be decrypted', error);
  }
}

/** A response without a refresh token keeps the stored one (RFC 6749 §6), and one without a scope the stored scopes. */
function nextTokens(
  provider: OAuthProvider,
  before: Tokens,
  { tokens }: Extract<RefreshResult, { answer: 'tokens' }>,
  now: Date,
): Tokens {
  const { access_token, refresh_token, id_token, expires_at, scope } = tokens;
  return {
    ...before,
    accessToken: access_token,
    refreshToken: refresh_token || before.refreshToken,
    // The option `account()` may have left it out.
    idToken: before.idToken === undefined ? undefined : (id_token ?? before.idToken),
    issuedAt: now.getTime(),
    expiresAt: expires_at && expires_at * 1000,
    scopes: scope ? grantedScopes(provider, scope) : before.scopes,
  };
}

/** Milliseconds for which a write is repeated that the vault does not accept. */
const WRITE_TIME = 2000;

/** Writes new tokens (compare and set), and decides again if the entry has changed meanwhile. */
async function storeRefreshed(work: RefreshWork, opened: OpenedEntry, tokens: Tokens): Promise<Flight> {
  const { settings, vault, provider } = work;
  vault.state.failures.delete(keyText(opened.entry));
  const deadline = Date.now() + WRITE_TIME;
  let base = opened.entry;
  for (;;) {
    try {
      const next = await sealed(settings, tokens, base.version);
      const isWritten = await vault.write(next, base.version);
      const present = isWritten ? next : await vault.read(base);
      // The vault may have written it and lost only the answer.
      if (present?.sealed === next.sealed) return await finishRefresh(work, { entry: next, tokens });
      const outcome = decideOutcome('tokens', await entryNow(work, opened, present));
      if (outcome === 'decide-again') return AGAIN;
      // The outcome is `revoke-new`.
      if (!present) {
        await revokeTokens(provider, { refreshToken: tokens.refreshToken });
        return AGAIN;
      }
      if (present.version === base.version) throw new Error('the vault refuses to replace the version that it has');
      base = present;
    } catch (error) {
      if (Date.now() < deadline) await sleep(100);
      else return keepUnstored(work, { entry: base, tokens }, errorOf(error));
    }
  }
}

async function finishRefresh({ settings, provider }: RefreshWork, opened: OpenedEntry): Promise<Flight> {
  const { tokens } = opened;
  await syncAccountColumns(settings, provider, tokens);
  const { userId, provider: id, account: providerAccountId } = tokens;
  await settings.emit('tokensRefreshed', { userId, provider: id, providerAccountId });
  return { do: 'use', opened };
}

/** The calls get the new tokens, and the next call tries to write them again. */
function keepUnstored({ settings, vault }: RefreshWork, opened: OpenedEntry, err: Error): Flight {
  const { entry, tokens } = opened;
  const until = Date.now() + limits.tokensUnwritten * 1000;
  vault.state.unwritten.set(keyText(entry), { tokens, expected: entry.version, until });
  settings.logger.error(
    storeUnavailable(entry.provider, 'refreshed tokens could not be stored. They are kept for 60 seconds', err),
  );
  return { do: 'use', opened };
}

/**
 * Writes tokens that the vault did not accept before.
 *
 * @param entry The present entry of the vault.
 * @returns The entry to use.
 */
export async function retryUnstored(work: RefreshWork, entry: VaultEntry): Promise<OpenedEntry | undefined> {
  const { settings, vault } = work;
  const { unwritten } = vault.state;
  const key = keyText(entry);
  const kept = unwritten.get(key);
  if (!kept) return undefined;
  if (kept.until <= Date.now() || kept.expected !== entry.version) {
    unwritten.delete(key);
    return undefined;
  }
  const opened = { entry, tokens: kept.tokens };
  try {
    const next = await sealed(settings, kept.tokens, entry.version);
    if (!(await vault.write(next, entry.version))) return undefined;
    unwritten.delete(key);
    await finishRefresh(work, { ...opened, entry: next });
    return { ...opened, entry: next };
  } catch {
    return opened;
  }
}

async function entryNow(
  { settings }: RefreshWork,
  { entry, tokens }: OpenedEntry,
  present: VaultEntry | null,
): Promise<EntryNow> {
  if (!present) return 'removed';
  if (present.version === entry.version) return 'same';
  const now = (await openOrFail(settings, present))?.tokens;
  if (now?.isRefused) return 'newer-refused';
  // `rewrite()` and sign-ins may write the same refresh token again. Its successor must not be lost.
  return now?.refreshToken === tokens.refreshToken ? 'same' : 'newer';
}

/** Milliseconds after which the entry is read again: another process may have been faster, and still be writing. */
const SECOND_LOOK = 1000;

/** The provider has refused the refresh token. */
async function refused(work: RefreshWork, opened: OpenedEntry): Promise<Flight> {
  const { settings, vault } = work;
  const { entry, tokens } = opened;
  for (const pause of [0, SECOND_LOOK]) {
    await sleep(pause);
    const now = await entryNow(work, opened, await vault.read(entry));
    if (decideOutcome('refused', now) === 'decide-again') return AGAIN;
  }
  const marked = await sealed(settings, { ...tokens, isRefused: true }, entry.version);
  if (await vault.write(marked, entry.version)) {
    const { userId, provider, account: providerAccountId } = tokens;
    await settings.emit('tokensLost', { userId, provider, providerAccountId, code: 'revoked' });
  }
  return AGAIN;
}

/** Starts the back-off after a failure of the provider, and logs the failure. */
function providerFailed(work: RefreshWork, opened: OpenedEntry, failure: ProviderFailure): void {
  const { settings, provider } = work;
  const { answer: code, retryAfter: asked, ...facts } = failure;
  const retryAfter = startBackOff(work, opened, code, asked);
  settings.logger.error(refusal(code, { ...facts, provider: provider.id, retryAfter }));
}

/**
 * Starts the back-off of this process for the entry.
 *
 * @param asked Seconds that the provider asks to wait. Default: 0.
 * @returns Its seconds.
 */
function startBackOff({ vault }: RefreshWork, { entry }: OpenedEntry, code: TokensCode, asked = 0): number {
  const { failures } = vault.state;
  const key = keyText(entry);
  const count = (failures.get(key)?.count ?? 0) + 1;
  const seconds = Math.max(asked, Math.min(limits.tokenBackOff * 2 ** (count - 1), limits.tokenBackOffMost));
  failures.set(key, { code, count, until: Date.now() + seconds * 1000 });
  return seconds;
}

/** Returns the last failure for an entry, while this process waits. */
export function currentBackOff({ state }: Vault, entry: VaultEntry): Failure | undefined {
  const failure = state.failures.get(keyText(entry));
  return failure && failure.until > Date.now() ? failure : undefined;
}
