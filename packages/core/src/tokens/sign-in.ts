import { limits } from '../config/defaults.ts';
import type { OAuthProvider } from '../config/provider.ts';
import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { errorOf } from '../errors.ts';
import { clientIdOf } from '../identity/oauth/client.ts';
import { subjectOf } from '../identity/oauth/refresh.ts';
import type { Proof } from '../identity/proof.ts';
import type { Warning } from '../log/logger.ts';
import type { Cookie } from '../types/config.ts';
import type { VaultEntry } from '../types/token-vault.ts';
import { clearChunked } from '../wire/cookie-chunks.ts';
import { syncAccountColumns } from './accounts.ts';
import { entryCookies, newestEntry, sentEntry } from './cookie.ts';
import { decideSignIn } from './decide.ts';
import { keyText, type OpenedEntry, openEntry, sealEntry, type Tokens } from './entry.ts';
import { isActive, requireOAuth } from './get.ts';
import { configuredScopes, grantedScopes } from './scopes.ts';
import { requireTokens, storeUnavailable, type Vault, vaultOf } from './vault.ts';

const DROPPED: Warning = {
  code: 'refresh-token-dropped',
  words: '`account()` of a provider removes `refresh_token`, so its tokens cannot be refreshed. Return it, too.',
};

/** The tokens of a finished sign-in. */
interface Incoming {
  readonly tokens: Tokens;
  /** The sign-in had the option `scopes`. */
  readonly asksForScopes: boolean;
}

/**
 * Stores the tokens of a sign-in. If the vault fails, the sign-in succeeds, and the log reports it.
 *
 * @param userId Id of the user in the store.
 */
export async function storeSignIn(context: Context, proof: Proof, userId: string): Promise<void> {
  const { settings } = context;
  const { provider } = proof.account;
  try {
    const oauthProvider = requireOAuth(settings, provider);
    const incoming = incomingTokens(context, oauthProvider, proof, userId);
    if (incoming) await store(settings, await vaultOf(settings), oauthProvider, incoming);
  } catch (error) {
    settings.logger.error(storeUnavailable(provider, 'the tokens of a sign-in could not be stored', error));
  }
}

const TOO_LARGE: Warning = {
  code: 'token-cookie-size',
  words: 'the tokens of a sign-in are too large for a cookie, so they were not stored. Use a token vault.',
};

/** The session that follows a sign-in. */
interface FollowingSession {
  /** `undefined`: none was started. */
  readonly sessionId?: string | undefined;
  /** Id of the user in the store. */
  readonly userId: string;
}

/**
 * Returns the cookies that follow a sign-in: with its tokens, or without those of the session before. If the tokens
 * cannot be stored, the sign-in succeeds, and the log reports it.
 */
export async function signInCookies(
  context: Context,
  proof: Proof,
  { sessionId, userId }: FollowingSession,
): Promise<readonly Cookie[]> {
  const { settings, cookies, cookieTable } = context;
  const { provider } = proof.account;
  try {
    const incoming = proof.stored && incomingTokens(context, requireOAuth(settings, provider), proof, userId);
    if (incoming && sessionId !== undefined) {
      const tokens = await tokensOfSession(context, incoming);
      const cookie = { sessionId, version: 0 };
      return entryCookies(context, await sealEntry(settings, { ...tokens, idToken: undefined, cookie }, null));
    }
  } catch (error) {
    if (error instanceof RangeError) settings.logger.warn(TOO_LARGE, `provider: ${provider}, ${error.message}`);
    else settings.logger.error(errorOf(error));
  }
  return clearChunked(cookies, cookieTable.tokens);
}

/** The browser may have a refresh token of the same account. Some providers issue one with the first consent only. */
async function tokensOfSession(context: Context, incoming: Incoming): Promise<Tokens> {
  const { provider, account } = incoming.tokens;
  const sent = await sentEntry(context);
  const newest = sent && newestEntry(sent);
  const isSame = newest?.provider === provider && newest.providerAccountId === account;
  const opened = isSame ? await openEntry(context.settings, newest) : undefined;
  return chooseTokens(incoming, opened);
}

/** Returns the tokens of a sign-in; `undefined` if the option `account()` leaves none. */
function incomingTokens(
  { settings, now }: Context,
  provider: OAuthProvider,
  { account, stored, requestedScope }: Proof,
  userId: string,
): Incoming | undefined {
  const { access_token, refresh_token, id_token, expires_at, scope } = stored ?? {};
  if (!access_token) return undefined;
  if (account.refresh_token && !refresh_token) settings.logger.warn(DROPPED, `provider: ${provider.id}`);
  const requested = requestedScope?.split(' ') ?? configuredScopes(provider);
  const tokens: Tokens = {
    provider: provider.id,
    account: account.providerAccountId,
    userId: settings.hasAdapter ? userId : '',
    clientId: clientIdOf(provider),
    accessToken: access_token,
    refreshToken: refresh_token || undefined,
    idToken: id_token || undefined,
    subject: subjectOf(account.id_token),
    issuedAt: now.getTime(),
    expiresAt: expires_at === undefined ? undefined : expires_at * 1000,
    scopes: scope ? grantedScopes(provider, scope) : requested,
  };
  return { tokens, asksForScopes: requestedScope !== undefined };
}

/** Tries of one sign-in: a refresh or another sign-in may write the entry at the same time. */
const TRIES = 5;

async function store(settings: Settings, vault: Vault, provider: OAuthProvider, incoming: Incoming): Promise<void> {
  const { tokens } = incoming;
  for (let count = 0; count < TRIES; count++) {
    const present = await vault.read({ provider: tokens.provider, providerAccountId: tokens.account });
    const opened = present ? await openEntry(settings, present) : undefined;
    const next = chooseTokens(incoming, opened);
    // The sign-in has already written its tokens into the columns, and the entry has the better ones.
    if (next === opened?.tokens) return syncAccountColumns(settings, provider, next);
    const version = present?.version ?? null;
    const entry = await sealFitting(settings, next, version);
    if (await vault.write(entry, version)) {
      vault.state.failures.delete(keyText(entry));
      if (requireTokens(settings.tokens).isCleared || next.refreshToken !== tokens.refreshToken)
        await syncAccountColumns(settings, provider, next);
      return;
    }
  }
  throw new Error(`the entry was written ${TRIES} times by others`);
}

/** An ID token can be large, and is not needed for a refresh. */
async function sealFitting(settings: Settings, tokens: Tokens, version: number | null): Promise<VaultEntry> {
  const isLarge = JSON.stringify(tokens).length > limits.tokenEntry / 2;
  return sealEntry(settings, isLarge ? { ...tokens, idToken: undefined } : tokens, version);
}

/**
 * Returns the tokens that the entry gets, or has if it stays.
 *
 * @param opened `undefined`: the account has no entry, or it cannot be read.
 */
function chooseTokens({ tokens, asksForScopes }: Incoming, opened: OpenedEntry | undefined): Tokens {
  if (!opened) return tokens;
  const stored = { ...signInFacts(opened.tokens), isActive: isActive(opened) };
  switch (decideSignIn(stored, { ...signInFacts(tokens), asksForScopes })) {
    case 'keep':
      return opened.tokens;
    case 'replace-keeping-refresh-token':
      return { ...tokens, refreshToken: opened.tokens.refreshToken };
    case 'replace':
      return tokens;
  }
}

function signInFacts({ userId, clientId, scopes, refreshToken }: Tokens) {
  return { userId, clientId, scopes, hasRefreshToken: refreshToken !== undefined };
}
