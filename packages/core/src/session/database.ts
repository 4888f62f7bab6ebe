import type { AdapterSession, AdapterUser } from '../adapters.ts';
import { chain, rescue } from '../chain.ts';
import { errorOf } from '../config/hooks.ts';
import { need } from '../config/need.ts';
import type { Store } from '../config/store.ts';
import type { Context } from '../context.ts';
import { MissingAdapter, SessionTokenError, SignOutError, UnsupportedStrategy } from '../errors.ts';
import type { Awaitable, Cookie, Session, SessionCallbackParams } from '../types.ts';
import { clearChunked } from '../wire/cookie-chunks.ts';
import type { SessionAnswer, SessionStrategy, SessionUpdate, SignedIn } from './strategy.ts';

/** Sessions that live in the store; the cookie holds nothing but their token. */
export const databaseStrategy: SessionStrategy = { start, read, end, currentUser };

interface Stored {
  session: AdapterSession;
  user: AdapterUser;
}

async function start(context: Context, { user, account }: SignedIn): Promise<readonly Cookie[]> {
  const store = await storeOf(context);
  if (account.type === 'credentials') await mustBeStored(store, user.id);
  const session: AdapterSession = {
    sessionToken: await context.settings.session.generateSessionToken(),
    userId: user.id as string,
    expires: expiry(context),
  };
  const created = await replace(context, store, session);
  return [...clearChunked(context.cookies, option(context)).filter(isChunk(context)), cookie(context, created)];
}

/** A sign-in always starts a new session (no fixation); the one it replaces ends. */
async function replace(context: Context, store: Store, session: AdapterSession): Promise<AdapterSession> {
  const old = tokenOf(context);
  if (store.replaceSession) return store.replaceSession(old, session);
  const created = await need(store, 'createSession')(session);
  if (old !== undefined) {
    try {
      await need(store, 'deleteSession')(old);
    } catch (error) {
      await context.settings.logger.error(
        new SessionTokenError('the replaced session could not be deleted', { err: errorOf(error) }),
      );
    }
  }
  return created;
}

async function mustBeStored(store: Store, id: string | undefined): Promise<void> {
  const stored = id === undefined ? null : await need(store, 'getUser')(id);
  if (stored) return;
  throw new UnsupportedStrategy(
    'with database sessions `authorize()` must return a user of the store. Return the row with its `id`, or use `session.strategy: "jwt"`',
  );
}

function read(context: Context, update?: SessionUpdate): Awaitable<SessionAnswer> {
  const token = tokenOf(context);
  if (token === undefined) return NONE;
  return rescue(
    () => chain(storeOf(context), (store) => readFrom(context, store, token, update)),
    (error) => unread(context, error),
  );
}

const NONE: SessionAnswer = Object.freeze({ session: null, cookies: Object.freeze([]) });

/** The cookie stays: a store that is down must not sign everybody out. */
function unread({ settings: { logger } }: Context, error: unknown): Awaitable<SessionAnswer> {
  const told = logger.error(new SessionTokenError('the session could not be read', { err: errorOf(error) }));
  return chain(told, () => NONE);
}

/** One step in the other, so that whoever waited for the row waits for nothing else. */
function readFrom(
  context: Context,
  store: Store,
  token: string,
  update: SessionUpdate | undefined,
): Awaitable<SessionAnswer> {
  return chain(need(store, 'getSessionAndUser')(token), (row) =>
    chain(living(context, store, token, row), (found) =>
      chain(found && isDue(context, found) ? extend(context, store, found) : found, (extended) =>
        extended
          ? answerOf(context, extended, extended !== found, update)
          : { session: null, cookies: clearChunked(context.cookies, option(context)) },
      ),
    ),
  );
}

function answerOf(
  context: Context,
  { session: row, user }: Stored,
  isExtended: boolean,
  update: SessionUpdate | undefined,
): Awaitable<SessionAnswer> {
  const { callbacks, emit } = context.settings;
  return chain(callbacks.session(databaseSessionParams(row, user, update)), (session) => {
    const told = emit('session', { session: session as Session } as Parameters<typeof emit<'session'>>[1]);
    const cookies = !context.call.onlyWhenDue || isExtended ? [cookie(context, row)] : [];
    return chain(told, () => ({ session, cookies }));
  });
}

/** The stored session, unless it has expired: then its row goes. */
function living(context: Context, store: Store, token: string, found: Stored | null): Awaitable<Stored | null> {
  if (!found || found.session.expires.getTime() >= context.now.getTime()) return found;
  return chain(need(store, 'deleteSession')(token), () => null);
}

/** {@link living}, looked up again. */
function stillLiving(context: Context, store: Store, token: string): Awaitable<Stored | null> {
  return chain(need(store, 'getSessionAndUser')(token), (found) => living(context, store, token, found));
}

/** Is the expiry to be moved? */
function isDue({ settings, now, call }: Context, { session }: Stored): boolean {
  const { maxAge, updateAge } = settings.session;
  const due = session.expires.getTime() - (maxAge - updateAge) * 1000;
  return due <= now.getTime() && !call.readOnly;
}

/** Moves the expiry; `null` when the session ended meanwhile. */
async function extend(context: Context, store: Store, { session, user }: Stored): Promise<Stored | null> {
  const to = expiry(context);
  if (store.extendSession) {
    const moved = await store.extendSession({ sessionToken: session.sessionToken, from: session.expires, to });
    // Not moved: another request was faster, or the session has ended. Either way the store knows.
    return moved ? { session: { ...session, expires: to }, user } : stillLiving(context, store, session.sessionToken);
  }
  const updated = await need(store, 'updateSession')({ sessionToken: session.sessionToken, expires: to });
  // Some adapters answer null for a session that they have changed.
  return updated === null
    ? stillLiving(context, store, session.sessionToken)
    : { session: { ...session, expires: to }, user };
}

async function end(context: Context): Promise<readonly Cookie[]> {
  const token = tokenOf(context);
  if (token === undefined) return clearChunked(context.cookies, option(context));
  try {
    const session = await need(await storeOf(context), 'deleteSession')(token);
    await context.settings.emit('signOut', { session });
  } catch (error) {
    await context.settings.logger.error(new SignOutError('the session could not be deleted', { err: errorOf(error) }));
  }
  return clearChunked(context.cookies, option(context));
}

async function currentUser(context: Context): Promise<AdapterUser | null> {
  const token = tokenOf(context);
  if (token === undefined) return null;
  const found = await need(await storeOf(context), 'getSessionAndUser')(token);
  return found && found.session.expires.getTime() >= context.now.getTime() ? found.user : null;
}

function storeOf(context: Context): Awaitable<Store> {
  return chain(context.settings.store(), (store) => {
    if (!store) throw new MissingAdapter('database sessions need an `adapter`. Add one');
    return store;
  });
}

function option(context: Context): Context['cookieTable']['sessionToken'] {
  return context.cookieTable.sessionToken;
}

/** Never chunked; a token of a JWT session that was cut to pieces is none of ours. */
function tokenOf(context: Context): string | undefined {
  return context.cookies[option(context).name] || undefined;
}

function isChunk(context: Context): (cookie: Cookie) => boolean {
  return (cookie) => cookie.name !== option(context).name;
}

function expiry(context: Context): Date {
  return new Date(context.now.getTime() + context.settings.session.maxAge * 1000);
}

/** The cookie expires when the row does. */
function cookie(context: Context, { sessionToken, expires }: AdapterSession): Cookie {
  const { name, options } = option(context);
  return { name, value: sessionToken, options: { ...options, expires } };
}

/** The arguments of `callbacks.session` for a database session; the default callback exposes name, email and image. */
function databaseSessionParams(
  session: AdapterSession,
  user: AdapterUser,
  update: { data: unknown } | undefined,
): SessionCallbackParams {
  const params = {
    session: { ...session, user },
    user,
    newSession: update?.data,
    ...(update ? { trigger: 'update' } : {}),
  };
  return params as unknown as SessionCallbackParams;
}
