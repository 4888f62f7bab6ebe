import type { Context } from '../context.ts';
import { errorOf, JWTSessionError, SessionRecordsError, SignOutError } from '../errors.ts';
import { lazily } from '../lazy.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { Cookie, JWTCallbackParams } from '../types/config.ts';
import type { JWT } from '../types/session.ts';
import type { SessionFacts, SessionRecord } from '../types/session-records.ts';
import { isMoving } from '../wire/cookie-names.ts';
import type { TokenFacts } from './facts.ts';
import {
  answerOf,
  type ChangedUser,
  type EndedSession,
  jwtCallbackParams,
  jwtSessionParams,
  noSession,
  type ReadStep,
  type SessionAnswer,
  type SessionHooks,
  type SessionOwner,
  type SessionStrategy,
  type SessionUpdate,
  type SignedIn,
  type StartedSession,
} from './strategy.ts';
import {
  clearProviderTokens,
  clearToken,
  decodeToken,
  issueToken,
  isUnreadable,
  tokenExpiry,
  tokenOf,
} from './token.ts';

/** Sessions in an encrypted cookie. Each read issues a new token, unless the host asks for fewer. */
export const jwtStrategy: SessionStrategy = {
  start,
  read,
  end,
  currentUser,
  currentRecord,
  currentFacts,
  currentOwner,
  changeUser,
  ownerOf,
};

/** Loaded if the configuration needs to know how a session began, or keeps records. */
const loadFacts = lazily(() => import('./facts.ts'));
const loadRecords = lazily(() => import('./jwt-records.ts'));

async function start(context: Context, signedIn: SignedIn): Promise<StartedSession> {
  const { settings, now } = context;
  const { user, account, profile, isNewUser } = signedIn;
  const sid = crypto.randomUUID();
  const token: JWT = { name: user.name, email: user.email, picture: user.image, sub: user.id?.toString() };
  const trigger = isNewUser ? 'signUp' : 'signIn';
  const params: JWTCallbackParams = { token, user, account, ...(profile && { profile }), isNewUser, trigger };
  const result = await settings.callbacks.jwt(params);
  if (result === null) {
    await endReplaced(context);
    return { cookies: clearToken(context), userId: undefined };
  }
  const facts = settings.hasFacts ? (await loadFacts()).startTokenFacts(settings, now, signedIn) : undefined;
  const cookies = await issueToken(context, withSid(marked(result, facts), sid), facts);
  if (facts && settings.records) {
    const { startTokenRecord } = await loadRecords();
    await startTokenRecord(context, facts, signedIn, (await openSession(context))?.facts);
  }
  return { cookies, userId: typeof result.sub === 'string' ? result.sub : undefined, sessionId: facts?.facts.id };
}

/** The application has refused a sign-in, which clears the cookie of the session that the browser had. */
async function endReplaced(context: Context): Promise<void> {
  const opened = context.settings.records && (await openSession(context));
  if (opened?.facts) await (await loadRecords()).endTokenRecord(context, opened.facts, 'replaced');
}

async function read(context: Context, update?: SessionUpdate): Promise<SessionAnswer> {
  const text = tokenOf(context);
  if (text === undefined) return noSession('cookie-missing', clearProviderTokens(context));
  const token = await decodeToken(context, text);
  if (token instanceof JWTSessionError) {
    context.settings.logger.error(token);
    return noSession('cookie-unreadable', isUnreadable(token) ? clearToken(context) : []);
  }
  const step: ReadStep = { failure: 'store-failed' };
  try {
    const facts = context.settings.hasFacts ? await factsOf(context, token, text) : undefined;
    if (facts && !(await isLive(context, { token, facts }))) {
      return noSession(isPast(context, facts) ? 'token-expired' : 'session-ended', clearToken(context));
    }
    return await renew(context, { token, facts }, update, step);
  } catch (error) {
    // The cookie is kept: it is valid, and the next request may succeed.
    const { logger } = context.settings;
    if (error instanceof SessionRecordsError) logger.error(error);
    else logger.error(new JWTSessionError('the session could not be re-issued', { err: errorOf(error) }));
    return noSession(step.failure);
  }
}

async function renew(
  context: Context,
  { token: before, facts }: OpenedSession,
  update: SessionUpdate | undefined,
  step: ReadStep,
): Promise<SessionAnswer> {
  const { callbacks, emit }: SessionHooks = context.settings;
  const { sid, iat } = before;
  // Written down now, because the callback may change the token in place.
  const textBefore = context.call.renew === 'when-due' ? JSON.stringify(before) : undefined;
  step.failure = 'jwt-callback-threw';
  const result = await callbacks.jwt(jwtCallbackParams(before, update));
  if (result === null) return endedByCallback(context, facts);
  const token = marked(result, facts);
  const isIssued = isDue(context, iat, token, textBefore);
  const expires = tokenExpiry(context, facts, isIssued ? undefined : iat);
  step.failure = 'session-callback-threw';
  const session = await callbacks.session(jwtSessionParams(token, expires, facts?.facts, update));
  // A token that cannot be issued is larger than cookies, because of `callbacks.jwt`.
  step.failure = 'jwt-callback-threw';
  const cookies = isIssued ? await issueToken(context, withSid(token, sid), facts) : [];
  await emit('session', { session, token });
  return answerOf(session, cookies);
}

async function endedByCallback(context: Context, facts: TokenFacts | undefined): Promise<SessionAnswer> {
  if (facts && context.settings.records) await (await loadRecords()).endTokenRecord(context, facts, 'callback');
  return noSession('jwt-callback-null', clearToken(context));
}

async function end(context: Context): Promise<EndedSession> {
  const cookies = clearToken(context);
  const text = tokenOf(context);
  if (text === undefined) return { cookies };
  const token = await decodeToken(context, text);
  if (token instanceof JWTSessionError) {
    context.settings.logger.error(new SignOutError('the session could not be read', token));
    return { cookies };
  }
  const facts = context.settings.records && (await factsOf(context, token, text));
  const isEnded = !facts || (await (await loadRecords()).endTokenRecord(context, facts, 'sign-out'));
  return isEnded ? { cookies, ended: { token } } : { cookies };
}

async function currentUser(context: Context, isConfirmed = false): Promise<AdapterUser | null> {
  const { settings } = context;
  const store = tokenOf(context) === undefined ? undefined : await settings.store();
  const opened = store && (await openSession(context));
  if (!store || !opened || !(await (isConfirmed ? isLiveNow : isLive)(context, opened))) return null;
  // The application may have ended the session since it was last read.
  const token = isConfirmed ? await confirmedToken(context, opened) : opened.token;
  if (typeof token?.sub !== 'string') return null;
  // Loaded already, with the store. Sessions without a store do not load it.
  const { requireMethod } = await import('../store/methods.ts');
  return requireMethod(store, 'getUser')(token.sub);
}

/**
 * Asks the application about a session, once per request. It may have changed the token, for example because it has
 * used a refresh token of a provider. Then the reply sets the new token: the old one is worthless.
 */
async function confirmedToken(context: Context, { token: before, facts }: OpenedSession): Promise<JWT | null> {
  const { renewal, settings, call } = context;
  const text = tokenOf(context);
  if (renewal.asked === text) return renewal.token ?? null;
  const { callbacks }: SessionHooks = settings;
  const { sid } = before;
  const textBefore = JSON.stringify(before);
  const token = await callbacks.jwt({ token: before });
  renewal.asked = text;
  renewal.token = token;
  if (token && call.renew !== 'never' && JSON.stringify(token) !== textBefore)
    renewal.cookies = await issueToken(context, withSid(marked(token, facts), sid), facts);
  return token;
}

async function currentRecord(context: Context): Promise<SessionRecord | null> {
  const opened = context.settings.records && (await openSession(context));
  return opened ? recordOf(context, opened) : null;
}

async function currentFacts(context: Context): Promise<SessionFacts | null> {
  const opened = context.settings.hasFacts ? await openSession(context) : undefined;
  return opened && (await isLive(context, opened)) ? (opened.facts?.facts ?? null) : null;
}

async function currentOwner(context: Context): Promise<SessionOwner | null> {
  const opened = await openSession(context);
  if (!opened || !(await isLive(context, opened))) return null;
  const token = await confirmedToken(context, opened);
  if (!token) return null;
  const { account: providerAccountId, facts } = opened.facts ?? {};
  const provider = facts?.provider;
  const account =
    provider !== undefined && providerAccountId !== undefined ? { provider, providerAccountId } : undefined;
  return { userId: typeof token.sub === 'string' ? token.sub : '', sessionId: facts?.id, account };
}

async function changeUser(context: Context, changed: ChangedUser): Promise<readonly Cookie[]> {
  const opened = await openSession(context);
  if (!opened) return [];
  const call = { ...context.call, renew: 'always' } as const;
  const { token, facts } = opened;
  const step: ReadStep = { failure: 'store-failed' };
  return (await renew({ ...context, call }, { token: { ...token, ...changed }, facts }, undefined, step)).cookies;
}

async function ownerOf(context: Context): Promise<string | undefined> {
  try {
    const opened = await openSession(context, 'quietly');
    if (!opened || !(await isLive(context, opened))) return undefined;
    return typeof opened.token.sub === 'string' ? opened.token.sub : '';
  } catch {
    return undefined; // The read that follows reports that the record store is unavailable.
  }
}

/** A session whose token opens. It may have ended. */
interface OpenedSession {
  readonly token: JWT;
  /** `undefined` if no option needs them. */
  readonly facts: TokenFacts | undefined;
}

/**
 * Returns the session of the request's cookie; `undefined` if the cookie is absent or does not open. `GET session` logs
 * an unreadable cookie. A failure of `jwt.decode` would otherwise not be logged at all.
 */
async function openSession(context: Context, how?: 'quietly'): Promise<OpenedSession | undefined> {
  const text = tokenOf(context);
  if (text === undefined) return undefined;
  const token = await decodeToken(context, text);
  if (!(token instanceof JWTSessionError)) return { token, facts: await factsOf(context, token, text) };
  if (how !== 'quietly' && !isUnreadable(token)) context.settings.logger.error(token);
  return undefined;
}

async function factsOf({ settings }: Context, token: JWT, text: string): Promise<TokenFacts | undefined> {
  if (!settings.hasFacts) return undefined;
  const { claimedFacts, derivedFacts } = await loadFacts();
  return claimedFacts(settings, token) ?? derivedFacts(settings, token, text);
}

/** Writes how the session began into a token. The value that the application may have set is replaced. */
function marked(token: JWT, facts: TokenFacts | undefined): JWT {
  return facts ? facts.mark(token) : token;
}

/**
 * Tests whether a session is not over. With records, an answer of this process counts for `revocationLag`.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
async function isLive(context: Context, { token, facts }: OpenedSession): Promise<boolean> {
  if (!facts) return true;
  if (isPast(context, facts)) return false;
  return !context.settings.records || (await loadRecords()).isTokenLive(context, token, facts);
}

/** The same, by a call of its own to the record store. */
async function isLiveNow(context: Context, session: OpenedSession): Promise<boolean> {
  return context.settings.records ? (await recordOf(context, session)) !== null : isLive(context, session);
}

async function recordOf(context: Context, { token, facts }: OpenedSession): Promise<SessionRecord | null> {
  if (!facts || isPast(context, facts)) return null;
  return (await loadRecords()).tokenRecord(context, token, facts);
}

function isPast({ now }: Context, { until }: TokenFacts): boolean {
  return now.getTime() >= until;
}

/**
 * Tests whether a new token has to be issued. By default each read issues one. A host can ask for one only if due,
 * because a late response could restore a session that has ended meanwhile.
 *
 * @param before The token before the callback, as JSON.
 */
function isDue(context: Context, iat: unknown, token: JWT, before: string | undefined): boolean {
  const { call, settings, now, cookies, cookieTable } = context;
  if (call.renew === 'never') return false;
  if (isMoving(cookies, cookieTable.sessionToken)) return true;
  if (call.renew !== 'when-due' || typeof iat !== 'number' || JSON.stringify(token) !== before) return true;
  const { maxAge, updateAge } = settings.session;
  // Sessions shorter than twice `updateAge` are extended after half of their time.
  return now.getTime() / 1000 - iat >= Math.min(updateAge, maxAge / 2, settings.tokenMaxAge / 2);
}

/** Adds the session's id, unless the application's own token has a claim of that name. */
function withSid(token: JWT, sid: unknown): JWT {
  return sid === undefined || token['sid'] !== undefined ? token : { ...token, sid };
}
