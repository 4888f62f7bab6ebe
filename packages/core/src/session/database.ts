import type { Context } from '../context.ts';
import { errorOf, MissingAdapter, SessionTokenError, SignOutError, UnsupportedStrategy } from '../errors.ts';
import { lazily } from '../lazy.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import type { AdapterSession, AdapterUser } from '../types/adapter.ts';
import type { Cookie } from '../types/config.ts';
import type { SessionFacts, SessionRecord } from '../types/session-records.ts';
import { clearChunked } from '../wire/cookie-chunks.ts';
import { isMoving, sentName } from '../wire/cookie-names.ts';
import { expiry, extend, findSession, isCurrent, rowCookie, type StoredSession } from './rows.ts';
import {
  answerOf,
  databaseSessionParams,
  type EndedSession,
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

/** Sessions in the store. The cookie holds a random token. */
export const databaseStrategy: SessionStrategy = {
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

/** Loaded if the configuration keeps records of sessions. */
const loadRecords = lazily(() => import('./database-records.ts'));
/** Loaded if the configuration keeps none, but needs to know when a session began. */
const loadRecent = lazily(() => import('./recent.ts'));

async function start(context: Context, signedIn: SignedIn): Promise<StartedSession> {
  const store = await storeOf(context);
  const userId = await storedUserId(store, signedIn);
  const session: AdapterSession = {
    sessionToken: await context.settings.session.generateSessionToken(),
    userId,
    expires: expiry(context),
  };
  const created = context.settings.records
    ? await (await loadRecords()).startRow(context, store, session, signedIn, tokenOf(context))
    : await replace(context, store, session);
  // A browser may still have the chunks of a JWT session.
  const chunks = clear(context).filter((cookie) => cookie.name !== option(context).name);
  return { cookies: [...chunks, rowCookie(context, created)], userId, sessionToken: created.sessionToken };
}

/**
 * Returns the id of the user, who has to be in the store. `authorize()` can return other users.
 *
 * @throws {UnsupportedStrategy} if the store does not have the user.
 */
async function storedUserId(store: Store, { user: { id }, account }: SignedIn): Promise<string> {
  const isStored = account.type !== 'credentials' || (id !== undefined && (await requireMethod(store, 'getUser')(id)));
  if (id !== undefined && isStored) return id;
  throw new UnsupportedStrategy(
    'with database sessions `authorize()` must return a user of the store. Return the row with its `id`, or use `session.strategy: "jwt"`',
  );
}

/** Creates a session and deletes the one that the browser had, so that a fixed session id does not become signed in. */
async function replace(context: Context, store: Store, session: AdapterSession): Promise<AdapterSession> {
  const old = tokenOf(context);
  if (store.replaceSession) return store.replaceSession(old, session);
  const created = await requireMethod(store, 'createSession')(session);
  if (old === undefined) return created;
  try {
    await requireMethod(store, 'deleteSession')(old);
  } catch (error) {
    const { logger } = context.settings;
    logger.error(new SessionTokenError('the replaced session could not be deleted', { err: errorOf(error) }));
  }
  return created;
}

async function read(context: Context, update?: SessionUpdate): Promise<SessionAnswer> {
  const token = tokenOf(context);
  if (token === undefined) return noSession('cookie-missing');
  const step: ReadStep = { failure: 'store-failed' };
  try {
    return await readStored(context, token, update, step);
  } catch (error) {
    return readFailed(context, error, step);
  }
}

/** If the store is unavailable, the cookie is kept, so that users are not signed out. */
function readFailed({ settings: { logger } }: Context, error: unknown, { failure }: ReadStep): SessionAnswer {
  logger.error(new SessionTokenError('the session could not be read', { err: errorOf(error) }));
  return noSession(failure);
}

async function readStored(
  context: Context,
  token: string,
  update: SessionUpdate | undefined,
  step: ReadStep,
): Promise<SessionAnswer> {
  const { callbacks, emit }: SessionHooks = context.settings;
  const store = await storeOf(context);
  const found = await findSession(context, store, token);
  if (typeof found === 'string') return noSession(found, clear(context));
  const current = isDue(context, found) ? await extendIfLive(context, store, found) : found;
  if (!current) return noSession('session-ended', clear(context));
  const facts = factsLoader(context, current.session);
  step.failure = 'session-callback-threw';
  const session = await callbacks.session(databaseSessionParams(current.session, current.user, facts, update));
  await emit('session', { session });
  const isChanged = current !== found || isMoving(context.cookies, option(context));
  const isCookieSet = context.call.renew !== 'when-due' || isChanged;
  return answerOf(session, isCookieSet ? [rowCookie(context, current.session)] : []);
}

/** Tests whether the expiry has to be moved: `session.updateAge` has passed since it was last moved. */
function isDue({ settings, now, call }: Context, { session }: StoredSession): boolean {
  const { maxAge, updateAge } = settings.session;
  const due = session.expires.getTime() - (maxAge - updateAge) * 1000;
  return due <= now.getTime() && call.renew !== 'never';
}

/** Moves the expiry; returns `null` if the session has ended. */
async function extendIfLive(context: Context, store: Store, found: StoredSession): Promise<StoredSession | null> {
  return context.settings.records
    ? (await loadRecords()).extendRecorded(context, store, found)
    : extend(context, store, found);
}

/** Returns the function `facts` of `callbacks.session`, which asks the record store once. */
function factsLoader(context: Context, session: AdapterSession): () => Promise<SessionFacts | null> {
  let loading: Promise<SessionFacts | null> | undefined;
  const load = async (): Promise<SessionFacts | null> =>
    context.settings.records ? (await loadRecords()).rowFacts(context, session) : null;
  return () => (loading ??= load());
}

async function end(context: Context): Promise<EndedSession> {
  const cookies = clear(context);
  const token = tokenOf(context);
  if (token === undefined) return { cookies };
  try {
    const store = await storeOf(context);
    const session = await requireMethod(store, 'deleteSession')(token);
    if (context.settings.records) {
      await (await loadRecords()).endRowRecord(context, token, session?.userId, 'sign-out');
    }
    return { cookies, ended: { session } };
  } catch (error) {
    const { logger } = context.settings;
    logger.error(new SignOutError('the session could not be deleted', { err: errorOf(error) }));
    return { cookies };
  }
}

async function currentUser(context: Context, isConfirmed = false): Promise<AdapterUser | null> {
  const found = await currentRow(context);
  if (!found) return null;
  if (!isConfirmed || !context.settings.records) return found.user;
  return (await (await loadRecords()).isRowLive(context, found.session)) ? found.user : null;
}

async function currentRecord(context: Context): Promise<SessionRecord | null> {
  const found = context.settings.records && (await currentRow(context));
  return found ? (await loadRecords()).rowRecord(context, found.session) : null;
}

async function currentFacts(context: Context): Promise<SessionFacts | null> {
  const found = context.settings.hasFacts ? await currentRow(context) : null;
  if (!found) return null;
  if (context.settings.records) return (await loadRecords()).rowFacts(context, found.session);
  return context.settings.needsSignInTime
    ? (await loadRecent()).recentFacts(context, found.session.sessionToken)
    : null;
}

async function currentOwner(context: Context): Promise<SessionOwner | null> {
  const found = await currentRow(context);
  if (!found || (context.settings.records && !(await (await loadRecords()).isRowLive(context, found.session))))
    return null;
  return { userId: String(found.user.id) };
}

async function changeUser(): Promise<readonly Cookie[]> {
  return []; // The next read finds the user in the store.
}

/** Returns the session of the request; `null` if it has expired. Its row stays. */
async function currentRow(context: Context): Promise<StoredSession | null> {
  const token = tokenOf(context);
  if (token === undefined) return null;
  const found = await requireMethod(await storeOf(context), 'getSessionAndUser')(token);
  return found && isCurrent(found.session, context.now) ? found : null;
}

async function ownerOf(context: Context): Promise<string | undefined> {
  try {
    const user = await currentUser(context);
    return user ? String(user.id) : undefined;
  } catch {
    return undefined; // The read that follows reports that the store is unavailable.
  }
}

async function storeOf(context: Context): Promise<Store> {
  const store = await context.settings.store();
  if (!store) throw new MissingAdapter('database sessions need an `adapter`. Add one');
  return store;
}

function option(context: Context): Context['cookieTable']['sessionToken'] {
  return context.cookieTable.sessionToken;
}

/** Returns the session token of the cookie. It is never in chunks; those belong to a JWT session. */
function tokenOf(context: Context): string | undefined {
  return context.cookies[sentName(context.cookies, option(context))] || undefined;
}

function clear(context: Context): readonly Cookie[] {
  return clearChunked(context.cookies, option(context));
}
