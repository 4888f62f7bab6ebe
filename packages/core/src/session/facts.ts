import { limits } from '../config/defaults.ts';
import type { Settings } from '../config/settings.ts';
import { randomBase64Url } from '../crypto/bytes.ts';
import { sha256Base64Url } from '../crypto/hash.ts';
import { isRecord } from '../plain-object.ts';
import type { JWT } from '../types/session.ts';
import type { SessionFacts } from '../types/session-records.ts';
import type { SignedIn } from './strategy.ts';

/** Name of the claim that says how a session in a cookie began. */
const CLAIM = 'latchkey';

/** Bytes of a session id: 128 bits. */
const ID_BYTES = 16;

/** Characters of a session id in base64url. */
const ID_LENGTH = 22;

/** How a session in a cookie began. */
export interface TokenFacts {
  readonly facts: SessionFacts;
  /** The token has no claim: it is of Auth.js, of an older release, or from before the option that needs the claim. */
  readonly isDerived: boolean;
  /** Id of the account at the provider, with which the session began. Only if provider tokens need it. */
  readonly account: string | undefined;
  /** The instant at which the session is over at the latest, in milliseconds; `Infinity` without a limit. */
  readonly until: number;
  /** Returns a token with the claim. It replaces the value that the application may have set. */
  mark(token: JWT): JWT;
}

/** Returns the facts of a finished sign-in. */
export function newFacts(id: string, startedAt: Date, { account, authentication }: SignedIn): SessionFacts {
  const { amr = [], authTime } = authentication ?? {};
  return { id, startedAt, authTime: readAuthTime(authTime, startedAt), amr: [...amr], provider: account.provider };
}

/** Returns the facts of a session whose sign-in is not known. */
export function factsWithoutSignIn(id: string, startedAt: Date): SessionFacts {
  return { id, startedAt, authTime: startedAt, amr: [], provider: undefined };
}

/** A provider may report any number. An instant after the sign-in is that of a clock that is ahead. */
function readAuthTime(seconds: number | undefined, startedAt: Date): Date {
  if (seconds === undefined || !(seconds >= 0 && seconds * 1000 < startedAt.getTime())) return startedAt;
  return new Date(Math.floor(seconds) * 1000);
}

/** Returns the facts in a record, for the application. */
export function pickFacts({ id, startedAt, authTime, amr, provider }: SessionFacts): SessionFacts {
  return { id, startedAt, authTime, amr, provider };
}

/** Returns the session id that belongs to a text: a session token, or a cookie without the claim. */
export async function derivedId(text: string): Promise<string> {
  return (await sha256Base64Url(text)).slice(0, ID_LENGTH);
}

/** Returns what a new token says about a finished sign-in. */
export function startTokenFacts(settings: Settings, now: Date, signedIn: SignedIn): TokenFacts {
  const { type, providerAccountId } = signedIn.account;
  const isOAuth = type === 'oauth' || type === 'oidc';
  const account = settings.tokens && isOAuth ? providerAccountId : undefined;
  const facts = withFittingMethods(newFacts(randomBase64Url(ID_BYTES), now, signedIn));
  return tokenFacts(settings, facts, { isDerived: false, account });
}

/** Returns what a new token says about a session that another library has started. */
export function movedTokenFacts(settings: Settings, id: string, startedAt: Date): TokenFacts {
  return tokenFacts(settings, factsWithoutSignIn(id, startedAt), { isDerived: false, account: undefined });
}

/** Returns what the claim of a token says about the start of its session; `undefined` without the claim. */
export function claimedFacts(settings: Settings, token: JWT): TokenFacts | undefined {
  const claim = token[CLAIM];
  const facts = readClaim(claim);
  const account = isRecord(claim) && typeof claim['account'] === 'string' ? claim['account'] : undefined;
  return facts && tokenFacts(settings, facts, { isDerived: false, account });
}

/**
 * Returns the start of a session whose token has no claim. It gets an id that derives from the cookie, so that parallel
 * requests agree. Its start is `iat`.
 *
 * @param text The value of the cookie.
 */
export async function derivedFacts(settings: Settings, token: JWT, text: string): Promise<TokenFacts> {
  return tokenFacts(settings, await deriveFacts(token, text), { isDerived: true, account: undefined });
}

function tokenFacts(
  { maxLifetime }: Settings,
  facts: SessionFacts,
  { isDerived, account }: Pick<TokenFacts, 'isDerived' | 'account'>,
): TokenFacts {
  const claim = writeClaim(facts, account);
  const until = maxLifetime === undefined ? Number.POSITIVE_INFINITY : facts.startedAt.getTime() + maxLifetime * 1000;
  return { facts, isDerived, account, until, mark: (token) => ({ ...token, [CLAIM]: claim }) };
}

/** A token without `iat` counts as the oldest one, so that the end of all sessions includes it. */
async function deriveFacts({ iat }: JWT, text: string): Promise<SessionFacts> {
  const startedAt = new Date(typeof iat === 'number' ? iat * 1000 : 0);
  return factsWithoutSignIn(await derivedId(text), startedAt);
}

/**
 * The claim. Other software can read it. Each request sends it, so members with their default are `undefined`, which
 * JSON leaves out.
 */
interface Claim {
  readonly sid: string;
  /** Milliseconds. */
  readonly start: number;
  /** Seconds (OpenID Connect Core §2). Default: the start. */
  readonly auth_time?: number | undefined;
  /** Default: none. */
  readonly amr?: readonly string[] | undefined;
  readonly provider?: string | undefined;
  /** Id of the account at the provider; see {@link TokenFacts}. */
  readonly account?: string | undefined;
}

function writeClaim({ id, startedAt, authTime, amr, provider }: SessionFacts, account?: string): Claim {
  const isDefault = inSeconds(authTime) === inSeconds(startedAt);
  // One literal without spreads: a session read with records takes 1.5 % less time.
  return {
    sid: id,
    start: startedAt.getTime(),
    auth_time: isDefault ? undefined : inSeconds(authTime),
    provider,
    amr: amr.length > 0 ? amr : undefined,
    account,
  };
}

/** A provider can name any number of methods. Those that do not fit into the claim are left out. */
function withFittingMethods(facts: SessionFacts): SessionFacts {
  const amr = [...facts.amr];
  while (amr.length > 0 && JSON.stringify(writeClaim({ ...facts, amr })).length > limits.sessionClaim) amr.pop();
  return { ...facts, amr };
}

function inSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

/** Copies the values: `callbacks.jwt` may change the claim in place. */
function readClaim(claim: unknown): SessionFacts | undefined {
  if (!isRecord(claim)) return undefined;
  const { sid, start, auth_time, amr, provider } = claim;
  if (typeof sid !== 'string' || typeof start !== 'number') return undefined;
  const startedAt = new Date(start);
  return {
    id: sid,
    startedAt,
    authTime:
      typeof auth_time !== 'number' || auth_time === inSeconds(startedAt) ? startedAt : new Date(auth_time * 1000),
    amr: Array.isArray(amr) ? amr.filter((method) => typeof method === 'string') : [],
    provider: typeof provider === 'string' ? provider : undefined,
  };
}
