import { limits } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { errorOf, LegacySessionError } from '../errors.ts';
import { isRecord } from '../plain-object.ts';
import { requireMethod } from '../store/methods.ts';
import type { AdapterUser } from '../types/adapter.ts';
import type { NoSession } from '../types/cause.ts';
import type { Cookie } from '../types/config.ts';
import type { LegacyReader, LegacySession } from '../types/legacy.ts';
import { expireCookie } from '../wire/cookie.ts';
import { isPartOf, readChunked } from '../wire/cookie-chunks.ts';
import { sentName } from '../wire/cookie-names.ts';
import { derivedId } from './facts.ts';
import { type AcceptedSession, type NewSession, startFromLegacy } from './legacy-start.ts';
import { type CurrentSession, noSession, type SessionAnswer, type SessionStrategy } from './strategy.ts';

/** An old session, with the reader that has found it. */
interface FoundSession {
  readonly reader: LegacyReader;
  readonly session: LegacySession;
  /** The text of its cookies. */
  readonly text: string;
}

/** By the `renewal` of a request, which is one object for all copies of its context: a session moves once. */
const moves = new WeakMap<object, Promise<CurrentSession | undefined>>();

/**
 * Moves the session of another library: starts a session that takes its place. The reply sets the new cookies. The old
 * session stays until a request carries the new session cookie, see {@link endConfirmed}. A response can be lost, and
 * other requests of the browser can be on their way.
 *
 * @param strategy That of the configuration.
 * @returns How the request's session is now read; `undefined` if the request has a session cookie of this library, or
 *   no session of another one.
 */
export function moveSession(context: Context, strategy: SessionStrategy): Promise<CurrentSession | undefined> {
  const known = moves.get(context.renewal);
  if (known) return known;
  const made = move(context, strategy);
  moves.set(context.renewal, made);
  return made;
}

async function move(context: Context, strategy: SessionStrategy): Promise<CurrentSession | undefined> {
  if (hasOwnCookie(context)) return undefined;
  const without = (reason: NoSession): CurrentSession => ({
    strategy: { ...strategy, read: async () => noSession(reason) },
    context,
  });
  let name: string | undefined;
  try {
    const found = await findSession(context);
    if (!found) return undefined;
    name = found.reader.name;
    const accepted = await acceptSession(context, found);
    if (!accepted) return without('legacy-refused');
    const started = await startFromLegacy(context, accepted);
    const isReadOnly = context.call.renew === 'never';
    if (!started) {
      if (!isReadOnly) context.renewal.cookies = await endOldSessions(context);
      return without('jwt-callback-null');
    }
    if (isReadOnly) return unwritten(context, strategy, accepted, started);
    await context.settings.emit('legacySession', { user: accepted.user, reader: name });
    return written(context, strategy, started);
  } catch (error) {
    logFailure(context, error, 'the session of another library could not be moved', name);
    return without('legacy-failed');
  }
}

function hasOwnCookie({ cookies, cookieTable }: Context): boolean {
  return readChunked(cookies, sentName(cookies, cookieTable.sessionToken)) !== undefined;
}

/** Returns the first session that a reader finds. */
async function findSession(context: Context): Promise<FoundSession | undefined> {
  for (const reader of context.settings.legacy ?? []) {
    const cookies = cookiesOf(context, reader);
    const session = await readWith(context, reader, cookies);
    if (session) return { reader, session, text: [...cookies.values()].join('\n') };
  }
  return undefined;
}

/** Returns the cookies of a reader that the request has. None if they are too long, or if the reader is not used. */
function cookiesOf({ cookies, now }: Context, { cookies: names, until }: LegacyReader): Map<string, string> {
  const sent = new Map<string, string>();
  if (!(now.getTime() <= new Date(until).getTime())) return sent;
  for (const name of names) {
    const value = readChunked(cookies, name);
    if (value !== undefined) sent.set(name, value);
  }
  const length = [...sent.values()].reduce((sum, value) => sum + value.length, 0);
  return length <= limits.legacyCookie ? sent : new Map();
}

async function readWith(
  { now }: Context,
  reader: LegacyReader,
  cookies: ReadonlyMap<string, string>,
): Promise<LegacySession | null> {
  if (cookies.size === 0) return null;
  const { name } = reader;
  try {
    const session = await reader.read(cookies, now);
    if (!session || isSession(session)) return session;
  } catch (error) {
    throw new LegacySessionError(`the reader "${name}" of \`legacy\` threw`, { reader: name, err: errorOf(error) });
  }
  const words = `the reader "${name}" of \`legacy\` must return \`null\`, or an object with a text \`userId\` and a date \`expires\``;
  throw new LegacySessionError(words, { reader: name });
}

function isSession(session: unknown): boolean {
  if (!isRecord(session)) return false;
  const { userId, expires } = session;
  return typeof userId === 'string' && userId !== '' && expires instanceof Date;
}

/** Returns `null` if the old session is over, or if its user is not in the store. */
async function acceptSession(context: Context, { session: old, text }: FoundSession): Promise<AcceptedSession | null> {
  const { settings, now } = context;
  const { userId, expires, claims } = old;
  const issuedAt = Number.isNaN(old.issuedAt?.getTime()) ? undefined : old.issuedAt;
  const session = { ...old, issuedAt };
  // An Invalid Date counts as expired, because the comparison is then false.
  if (!(expires.getTime() > now.getTime())) return null;
  const store = await settings.store();
  const stored: AdapterUser | null | undefined = store && (await requireMethod(store, 'getUser')(userId));
  if (stored === null) return null;
  const id = await derivedId(text);
  const ownerId = settings.records ? await ownerIfLive(context, session, id) : userId;
  if (ownerId === null || isPastLifetime(context, issuedAt)) return null;
  const user = stored ?? { id: userId, name: claims?.name, email: claims?.email, image: claims?.picture };
  return { session, user, stored, ownerId, id };
}

/** Returns the owner in the record store; `null` if all sessions of the owner were ended after this one was issued. */
async function ownerIfLive(context: Context, { userId, issuedAt }: LegacySession, id: string): Promise<string | null> {
  const [{ ownerOfToken }, { isBeforeEpoch }] = await Promise.all([import('./record.ts'), import('./records.ts')]);
  const ownerId = ownerOfToken(context, { sub: userId }, id);
  return (await isBeforeEpoch(context, ownerId, issuedAt ?? new Date(0))) ? null : ownerId;
}

function isPastLifetime({ settings, now }: Context, issuedAt: Date | undefined): boolean {
  const { maxLifetime } = settings;
  return maxLifetime !== undefined && issuedAt !== undefined && +now >= +issuedAt + maxLifetime * 1000;
}

/** The session was started. The rest of the request works with the cookies that the reply sets. */
function written(context: Context, strategy: SessionStrategy, started: NewSession): CurrentSession {
  context.renewal.cookies = started.cookies;
  const set = started.cookies.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]);
  const cookies = Object.assign(Object.create(null), context.cookies, Object.fromEntries(set));
  const own: Context = { ...context, cookies };
  return {
    // A further read would extend the session at once.
    strategy: { ...strategy, read: (_, update) => (update ? strategy.read(own, update) : readNew(own, started)) },
    context: own,
  };
}

/** The framework does not allow cookies now, so there is no session yet. A later request starts it. */
function unwritten(
  context: Context,
  strategy: SessionStrategy,
  { stored, ownerId }: AcceptedSession,
  started: NewSession,
): CurrentSession {
  return {
    strategy: {
      ...strategy,
      read: () => readNew(context, started),
      currentUser: async () => stored ?? null,
      currentOwner: async () => ({ userId: ownerId }),
    },
    context,
  };
}

async function readNew(context: Context, started: NewSession): Promise<SessionAnswer> {
  try {
    return await started.read();
  } catch (error) {
    logFailure(context, error, '`callbacks.session` threw for the session of another library');
    return noSession('session-callback-threw');
  }
}

/**
 * Ends the old sessions of a request that carries the new session cookie. If the new session has ended, old sessions
 * end, too, including those of readers with `keep`: otherwise the next request would start it again.
 */
export async function endConfirmed(context: Context, answer: SessionAnswer): Promise<SessionAnswer> {
  const { settings, call } = context;
  if (call.renew === 'never' || !hasOwnCookie(context)) return answer;
  const isLive = answer.session !== null;
  if (!isLive && answer.cookies.length === 0) return answer; // The store has failed.
  const cookies = await endOldSessions(context, isLive ? settings.legacy?.filter(({ keep }) => !keep) : undefined);
  return cookies.length === 0 ? answer : { ...answer, cookies: [...answer.cookies, ...cookies] };
}

/**
 * Ends the old sessions of a request. Never throws: a failure is logged, and the cookies are cleared nevertheless.
 *
 * @param readers Default: all readers.
 * @returns The cookies that remove those of the readers.
 */
export async function endOldSessions(
  context: Context,
  readers: readonly LegacyReader[] = context.settings.legacy ?? [],
): Promise<readonly Cookie[]> {
  for (const reader of readers) {
    try {
      const session = reader.end ? await readWith(context, reader, cookiesOf(context, reader)) : null;
      if (session) await reader.end?.(session);
    } catch (error) {
      logFailure(context, error, `the session of the reader "${reader.name}" could not be ended`, reader.name);
    }
  }
  return readers.flatMap((reader) => clear(context, reader));
}

function clear({ cookies }: Context, { cookies: names, domain, path = '/' }: LegacyReader): readonly Cookie[] {
  const sent = Object.keys(cookies).filter((one) => names.some((name) => isPartOf(one, name)));
  return sent.map((name) => {
    const secure = name.startsWith('__');
    return expireCookie({ name, options: { path, domain, httpOnly: true, sameSite: 'lax', secure } });
  });
}

function logFailure({ settings: { logger } }: Context, error: unknown, words: string, reader?: string): void {
  const isKnown = error instanceof LegacySessionError;
  logger.error(isKnown ? error : new LegacySessionError(words, { reader, err: errorOf(error) }));
}
