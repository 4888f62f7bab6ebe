import type { Context } from '../context.ts';
import { errorOf, MissingAdapter, SessionTokenError, SignOutError, UnsupportedStrategy } from '../errors.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import type { AdapterSession, AdapterUser } from '../types/adapter.ts';
import type { Cookie } from '../types/config.ts';
import { clearChunked } from '../wire/cookie-chunks.ts';
import { isMoving, sentName } from '../wire/cookie-names.ts';
import {
  databaseSessionParams,
  type EndedSession,
  type SessionAnswer,
  type SessionHooks,
  type SessionStrategy,
  type SessionUpdate,
  type SignedIn,
  type StartedSession,
} from './strategy.ts';

/** Sessions in the store. The cookie holds a random token. */
export const databaseStrategy: SessionStrategy = { start, read, end, currentUser, ownerOf };

interface StoredSession {
  session: AdapterSession;
  user: AdapterUser;
}

async function start(context: Context, signedIn: SignedIn): Promise<StartedSession> {
  const store = await storeOf(context);
  const userId = await storedUserId(store, signedIn);
  const session: AdapterSession = {
    sessionToken: await context.settings.session.generateSessionToken(),
    userId,
    expires: expiry(context),
  };
  const created = await replace(context, store, session);
  // A browser may still have the chunks of a JWT session.
  const chunks = clear(context).filter((cookie) => cookie.name !== option(context).name);
  return { cookies: [...chunks, cookieOf(context, created)], userId };
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
  if (token === undefined) return { session: null, cookies: [] };
  try {
    return await readStored(context, token, update);
  } catch (error) {
    return readFailed(context, error);
  }
}

/** If the store is unavailable, the cookie is kept, so that users are not signed out. */
function readFailed({ settings: { logger } }: Context, error: unknown): SessionAnswer {
  logger.error(new SessionTokenError('the session could not be read', { err: errorOf(error) }));
  return { session: null, cookies: [] };
}

async function readStored(context: Context, token: string, update: SessionUpdate | undefined): Promise<SessionAnswer> {
  const { callbacks, emit }: SessionHooks = context.settings;
  const store = await storeOf(context);
  const found = await findSession(context, store, token);
  const current = found && isDue(context, found) ? await extend(context, store, found) : found;
  if (!current) return { session: null, cookies: clear(context) };
  const session = await callbacks.session(databaseSessionParams(current.session, current.user, update));
  await emit('session', { session });
  const isChanged = current !== found || isMoving(context.cookies, option(context));
  const isCookieSet = context.call.renew !== 'when-due' || isChanged;
  return { session, cookies: isCookieSet ? [cookieOf(context, current.session)] : [] };
}

/** Returns a session from the store; `null` if it does not exist or has expired. */
async function findSession(context: Context, store: Store, token: string): Promise<StoredSession | null> {
  return ifNotExpired(context, store, token, await requireMethod(store, 'getSessionAndUser')(token));
}

/** Returns the session; `null` if it has expired. Its row is then deleted. */
async function ifNotExpired(
  { now }: Context,
  store: Store,
  token: string,
  found: StoredSession | null,
): Promise<StoredSession | null> {
  if (!found || isCurrent(found.session, now)) return found;
  await requireMethod(store, 'deleteSession')(token);
  return null;
}

/** An Invalid Date counts as expired, because the comparison is then false. */
function isCurrent({ expires }: AdapterSession, now: Date): boolean {
  return expires.getTime() >= now.getTime();
}

/** Tests whether the expiry has to be moved: `session.updateAge` has passed since it was last moved. */
function isDue({ settings, now, call }: Context, { session }: StoredSession): boolean {
  const { maxAge, updateAge } = settings.session;
  const due = session.expires.getTime() - (maxAge - updateAge) * 1000;
  return due <= now.getTime() && call.renew !== 'never';
}

/** Moves the expiry; returns `null` if the session has ended meanwhile. */
async function extend(context: Context, store: Store, { session, user }: StoredSession): Promise<StoredSession | null> {
  const to = expiry(context);
  const { sessionToken, expires: from } = session;
  // An adapter's `updateSession` may return null although it has updated the row.
  const isMoved = store.extendSession
    ? await store.extendSession({ sessionToken, from, to })
    : (await requireMethod(store, 'updateSession')({ sessionToken, expires: to })) !== null;
  // Otherwise another request was faster, or the session has ended.
  return isMoved ? { session: { ...session, expires: to }, user } : findSession(context, store, sessionToken);
}

async function end(context: Context): Promise<EndedSession> {
  const cookies = clear(context);
  const token = tokenOf(context);
  if (token === undefined) return { cookies };
  try {
    const store = await storeOf(context);
    return { cookies, ended: { session: await requireMethod(store, 'deleteSession')(token) } };
  } catch (error) {
    const { logger } = context.settings;
    logger.error(new SignOutError('the session could not be deleted', { err: errorOf(error) }));
    return { cookies };
  }
}

async function currentUser(context: Context): Promise<AdapterUser | null> {
  const token = tokenOf(context);
  if (token === undefined) return null;
  const found = await requireMethod(await storeOf(context), 'getSessionAndUser')(token);
  return found && isCurrent(found.session, context.now) ? found.user : null;
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

function expiry({ now, settings }: Context): Date {
  return new Date(now.getTime() + settings.session.maxAge * 1000);
}

/** Returns the session cookie, which expires with the row. */
function cookieOf(context: Context, { sessionToken, expires }: AdapterSession): Cookie {
  const { name, options } = option(context);
  return { name, value: sessionToken, options: { ...options, expires } };
}

function clear(context: Context): readonly Cookie[] {
  return clearChunked(context.cookies, option(context));
}
