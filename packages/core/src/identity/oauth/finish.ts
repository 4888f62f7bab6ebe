import * as oauth from 'oauth4webapi';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { AuthError, because, errorOf, OAuthCallbackError, OAuthProfileParseError } from '../../errors.ts';
import type { OAuthFlow } from '../../pending/kinds.ts';
import type { PendingFlow } from '../../pending/pending.ts';
import type { ConformContext, EmailVerification } from '../../providers/oauth.ts';
import { withStableId } from '../../store/stable-id.ts';
import type { RefusalCause } from '../../types/cause.ts';
import type { Account, EmailStatus, Profile, User } from '../../types/user.ts';
import { LONGEST_INPUT } from '../email/address.ts';
import type { Authentication, Proof } from '../proof.ts';
import { authenticationOf } from './authentication.ts';
import { verifyChecks } from './checks.ts';
import { clientOf } from './client.ts';
import { emailStatus } from './email-status.ts';
import { isAboutIdToken, remoteFacts, timeRefusal } from './remote-error.ts';
import { type CallbackServer, callbackServer, NO_ISSUER } from './server.ts';
import { type Exchange, exchangeCode } from './token.ts';
import { fetchProfile } from './userinfo.ts';

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
  verifyChecks(context, provider, flow.value, params.get('state') ?? undefined);
  const isNamed = params.has('state');
  if (isNamed) await flow.spend();
  else flow.verify();
  let refusal: RefusalCause = 'code-refused';
  try {
    const server = await callbackServer(provider);
    const validated = validateAnswer(context, provider, server, params);
    const { startedBy } = flow.value;
    const exchange = await exchangeCode({ context, provider, server, params: validated, flow: flow.value });
    // A code that another site made up must not spend the flow.
    if (!isNamed) await flow.spend();
    refusal = 'userinfo-refused';
    const received = await fetchProfile({ context, provider, server, exchange });
    const conforming = conformContext(provider, params, exchange);
    // The provider's own correction comes before `profile()` and cannot be replaced by the application's.
    const profile = (await provider.conformProfile?.(received, conforming)) ?? received;
    const verification = emailVerificationOf(provider, profile, conforming);
    const authentication = provider.type === 'oidc' ? authenticationOf(exchange) : undefined;
    return await proofOf({ provider, startedBy, exchange, profile, verification, authentication });
  } catch (error) {
    if (error instanceof AuthError) throw error;
    const failure = errorOf(error);
    throw (
      timeRefusal(provider, failure) ??
      because(
        refusal === 'code-refused' && isAboutIdToken(failure) ? 'id-token-claim' : refusal,
        new OAuthCallbackError("the provider's answer was refused", { ...remoteFacts(failure), provider: provider.id }),
      )
    );
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
  const facts = {
    providerId: id,
    error: error.slice(0, 200),
    error_description: params.get('error_description')?.slice(0, 500),
  };
  throw because('provider-error', new OAuthCallbackError('the provider reported an error', facts));
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

function conformContext(provider: OAuthProvider, params: URLSearchParams, { tokens }: Exchange): ConformContext {
  const { url, params: configured } = provider.authorization;
  const asked = { ...Object.fromEntries(url?.searchParams ?? []), ...configured };
  return { params: Object.fromEntries(params), asked, tokens, provider };
}

function emailVerificationOf(
  { emailVerification }: OAuthProvider,
  profile: Profile,
  conforming: ConformContext,
): EmailVerification | undefined {
  return typeof emailVerification === 'function' ? emailVerification(profile, conforming) : emailVerification;
}

interface Exchanged {
  readonly provider: OAuthProvider;
  readonly startedBy: string | undefined;
  readonly exchange: Exchange;
  readonly profile: Profile;
  readonly verification: EmailVerification | undefined;
  readonly authentication: Authentication | undefined;
}

async function proofOf(exchanged: Exchanged): Promise<Proof> {
  const { provider, startedBy, exchange, profile, authentication } = exchanged;
  const { tokens } = exchange;
  const described = await describeUser(provider, profile, tokens);
  const providerAccountId = accountIdOf(provider, described, profile);
  const stableId = provider.stableId ? provider.stableId(profile) || null : undefined;
  const email = described.email === undefined ? {} : { email: emailOf(described.email) };
  const user = { ...described, id: crypto.randomUUID(), ...email };
  const verification = verificationOf(exchanged, user.email);
  // Identity comes last: members of the token response must not replace it.
  const account: Account = { ...tokens, provider: provider.id, type: provider.type, providerAccountId };
  delete account.userId;
  return {
    account,
    user,
    profile,
    numericAccountId: numericIdOf(provider, described, providerAccountId),
    stableId,
    emailStatus: statusOf(described.email, user.email, profile, verification),
    emailVerification: verification,
    unverifiedEmail: provider.unverifiedEmail,
    // An address that the visitor or an administrator has written must not open another person's user.
    mayLinkByEmail: provider.allowDangerousEmailAccountLinking && verification !== 'never',
    startedBy,
    authentication,
    // Last, because the application may change the tokens that it gets.
    stored: withStableId((await provider.account(tokens)) ?? {}, stableId),
  };
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

/**
 * Returns how the provider vouches for the address. `email_verified` is about the claim `email` (OpenID Connect Core
 * §5.1). If `profile()` has taken another address, for example from `preferred_username`, its user may have written it.
 */
function verificationOf(
  { profile: { email, email_verified }, verification }: Exchanged,
  address: string | null | undefined,
): EmailVerification | undefined {
  const isOther = email_verified !== undefined && typeof email === 'string' && emailOf(email) !== address;
  return isOther && verification !== 'always' ? 'never' : verification;
}

/** Returns the status of the address; `undefined` without one: the profile cannot claim another person's address. */
function statusOf(
  described: unknown,
  canonical: string | null | undefined,
  profile: Profile,
  verification: EmailVerification | undefined,
): EmailStatus | undefined {
  if (!canonical) return undefined;
  return isAmbiguous(described) ? 'unverified' : emailStatus(profile.email_verified, verification);
}

/** Lower-cased address; null unless it is a string (a NoSQL query object must not reach the adapter). */
function emailOf(email: unknown): string | null {
  return typeof email === 'string' ? email.trim().toLowerCase() : null;
}

const PLAIN = /^[!-~]*$/;
/** Blanks, control characters, and invisible ones. */
const HIDDEN = /[\s\p{Cc}\p{Cf}]/u;

/**
 * Returns whether an address has characters that programs read in different ways. Some databases ignore hidden ones.
 * Lower-casing changes some compatibility characters (the Kelvin sign becomes `k`), so the result would be another
 * address than the one that the provider has verified. A text that is too long for an address counts, too: the time to
 * normalize combining marks grows with the square of their number.
 */
function isAmbiguous(email: unknown): boolean {
  const address = typeof email === 'string' ? email.trim() : '';
  if (PLAIN.test(address)) return false;
  return address.length > LONGEST_INPUT || HIDDEN.test(address) || address.normalize('NFKC') !== address;
}
