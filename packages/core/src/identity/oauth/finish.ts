import * as oauth from 'oauth4webapi';
import { attempt, chain, isPromise } from '../../chain.ts';
import { errorOf } from '../../config/hooks.ts';
import type { NormalProvider, OAuthProvider } from '../../config/provider.ts';
import { providersOf } from '../../config/providers.ts';
import type { Context } from '../../context.ts';
import { AuthError, OAuthCallbackError, OAuthProfileParseError } from '../../errors.ts';
import type { Account, Awaitable, Profile, User } from '../../types.ts';
import type { Authentication, Proof } from '../proof.ts';
import { spendFlow, type Taken, verifyTaken } from './checks.ts';
import { clientOf } from './client.ts';
import { remoteFacts } from './remote-error.ts';
import { type CallbackServer, callbackServer, NO_ISSUER } from './server.ts';
import { type Exchange, exchange } from './token.ts';
import { fetchProfile } from './userinfo.ts';

/**
 * Turns a provider's callback into a proof: who it is that came back.
 *
 * @param params The callback's parameters.
 * @param taken The checks of this flow, already taken out of the browser's cookies.
 * @throws {InvalidCheck} when it is no answer to a request of this browser.
 * @throws {OAuthCallbackError} when the provider reports an error, or answers with something that cannot be accepted.
 * @throws {OAuthProfileParseError} when `profile()` fails or returns no id.
 */
export async function finishOAuth(
  context: Context,
  provider: OAuthProvider,
  params: URLSearchParams,
  taken: Taken,
): Promise<Proof> {
  refuseDuplicates(provider, params);
  reportProviderError(provider, params);
  verifyTaken(context, provider, taken, params.get('state') ?? undefined);
  const spending = spendFlow(context, provider, taken);
  if (isPromise(spending)) await spending;
  try {
    const asked = callbackServer(provider);
    const server = isPromise(asked) ? await asked : asked;
    const answered = validated(context, provider, server, params);
    const exchanged = await exchange({ context, provider, server, params: answered, taken });
    const proving = chain(fetchProfile({ context, provider, server, exchange: exchanged }), (told) =>
      chain(conformed(provider, told, { params, tokens: exchanged.tokens }), (profile) =>
        proofOf({ context, provider, taken, exchanged, profile }),
      ),
    );
    return isPromise(proving) ? await proving : proving;
  } catch (error) {
    // Remote failures are the provider's; what is ours says so by its own class.
    throw error instanceof AuthError
      ? error
      : new OAuthCallbackError("the provider's answer was refused", {
          ...remoteFacts(errorOf(error)),
          provider: provider.id,
        });
  }
}

const ONCE = ['code', 'state', 'iss', 'error', 'error_description', 'response', 'id_token'];

/** RFC 6749 §3.1: no parameter more than once. */
function refuseDuplicates({ id }: OAuthProvider, params: URLSearchParams): void {
  const repeated = ONCE.find((name) => params.getAll(name).length > 1);
  if (repeated) throw new OAuthCallbackError(`the callback has more than one "${repeated}"`, { provider: id });
}

/** Before any check: a visitor who cancels should read that, not that a cookie is missing. */
function reportProviderError({ id }: OAuthProvider, params: URLSearchParams): void {
  const error = params.get('error');
  if (error === null) return;
  const facts = {
    providerId: id,
    error: error.slice(0, 200),
    error_description: params.get('error_description')?.slice(0, 500),
  };
  throw new OAuthCallbackError('the provider reported an error', facts);
}

/** `iss` (RFC 9207), `state`, `code` and nothing of other response types; the exchange takes only what went through here. */
function validated(
  context: Context,
  provider: OAuthProvider,
  { server }: CallbackServer,
  params: URLSearchParams,
): URLSearchParams {
  const state = params.get('state');
  // Without an issuer there is nothing to compare `iss` with; with one per tenant, not before the ID token is here.
  const known =
    server.issuer === NO_ISSUER || provider.tokenIssuer
      ? { ...server, issuer: params.get('iss') || server.issuer }
      : server;
  // Whoever puts an access token there wants it used: nobody has asked for that response type (RFC 9700 §2.1.2).
  if (params.has('access_token'))
    throw new OAuthCallbackError('the callback brings an access token', { provider: provider.id });
  const answered = oauth.validateAuthResponse(
    known,
    clientOf(provider, context.now),
    params,
    state ?? oauth.expectNoState,
  );
  if (!answered.get('code')) throw new OAuthCallbackError('the callback has no code', { provider: provider.id });
  return answered;
}

/** The provider's own word on the profile comes before everybody else's, and cannot be left out by another `profile`. */
function conformed(
  provider: OAuthProvider,
  profile: Profile,
  { params, tokens }: { params: URLSearchParams; tokens: Exchange['tokens'] },
): Awaitable<Profile> {
  if (!provider.conformProfile) return profile;
  const asked = {
    ...Object.fromEntries(provider.authorization.url?.searchParams ?? []),
    ...provider.authorization.params,
  };
  return provider.conformProfile(profile, { params: Object.fromEntries(params), asked, tokens, provider });
}

interface Exchanged {
  readonly context: Context;
  readonly provider: OAuthProvider;
  readonly taken: Taken;
  readonly exchanged: Exchange;
  readonly profile: Profile;
}

function proofOf(facts: Exchanged): Awaitable<Proof> {
  const { provider, profile, exchanged } = facts;
  return chain(describe(provider, profile, exchanged.tokens), (described) => {
    const proof = proofWithout(facts, described);
    // Last: what it changes in the tokens that it gets concerns nobody else.
    return chain(provider.account(exchanged.tokens), (stored) => ({ ...proof, stored: stored ?? {} }));
  });
}

/** All but what is stored of the account. */
function proofWithout(
  { context, provider, taken, exchanged: { tokens, idToken }, profile }: Exchanged,
  described: User,
): Omit<Proof, 'stored'> {
  const providerAccountId = idOf(provider, described, profile);
  const user = {
    ...described,
    id: crypto.randomUUID(),
    ...(described.email === undefined ? {} : { email: addressOf(described.email) }),
  };
  // Identity comes last: a token response that has a member of this name must not pose as somebody.
  const account: Account = { ...tokens, provider: provider.id, type: provider.type, providerAccountId };
  delete account.userId;
  return {
    account,
    user,
    profile,
    // Whoever tells no address has none that could be somebody else's.
    emailUnverified: Boolean(user.email) && (isUnverified(profile) || isAmbiguous(described.email)),
    mayLinkByEmail: provider.allowDangerousEmailAccountLinking,
    mayCreateUnverified: mayCreateUnverified(context, provider),
    mustBeVerified: provider.unverifiedEmail === 'refuse',
    authentication: authenticationOf(idToken),
    startedBy: taken.memo.by,
  };
}

/** Whoever has the address would join the user that somebody else has made under it. */
function mayCreateUnverified({ settings, origin, basePath }: Context, { unverifiedEmail }: OAuthProvider): boolean {
  if (unverifiedEmail !== 'unshared') return unverifiedEmail === 'allow';
  const opensByAddress = (one: NormalProvider): boolean =>
    one.type === 'email' || ('allowDangerousEmailAccountLinking' in one && one.allowDangerousEmailAccountLinking);
  return !providersOf(settings, origin + basePath).some(opensByAddress);
}

function describe(provider: OAuthProvider, profile: Profile, tokens: Exchange['tokens']): Awaitable<User> {
  return attempt<unknown, User>(
    () => provider.profile(profile, tokens),
    (user) => {
      if (typeof user === 'object' && user !== null) return user as User;
      throw new OAuthProfileParseError('`profile()` returned no user', { provider: provider.id });
    },
    (error) => {
      throw new OAuthProfileParseError('`profile()` threw', { err: errorOf(error), provider: provider.id });
    },
  );
}

/** What becomes of no id when `profile()` makes it a text: everybody would share it. */
const NOBODY: ReadonlySet<string> = new Set(['', 'undefined', 'null', 'NaN', '[object Object]']);

/** An id may come as a number, but not as one that was rounded when it was read; none at all is nobody. */
function idOf(provider: OAuthProvider, user: { id?: unknown }, profile: Profile): string {
  const { id } = user;
  if (
    (typeof id === 'string' && !NOBODY.has(id) && !isRounded(id, profile)) ||
    (typeof id === 'number' && Number.isSafeInteger(id)) ||
    typeof id === 'bigint'
  )
    return String(id);
  throw new OAuthProfileParseError("the profile has no id. Return the provider's stable user id from `profile()`", {
    provider: provider.id,
  });
}

/** Has `profile()` made the text of a number that JSON could not keep whole? Two users would have the same. */
function isRounded(id: string, told: unknown): boolean {
  if (typeof told === 'number') return !Number.isSafeInteger(told) && String(told) === id;
  return typeof told === 'object' && told !== null && Object.values(told).some((member) => isRounded(id, member));
}

/** The address in the form in which users are looked up. Whatever is no text, a query of the store's language say, is none. */
function addressOf(email: unknown): string | null {
  return typeof email === 'string' ? email.trim().toLowerCase() : null;
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * Compatibility characters: to fold them, as lower case does with some (a Kelvin sign is a `k`), makes another address of the
 * one that the provider has verified.
 */
function isAmbiguous(email: unknown): boolean {
  return typeof email === 'string' && !ASCII.test(email) && email.normalize('NFKC') !== email;
}

/** A claim that is missing says nothing; one that does not say yes says no. */
function isUnverified({ email_verified }: Profile): boolean {
  const claim: unknown = email_verified ?? undefined;
  return claim !== undefined && !/^(true|1)$/i.test(String(claim));
}

function authenticationOf(idToken: Exchange['idToken']): Authentication {
  if (!idToken) return {};
  const { amr, acr, auth_time } = idToken;
  return {
    amr: Array.isArray(amr) ? amr.filter((method): method is string => typeof method === 'string') : undefined,
    acr: typeof acr === 'string' ? acr : undefined,
    auth_time: typeof auth_time === 'number' ? auth_time : undefined,
  };
}
