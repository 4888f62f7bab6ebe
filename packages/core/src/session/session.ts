import type { Settings } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { lazily } from '../lazy.ts';
import type { Warning } from '../log/logger.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { Cookie } from '../types/config.ts';
import type { SessionFacts, SessionRecord } from '../types/session-records.ts';
import type { Awaitable } from '../types/user.ts';
import { mayBeRepeated, readAllChunked, readChunked } from '../wire/cookie-chunks.ts';
import { sentName } from '../wire/cookie-names.ts';
import { browserCookies, browserUserId, clearBrowserCookie, isUserOfBrowser } from './browser.ts';
import { jwtStrategy } from './jwt.ts';
import { revisionCookies } from './revision.ts';
import type {
  ChangedUser,
  CurrentSession,
  EndedSession,
  SessionAnswer,
  SessionOwner,
  SessionStrategy,
  SessionUpdate,
  SignedIn,
  StartedSession,
} from './strategy.ts';

const loadDatabaseStrategy = lazily(async () => (await import('./database.ts')).databaseStrategy);

/** Loaded if some changes need a recent sign-in. */
const loadRecent = lazily(() => import('./recent.ts'));

/** Loaded if sessions of other libraries are moved. */
const loadLegacy = lazily(() => import('./legacy.ts'));

/** Returns the strategy of a configuration. */
function strategyOf(settings: Settings): Awaitable<SessionStrategy> {
  return settings.strategy === 'jwt' ? jwtStrategy : loadDatabaseStrategy();
}

/** Every function below begins here. A session of another library becomes one of this library first. */
async function currentSession(context: Context): Promise<CurrentSession> {
  const strategy = await strategyOf(context.settings);
  const moved = context.settings.legacy && (await (await loadLegacy()).moveSession(context, strategy));
  return moved ?? { strategy, context: await withOneSession(context, strategy) };
}

/** Returns the cookies that remove those of sessions of other libraries, which end. */
async function endLegacy(context: Context): Promise<readonly Cookie[]> {
  return context.settings.legacy ? (await loadLegacy()).endOldSessions(context) : [];
}

/** Starts a session for a finished sign-in, and ends the one that the browser had. */
export async function start(
  context: Context,
  signedIn: SignedIn,
): Promise<Pick<StartedSession, 'cookies' | 'sessionId'>> {
  const { strategy, context: current } = await currentSession(context);
  const started = await strategy.start(current, signedIn);
  const { userId, sessionToken, sessionId } = started;
  const cookies = [...started.cookies, ...(await endLegacy(context))];
  context.renewal.cookies = [];
  context.renewal.tokens = undefined;
  // Without a store there are no accounts to link.
  if (userId === undefined || !context.settings.hasAdapter) return { cookies, sessionId };
  const recent = context.settings.needsSignInTime
    ? await (await loadRecent()).startedCookies(context, signedIn, sessionToken)
    : [];
  const known = signedIn.isOfOtherBrowser ? [] : await browserCookies(context, String(userId));
  return { cookies: [...cookies, ...recent, ...known], sessionId };
}

/**
 * Reads the request's session, and renews it if due.
 *
 * @param update Data that the client sent; the application's callbacks decide what it changes.
 */
export async function read(context: Context, update?: SessionUpdate): Promise<SessionAnswer> {
  if (context.settings.legacy) return readWithLegacy(context, update);
  const strategy = await strategyOf(context.settings);
  // Without an adapter no cookie tells whose browser it is. Other session cookies then matter only if the first fails.
  if (context.settings.hasAdapter) return strategy.read(await withOneSession(context, strategy), update);
  const answer = await strategy.read(context, update);
  const other = answer.session === null ? await withOneSession(context, strategy) : context;
  return other === context ? answer : strategy.read(other, update);
}

async function readWithLegacy(context: Context, update?: SessionUpdate): Promise<SessionAnswer> {
  const { strategy, context: current } = await currentSession(context);
  return (await loadLegacy()).endConfirmed(context, await strategy.read(current, update));
}

/** Ends the request's session. Never throws. The caller emits the `signOut` event. */
export async function end(context: Context): Promise<EndedSession> {
  const { strategy, context: current } = await currentSession(context);
  const { cookies, ended } = await strategy.end(current);
  const old = await endLegacy(context);
  context.renewal.cookies = [];
  context.renewal.tokens = undefined;
  const recent = context.settings.needsSignInTime ? (await loadRecent()).clearRecentCookie(context) : [];
  return { cookies: [...cookies, ...old, ...recent, ...clearBrowserCookie(context)], ended };
}

/**
 * Returns the user of the request's session from the store; `null` without a valid session.
 *
 * @param isConfirmed Also asks the application's callback whether the session is still valid. Required before an
 * account or a passkey is added to the user. The reply sets the token again if the callback has changed it. Default:
 * `false`.
 */
export async function currentUser(context: Context, isConfirmed?: boolean): Promise<AdapterUser | null> {
  const { strategy, context: current } = await currentSession(context);
  return strategy.currentUser(current, isConfirmed);
}

/**
 * Returns the record of the request's session; `null` without a live session, or without `session.records`. The record
 * store is asked, also within `revocationLag`.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function currentRecord(context: Context): Promise<SessionRecord | null> {
  const { strategy, context: current } = await currentSession(context);
  return strategy.currentRecord(current);
}

/**
 * Returns how the request's session began; `null` without a live session, or if no option needs it.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function currentFacts(context: Context): Promise<SessionFacts | null> {
  const { strategy, context: current } = await currentSession(context);
  return strategy.currentFacts(current);
}

/**
 * Returns to whom the request's session belongs; `null` without a live session. Asks the application whether the
 * session is still valid.
 *
 * @throws {AuthError} if the store, or the record store, fails.
 */
export async function currentOwner(context: Context): Promise<SessionOwner | null> {
  const { strategy, context: current } = await currentSession(context);
  return strategy.currentOwner(current);
}

/** Issues the request's session again after its user has changed. Returns the cookies to set. */
export async function changeUser(context: Context, changed: ChangedUser): Promise<readonly Cookie[]> {
  const { strategy, context: current } = await currentSession(context);
  const cookies = await strategy.changeUser(current, changed);
  return [...cookies, ...revisionCookies(context)];
}

/** Returns the token of the request's session if the store keeps it; `undefined` for a session in a cookie. */
export async function storedToken(context: Context): Promise<string | undefined> {
  if (context.settings.strategy === 'jwt') return undefined;
  const { cookies, cookieTable } = (await currentSession(context)).context;
  return cookies[sentName(cookies, cookieTable.sessionToken)];
}

const DUPLICATE: Warning = {
  code: 'duplicate-cookie',
  words:
    'a request had the sessions of two users, so no account was added. Another site of the domain may set cookies.',
};

/**
 * Tests whether an account or a passkey may be added to the user of the request's session. The session must belong to
 * this browser, and the request must not have the session of another user beside it.
 */
export async function mayAddTo(context: Context, userId: string): Promise<boolean> {
  if (!(await isUserOfBrowser(context, userId))) return false;
  if (!isSessionRepeated(context)) return true;
  const strategy = await strategyOf(context.settings);
  for (const value of sessionValues(context)) {
    const owner = await strategy.ownerOf(withSession(context, value));
    if (owner === undefined || owner === String(userId)) continue;
    context.settings.logger.warn(DUPLICATE);
    return false;
  }
  return true;
}

function isSessionRepeated({ cookieHeader, cookies, cookieTable }: Context): boolean {
  const { names = [] } = cookieTable.sessionToken;
  const isSentTwice = names.filter((name) => readChunked(cookies, name) !== undefined).length > 1;
  return isSentTwice || mayBeRepeated(cookieHeader, cookies, sentName(cookies, cookieTable.sessionToken));
}

/**
 * Returns the context with one session cookie if the request has several. The first counts that opens and belongs to
 * the user of this browser, else the first that opens. So a cookie that a subdomain has set does not replace the
 * session. It is cleared only if no value opens.
 */
async function withOneSession(context: Context, strategy: SessionStrategy): Promise<Context> {
  if (!isSessionRepeated(context)) return context;
  const sent = sessionValues(context);
  const [only] = sent;
  if (sent.length < 2) return only ? withSession(context, only) : context;
  const known = await browserUserId(context);
  let first: Context | undefined;
  for (const value of sent) {
    const one = withSession(context, value);
    const owner = await strategy.ownerOf(one);
    if (owner === undefined) continue;
    if (known === undefined || owner === known) return one;
    first ??= one;
  }
  return first ?? context;
}

/** A session cookie of the request. While cookies change their names, it can have either name. */
type SentCookie = Pick<Cookie, 'name' | 'value'>;

/** Returns the session cookies that the cookies of the request can stand for. */
function sessionValues({ cookieHeader, cookieTable }: Context): readonly SentCookie[] {
  const { name: written, names = [written] } = cookieTable.sessionToken;
  return names.flatMap((name) => readAllChunked(cookieHeader, name).map((value) => ({ name, value })));
}

/** Returns the context in which this session cookie takes precedence. */
function withSession(context: Context, { name, value }: SentCookie): Context {
  const { sessionToken } = context.cookieTable;
  const isFirst = name === sentName(context.cookies, sessionToken);
  if (isFirst && value === readChunked(context.cookies, name)) return context;
  const cookies = Object.assign(Object.create(null), context.cookies, { [name]: value });
  if (isFirst) return { ...context, cookies };
  const names = [name, ...(sessionToken.names ?? []).filter((one) => one !== name)];
  return { ...context, cookies, cookieTable: { ...context.cookieTable, sessionToken: { ...sessionToken, names } } };
}
