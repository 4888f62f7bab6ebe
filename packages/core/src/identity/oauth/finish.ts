import * as oauth from 'oauth4webapi';
import { type OAuthProvider, opensUsersByAddress } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { AuthError, errorOf, OAuthCallbackError, OAuthProfileParseError } from '../../errors.ts';
import type { OAuthFlow } from '../../pending/kinds.ts';
import type { PendingFlow } from '../../pending/pending.ts';
import { withStableId } from '../../store/stable-id.ts';
import type { Account, Profile, User } from '../../types/user.ts';
import type { Proof } from '../proof.ts';
import { verifyChecks } from './checks.ts';
import { clientOf } from './client.ts';
import { remoteFacts, timeProblem } from './remote.ts';
import { type CallbackServer, callbackServer, NO_ISSUER } from './server.ts';
import { type Exchange, exchangeCode } from './token.ts';
import { fetchProfile, isRefuted } from './userinfo.ts';

/**
 * Turns a provider's callback into a {@link Proof}.
 *
 * @param params The callback's parameters.
 * @param flow The authorization request that the callback answers, see `takeFlow`.
 * @throws {InvalidCheck} if the callback does not answer a request of this browser, or was answered before.
 * @throws {OAuthCallbackError} if the provider reports an error, or its answer is not acceptable.
 * @throws {OAuthProfileParseError} if `profile()` throws or returns no id.
 */
export async function finishOAuth(
  context: Context,
  provider: OAuthProvider,
  params: URLSearchParams,
  flow: PendingFlow<OAuthFlow>,
): Promise<Proof> {
  refuseDuplicates(provider, params);
  reportProviderError(provider, params);
  verifyChecks(provider, flow.value, params.get('state') ?? undefined);
  await flow.spend();
  try {
    const server = await callbackServer(provider);
    const validated = validateAnswer(context, provider, server, params);
    const { startedBy } = flow.value;
    const exchange = await exchangeCode({ context, provider, server, params: validated, flow: flow.value });
    const received = await fetchProfile({ context, provider, server, exchange });
    const profile = await conformedProfile(provider, received, params, exchange);
    return await proofOf({ context, provider, startedBy, exchange, profile });
  } catch (error) {
    if (error instanceof AuthError) throw error;
    const failure = errorOf(error);
    throw new OAuthCallbackError(timeProblem(failure) ?? "the provider's answer was refused", {
      ...remoteFacts(failure),
      provider: provider.id,
    });
  }
}

const ONCE = ['code', 'state', 'iss', 'error', 'error_description', 'response', 'id_token'];

/** RFC 6749 §3.1: no parameter may occur more than once. */
function refuseDuplicates({ id }: OAuthProvider, params: URLSearchParams): void {
  const repeated = ONCE.find((name) => params.getAll(name).length > 1);
  if (repeated) throw new OAuthCallbackError(`the callback has more than one "${repeated}"`, { provider: id });
}

/** This comes before the checks: a visitor who cancels should read that, not that a cookie is missing. */
function reportProviderError({ id }: OAuthProvider, params: URLSearchParams): void {
  const error = params.get('error');
  if (error === null) return;
  throw new OAuthCallbackError('the provider reported an error', {
    providerId: id,
    error: error.slice(0, 200),
    error_description: params.get('error_description')?.slice(0, 500),
  });
}

/** Checks `iss` (RFC 9207), `state`, `code`, and that no parameter of another response type is there. */
function validateAnswer(
  context: Context,
  provider: OAuthProvider,
  { server }: CallbackServer,
  params: URLSearchParams,
): URLSearchParams {
  // RFC 9700 §2.1.2: an access token must not come this way, and no request asks for one.
  if (params.has('access_token'))
    throw new OAuthCallbackError('the callback has an access token', { provider: provider.id });
  // Without an issuer, `iss` cannot be compared. With one per tenant, it is compared once the ID token is there.
  const isAnyIssuer = server.issuer === NO_ISSUER || provider.tokenIssuer !== undefined;
  const expected = isAnyIssuer ? { ...server, issuer: params.get('iss') || server.issuer } : server;
  const state = params.get('state') ?? oauth.expectNoState;
  const validated = oauth.validateAuthResponse(expected, clientOf(provider, context.now), params, state);
  if (!validated.get('code')) throw new OAuthCallbackError('the callback has no code', { provider: provider.id });
  return validated;
}

/** Applies the provider's own correction, which comes before `profile()` and cannot be replaced by the application. */
async function conformedProfile(
  provider: OAuthProvider,
  profile: Profile,
  params: URLSearchParams,
  { tokens }: Exchange,
): Promise<Profile> {
  if (!provider.conformProfile) return profile;
  const { url, params: configured } = provider.authorization;
  const asked = { ...Object.fromEntries(url?.searchParams ?? []), ...configured };
  return provider.conformProfile(profile, { params: Object.fromEntries(params), asked, tokens, provider });
}

interface Exchanged {
  readonly context: Context;
  readonly provider: OAuthProvider;
  readonly startedBy: string | undefined;
  readonly exchange: Exchange;
  readonly profile: Profile;
}

async function proofOf({ context, provider, startedBy, exchange, profile }: Exchanged): Promise<Proof> {
  const { tokens } = exchange;
  const described = await describeUser(provider, profile, tokens);
  const providerAccountId = accountIdOf(provider, described, profile);
  const stableId = provider.stableId?.(profile);
  const email = described.email === undefined ? {} : { email: emailOf(described.email) };
  const user = { ...described, id: crypto.randomUUID(), ...email };
  // Identity comes last: members of the token response must not replace it.
  const account: Account = { ...tokens, provider: provider.id, type: provider.type, providerAccountId };
  delete account.userId;
  return {
    account,
    user,
    profile,
    numericAccountId: numericIdOf(provider, described, providerAccountId),
    stableId,
    // A profile without an address cannot claim the address of another person.
    emailUnverified: Boolean(user.email) && (isUnverified(provider, profile) || isAmbiguous(described.email)),
    mayLinkByEmail: provider.allowDangerousEmailAccountLinking,
    mayCreateUnverified: mayCreateUnverified(context, provider),
    mayShowUnverified: provider.unverifiedEmail === 'allow',
    mustBeVerified: provider.unverifiedEmail === 'refuse',
    startedBy,
    // Last, because the application may change the tokens that it gets.
    stored: withStableId((await provider.account(tokens)) ?? {}, stableId),
  };
}

/** Otherwise the address's real owner would later be linked to the attacker's user. */
function mayCreateUnverified({ settings, origin, basePath }: Context, { unverifiedEmail }: OAuthProvider): boolean {
  if (unverifiedEmail !== 'unshared') return unverifiedEmail === 'allow';
  return !opensUsersByAddress(settings, origin + basePath);
}

async function describeUser(provider: OAuthProvider, profile: Profile, tokens: Exchange['tokens']): Promise<User> {
  let user: unknown;
  try {
    user = await provider.profile(profile, tokens);
  } catch (error) {
    throw new OAuthProfileParseError('`profile()` threw', { err: errorOf(error), provider: provider.id });
  }
  if (typeof user === 'object' && user !== null) return user;
  throw new OAuthProfileParseError('`profile()` returned no user', { provider: provider.id });
}

/** Texts that `profile()` makes of a missing id. All such users would share one account. */
const NOT_AN_ID: ReadonlySet<string> = new Set(['', 'undefined', 'null', 'NaN', '[object Object]']);

function accountIdOf(provider: OAuthProvider, { id }: { id?: unknown }, profile: Profile): string {
  if (typeof id === 'string' && !NOT_AN_ID.has(id) && !isRounded(id, profile)) return id;
  if (typeof id === 'bigint' || (typeof id === 'number' && Number.isSafeInteger(id))) return String(id);
  throw new OAuthProfileParseError("the profile has no id. Return the provider's stable user id from `profile()`", {
    provider: provider.id,
  });
}

/** Returns whether the id is the text of a number that JSON could not represent exactly. Two users would share it. */
function isRounded(id: string, value: unknown): boolean {
  if (typeof value === 'number') return !Number.isSafeInteger(value) && String(value) === id;
  return typeof value === 'object' && value !== null && Object.values(value).some((member) => isRounded(id, member));
}

/** Returns the id under which Auth.js v5 has stored the account, if that was a number. */
function numericIdOf(
  { numericAccountIds }: OAuthProvider,
  { id }: { id?: unknown },
  providerAccountId: string,
): number | undefined {
  if (!numericAccountIds && typeof id !== 'number') return undefined;
  const number = Number(providerAccountId);
  return Number.isSafeInteger(number) && String(number) === providerAccountId ? number : undefined;
}

/** Lower-cased address; null unless it is a string (a NoSQL query object must not reach the adapter). */
function emailOf(email: unknown): string | null {
  return typeof email === 'string' ? email.trim().toLowerCase() : null;
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * Returns whether an address has compatibility characters. Lower-casing changes some of them (the Kelvin sign becomes
 * `k`), so the result would be another address than the one that the provider has verified.
 */
function isAmbiguous(email: unknown): boolean {
  return typeof email === 'string' && !ASCII.test(email) && email.normalize('NFKC') !== email;
}

/** A missing claim counts as verified, unless the vendor always sends it. */
function isUnverified({ statesEmailVerified }: OAuthProvider, profile: Profile): boolean {
  return isRefuted(profile) || (statesEmailVerified && (profile.email_verified ?? undefined) === undefined);
}
