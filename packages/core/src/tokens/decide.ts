import type { TokensCode } from '../errors.ts';

// Pure: facts in, decision out. `packages/core/test/tokens/decide.test.ts` has a test for each row of the tables.

/** The facts about a stored token from which {@link decideRefresh} decides. */
export interface StoredFacts {
  /** Milliseconds since 1970. `undefined`: the provider has not said when the token expires. */
  readonly expiresAt: number | undefined;
  /** Milliseconds since 1970 at which the token arrived. */
  readonly issuedAt: number;
  readonly accessToken: string;
  readonly scopes: readonly string[];
  readonly hasRefreshToken: boolean;
  /** The provider has refused the refresh token. */
  readonly isRefused: boolean;
}

/** The facts about a call. */
export interface RefreshFacts {
  /** The stored token, of the right account and client id. */
  readonly entry: StoredFacts;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Seconds that the token must still be valid. */
  readonly minTtl: number;
  readonly requiredScopes: readonly string[];
  /** An access token that an API has refused. */
  readonly rejected: string | undefined;
  /** Why no refresh is possible now: the last failure of this process, or a place where cookies cannot be set. */
  readonly waiting: TokensCode | undefined;
}

/** The step of a call. */
export type RefreshDecision = { readonly do: 'use' | 'refresh' } | { readonly do: 'fail'; readonly code: TokensCode };

/** Milliseconds for which a token that just arrived is not refreshed again, although an API refuses it. */
const REJECTED_AGE = 30_000;

/** Decides what a call does with the stored token. The first row that applies counts. */
export function decideRefresh({ entry, waiting, ...call }: RefreshFacts): RefreshDecision {
  if (call.requiredScopes.some((scope) => !entry.scopes.includes(scope))) return { do: 'fail', code: 'missing-scopes' };
  const isRejected = call.rejected === entry.accessToken && call.now - entry.issuedAt >= REJECTED_AGE;
  if (!isRejected && isFresh(entry, call)) return { do: 'use' };
  const useOr = (code: TokensCode): RefreshDecision =>
    !isRejected && isValid(entry, call.now) ? { do: 'use' } : { do: 'fail', code };
  if (entry.isRefused) return useOr('revoked');
  if (!entry.hasRefreshToken) return useOr('no-refresh-token');
  return waiting ? useOr(waiting) : { do: 'refresh' };
}

/** The margin is at most half of the lifetime: otherwise a short token would be refreshed by each call. */
function isFresh({ expiresAt, issuedAt }: StoredFacts, { now, minTtl }: { now: number; minTtl: number }): boolean {
  if (expiresAt === undefined) return true;
  return expiresAt - now > Math.min(minTtl * 1000, (expiresAt - issuedAt) / 2);
}

function isValid({ expiresAt }: StoredFacts, now: number): boolean {
  return expiresAt === undefined || expiresAt > now;
}

/**
 * The provider's answer to a refresh request, if the next step depends on the entry. `refused`: the refresh token is
 * not valid any more.
 */
export type RefreshAnswer = 'tokens' | 'refused';

/**
 * The entry after the request. `same`: it has not changed. `newer`: it has newer tokens. `newer-refused`: another
 * process has marked it as refused. `removed`: it was deleted.
 */
export type EntryNow = 'same' | 'newer' | 'newer-refused' | 'removed';

/** The step after the answer. */
export type RefreshOutcome = 'write' | 'decide-again' | 'revoke-new' | 'mark-refused';

/** Decides what happens with the provider's answer. After other answers, `refresh.ts` starts a back-off. */
export function decideOutcome(answer: RefreshAnswer, entry: EntryNow): RefreshOutcome {
  if (answer === 'refused') return entry === 'same' ? 'mark-refused' : 'decide-again';
  if (entry === 'removed') return 'revoke-new';
  return entry === 'newer' ? 'decide-again' : 'write';
}

/** The facts about an entry, or about the tokens of a sign-in, from which {@link decideSignIn} decides. */
export interface SignInFacts {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly hasRefreshToken: boolean;
}

/** The entry before a sign-in. */
export interface StoredSignInFacts extends SignInFacts {
  /** A call of `get` succeeds, or would by a refresh. */
  readonly isActive: boolean;
}

/** The tokens of a sign-in. */
export interface IncomingFacts extends SignInFacts {
  /** The sign-in had the option `scopes`. */
  readonly asksForScopes: boolean;
}

/** `keep`: the entry stays. `replace-keeping-refresh-token`: the new entry gets the refresh token of the old one. */
export type SignInDecision = 'keep' | 'replace' | 'replace-keeping-refresh-token';

/**
 * Decides what a sign-in does with the entry of its account. A visitor may have removed scopes from the sign-in
 * request, and jobs must keep their access.
 */
export function decideSignIn(stored: StoredSignInFacts, incoming: IncomingFacts): SignInDecision {
  const isUsable = stored.isActive && stored.userId === incoming.userId && stored.clientId === incoming.clientId;
  if (!isUsable) return 'replace';
  const lacksScopes = stored.scopes.some((scope) => !incoming.scopes.includes(scope));
  if (lacksScopes && !incoming.asksForScopes) return 'keep';
  return stored.hasRefreshToken && !incoming.hasRefreshToken ? 'replace-keeping-refresh-token' : 'replace';
}
