import { limits } from '../../config/defaults.ts';
import type { OAuthProvider } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { equal, randomBytes, toBase64Url } from '../../crypto/bytes.ts';
import { sha256Base64Url } from '../../crypto/hash.ts';
import { because, InvalidCheck } from '../../errors.ts';
import type { OAuthFlow } from '../../pending/kinds.ts';
import { begin, type PendingFlow, take, withOtherHost } from '../../pending/pending.ts';
import type { Cookie } from '../../types/config.ts';
import { sentName } from '../../wire/cookie-names.ts';
import { configuredParams } from './authorization-params.ts';
import { proxyState } from './proxy.ts';

/** The protections of an authorization request. */
export interface Checks {
  /** `false` only if the owner configured a `state` of their own. */
  readonly state: boolean;
  readonly pkce: boolean;
  readonly nonce: boolean;
}

/** The parameters that protect an authorization request, and the cookies that remember it. */
export interface Authorization {
  /** `state`, `code_challenge` with its method, and `nonce`, as far as they were issued. */
  readonly params: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
}

const RANDOM_BYTES = 32;

/**
 * Returns whether the authorization request has a state of this library. A `state` that the owner configured is kept,
 * unless it is to be checked: then it must be unguessable.
 */
export function sendsState(provider: OAuthProvider): boolean {
  return provider.checks.includes('state') || !configuredParams(provider).has('state');
}

/** Draws state, code verifier (RFC 7636 §4.1), and nonce, and adds the request to those pending in this browser. */
export async function issueChecks(
  context: Context,
  provider: OAuthProvider,
  checks: Checks,
  facts: Pick<OAuthFlow, 'startedBy' | 'adds' | 'checksPkce' | 'proven' | 'requested' | 'scope'>,
): Promise<Authorization> {
  // Drawn at once, because each call of the generator takes 2 to 5 µs, for any number of bytes.
  const bytes = randomBytes(3 * RANDOM_BYTES);
  const secret = (index: number): string =>
    toBase64Url(bytes.subarray(index * RANDOM_BYTES, (index + 1) * RANDOM_BYTES));
  const secrets = {
    state: checks.state ? await stateOf(context, provider, secret(0)) : undefined,
    pkceCodeVerifier: checks.pkce ? secret(1) : undefined,
    nonce: checks.nonce ? secret(2) : undefined,
  };
  const returnTo = fitsBeside(context.callbackUrl, facts.scope) ? context.callbackUrl : undefined;
  const cookies = await begin(context, 'oauth', { provider: provider.id, value: { secrets, returnTo, ...facts } });
  return { params: await paramsOf(secrets), cookies };
}

/** Scopes and address are in one cookie, and browsers drop a cookie of more than 4,096 characters. */
function fitsBeside(callbackUrl: string, scope = ''): boolean {
  return callbackUrl.length <= limits.returnTo && callbackUrl.length + scope.length <= limits.flowCookie;
}

async function stateOf(context: Context, provider: OAuthProvider, random: string): Promise<string> {
  return provider.proxy === 'via' ? proxyState(context, provider, random) : random;
}

async function paramsOf({ state, pkceCodeVerifier, nonce }: OAuthFlow['secrets']): Promise<Record<string, string>> {
  return {
    ...(state !== undefined && { state }),
    ...(pkceCodeVerifier !== undefined && {
      code_challenge: await sha256Base64Url(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }),
    ...(nonce !== undefined && { nonce }),
  };
}

/**
 * Takes the authorization request that a callback answers out of the browser. Nothing is checked yet.
 *
 * @param state The callback's `state` parameter.
 */
export async function takeFlow(
  context: Context,
  provider: OAuthProvider,
  state: string | undefined,
): Promise<PendingFlow<OAuthFlow>> {
  const isStateDemanded = demandsState(provider);
  // With the check `none`, only the state tells which request an answer belongs to.
  const needsId = isStateDemanded || provider.checks.includes('none');
  const mayBeEmpty = !isStateDemanded && !hasOtherCheck(provider);
  return take(context, 'oauth', { provider: provider.id, id: state, needsId, mayBeEmpty });
}

/** The state is demanded where it is a check, and where no other check ties the answer to this browser. */
function demandsState(provider: OAuthProvider): boolean {
  return provider.checks.includes('state') || (sendsState(provider) && !hasOtherCheck(provider));
}

function hasOtherCheck({ checks }: OAuthProvider): boolean {
  return checks.includes('pkce') || checks.includes('nonce');
}

/**
 * Checks that the browser brought the secrets which the provider's `checks` demand, and that the callback has the state
 * which was issued. Without a check, the state itself is demanded, unless the owner configured another one.
 *
 * @throws {InvalidCheck} if one of them is missing, or the state differs.
 */
export function verifyChecks(
  context: Context,
  provider: OAuthProvider,
  flow: OAuthFlow,
  state: string | undefined,
): void {
  const { id, checks } = provider;
  const { secrets } = flow;
  const refuse = (words: string, check: string): never => {
    const isSent = context.cookies[sentName(context.cookies, context.cookieTable.state)] !== undefined;
    // A cookie that is there and has no such sign-in is one that has expired, or of another sign-in.
    const cause = isSent && secrets.state === undefined ? 'flow-expired' : 'flow-missing';
    throw because(cause, new InvalidCheck(withOtherHost(context, words), { provider: id, check }));
  };
  if (checks.includes('pkce') && secrets.pkceCodeVerifier === undefined)
    refuse("the code verifier's cookie is missing, too old, or belongs to another sign-in", 'pkce');
  if (checks.includes('nonce') && secrets.nonce === undefined)
    refuse("the nonce's cookie is missing, too old, or belongs to another sign-in", 'nonce');
  const isDemanded = demandsState(provider);
  if ((isDemanded || secrets.state !== undefined) && !isStateValid(flow, state, isDemanded))
    refuse('the state is not the one that was issued to this browser', 'state');
}

/**
 * RFC 6749 §4.1.2 demands that the provider returns the state. If it does not, another check must tie its answer to
 * this request (RFC 9700 §4.7.1). This is the nonce, or PKCE if the provider says that it supports PKCE.
 */
function isStateValid({ secrets, checksPkce }: OAuthFlow, state: string | undefined, isRequired: boolean): boolean {
  if (state === undefined) return !isRequired && (secrets.nonce !== undefined || checksPkce === true);
  return secrets.state !== undefined && equal(secrets.state, state);
}
