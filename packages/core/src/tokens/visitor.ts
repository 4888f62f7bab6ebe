import { limits } from '../config/defaults.ts';
import { joinScopes, type OAuthProvider } from '../config/provider.ts';
import type { Context } from '../context.ts';
import { CookiesNotWritable, errorOf, TokensUnavailable } from '../errors.ts';
import type { GetTokenOptions, ProviderToken, RevokedTokens, TokenAccount } from '../types/tokens.ts';
import { fetchWithToken } from './api-fetch.ts';
import { newestEntry, sentEntry } from './cookie.ts';
import { openEntry } from './entry.ts';
import { getToken, isRefreshDue, listTokens, requireOAuth, type TokenCall } from './get.ts';
import { callOf } from './owner.ts';
import { refusal } from './refusal.ts';
import { revoke } from './revoke.ts';
import { configuredScopes } from './scopes.ts';
import { requireTokens } from './vault.ts';

/** @throws {TokensUnavailable} if there is no token. */
export async function getOfVisitor(
  context: Context,
  provider: string,
  options?: GetTokenOptions,
): Promise<ProviderToken> {
  return getToken(await requireCall(context, provider, options), provider, options);
}

/** The APIs of a provider, to which its tokens may be sent. */
export function apisOf({ settings }: Context, provider: string): readonly string[] {
  return requireOAuth(settings, provider).apis ?? [];
}

export { fetchWithToken };

/** Returns the accounts of the visitor; none without a session. */
export async function listOfVisitor(context: Context): Promise<TokenAccount[]> {
  const call = await callOf(context);
  return call ? listTokens(call) : [];
}

/**
 * Refreshes the tokens in the cookie of a request if that is due, so that a page can be rendered with them. Most
 * requests need nothing, so the session is not read before. A failure stays: the page gets it from `get`.
 */
export async function renewInCookie(context: Context): Promise<void> {
  const { settings } = context;
  const sent = await sentEntry(context);
  const newest = sent && newestEntry(sent);
  const opened = newest && (await openEntry(settings, newest));
  if (!opened || (newest === sent && !isRefreshDue(settings, opened))) return;
  try {
    const call = await callOf(context);
    if (call?.owner.account) await getToken(call, call.owner.account.provider);
  } catch (error) {
    // The failures of providers and stores are in the log already.
    if (!(error instanceof TokensUnavailable)) settings.logger.error(errorOf(error));
  }
}

/**
 * @throws {TokensUnavailable} if the request has no session.
 * @throws {CookiesNotWritable} if the tokens are in a cookie, and cookies cannot be set here.
 */
export async function revokeOfVisitor(
  context: Context,
  provider?: string,
  options?: { account?: string | undefined },
): Promise<RevokedTokens[]> {
  if (requireTokens(context.settings.tokens).isInCookie && context.call.isReadOnly) {
    throw new CookiesNotWritable('cookies cannot be set here. Call `revoke` in a handler or an action');
  }
  return revoke(await requireCall(context, provider ?? ''), provider, options);
}

/**
 * Returns the scopes for a sign-in with the option `scopes`: the configured ones, those that the visitor has granted
 * before, and the new ones.
 *
 * @param text The new ones, separated by spaces. Too many are left out.
 */
export async function scopeOfVisitor(context: Context, provider: OAuthProvider, text: string): Promise<string> {
  const added = text.split(/\s/).filter(Boolean).slice(0, limits.tokenScopes);
  const scope = joinScopes(configuredScopes(provider), await storedScopes(context, provider.id), added);
  return scope.length <= limits.tokenScopeText ? scope : joinScopes(configuredScopes(provider), added);
}

async function storedScopes(context: Context, provider: string): Promise<readonly string[]> {
  try {
    const accounts = await listOfVisitor(context);
    return accounts.filter((account) => account.provider === provider).flatMap(({ scopes }) => scopes);
  } catch (error) {
    // The sign-in can replace what the vault does not show now.
    context.settings.logger.error(errorOf(error));
    return [];
  }
}

/** Revokes all tokens of the visitor, before the session ends. A failure is logged: the sign-out continues. */
export async function revokeAtSignOut(context: Context): Promise<void> {
  try {
    const call = await callOf(context);
    if (call) await revoke(call);
  } catch (error) {
    context.settings.logger.error(errorOf(error));
  }
}

async function requireCall(context: Context, provider: string, options?: GetTokenOptions): Promise<TokenCall> {
  const call = await callOf(context);
  if (call) return call;
  throw refusal('signed-out', { provider, scopes: options?.scopes ?? [] });
}
