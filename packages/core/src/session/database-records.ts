import type { Context } from '../context.ts';
import { errorOf, SessionTokenError } from '../errors.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import type { AdapterSession } from '../types/adapter.ts';
import type { SessionFacts, SessionRecord } from '../types/session-records.ts';
import { endSurplus, removeRecords } from './end.ts';
import { derivedId, factsWithoutSignIn, newFacts, pickFacts } from './facts.ts';
import { sealHandle } from './record.ts';
import {
  checkRecord,
  createRecord,
  isCheckedLately,
  isLive,
  logRecordsError,
  type RecordAnswer,
  readRecord,
  startRecord,
} from './records.ts';
import { expiry, extend, isCurrent, type StoredSession } from './rows.ts';
import type { SignedIn } from './strategy.ts';

/**
 * Stores the row of a new session, and its record. Then it ends the session that the browser had.
 *
 * @param old Token of that session. Default: it had none.
 * @throws {SessionRecordsError} if the record cannot be stored. The row is deleted again.
 */
export async function startRow(
  context: Context,
  store: Store,
  session: AdapterSession,
  signedIn: SignedIn,
  old: string | undefined,
): Promise<AdapterSession> {
  const { settings, now } = context;
  const created = await createRow(context, store, { ...session, expires: limited(context, now) }, signedIn);
  if (old !== undefined) await endReplaced(context, store, old);
  await endSurplus(settings, now, String(created.userId));
  return created;
}

/**
 * Stores the row of a session that another library has started, and its record.
 *
 * @param startedAt When the session began.
 * @throws {SessionRecordsError} if the record cannot be stored. The row is deleted again.
 */
export async function moveRow(
  context: Context,
  store: Store,
  session: AdapterSession,
  startedAt: Date,
): Promise<AdapterSession> {
  const latest = limited(context, startedAt);
  const expires = session.expires < latest ? session.expires : latest;
  const created = await createRow(context, store, { ...session, expires }, startedAt);
  await endSurplus(context.settings, context.now, String(created.userId));
  return created;
}

/** @param begun The finished sign-in; for a session of another library, the instant at which it began. */
async function createRow(
  context: Context,
  store: Store,
  session: AdapterSession,
  begun: SignedIn | Date,
): Promise<AdapterSession> {
  const created = await requireMethod(store, 'createSession')(session);
  const { sessionToken } = created;
  try {
    const id = await derivedId(sessionToken);
    const signedIn = begun instanceof Date ? undefined : begun;
    const facts = begun instanceof Date ? factsWithoutSignIn(id, begun) : newFacts(id, context.now, begun);
    await startRecord(context, facts, { userId: String(created.userId), sessionToken, signedIn });
  } catch (error) {
    await deleteRow(context, store, sessionToken, 'a session without a record');
    throw error;
  }
  return created;
}

async function endReplaced(context: Context, store: Store, token: string): Promise<void> {
  const deleted = await deleteRow(context, store, token, 'the replaced session');
  if (deleted) await endRowRecord(context, token, deleted.userId, 'replaced');
}

/** Deletes a row. A failure is logged; the result is then `undefined`. */
async function deleteRow(
  { settings }: Context,
  store: Store,
  token: string,
  words: string,
): Promise<{ userId?: string | undefined } | undefined> {
  try {
    return (await requireMethod(store, 'deleteSession')(token)) ?? {};
  } catch (error) {
    settings.logger.error(new SessionTokenError(`${words} could not be deleted`, { err: errorOf(error) }));
    return undefined;
  }
}

/**
 * Removes the record of a session whose row was deleted. A failure is logged.
 *
 * @param userId Owner of the session. Default: the owner in the record, which takes a further call.
 * @param reason For the event `sessionEnded`.
 */
export async function endRowRecord(
  { settings, now }: Context,
  token: string,
  userId: string | undefined,
  reason: string,
): Promise<void> {
  try {
    const id = await derivedId(token);
    const record = userId === undefined ? await readRecord(settings, now, id) : { id, userId: String(userId) };
    if (record !== 'ended' && record !== 'unknown') await removeRecords(settings, [record], reason);
  } catch (error) {
    logRecordsError(settings, error);
  }
}

/**
 * Moves the expiry of a session that has not ended; returns `null` if it has.
 *
 * If the record store fails, the session is extended nevertheless. With `maxLifetime` it stays as it is, because the
 * instant of the sign-in is not known.
 */
export async function extendRecorded(
  context: Context,
  store: Store,
  found: StoredSession,
): Promise<StoredSession | null> {
  const { settings, now } = context;
  const { session } = found;
  const id = await derivedId(session.sessionToken);
  // The expiry of such a session may have reached its limit, so that it is always due.
  if (settings.maxLifetime !== undefined && (await isCheckedLately(settings, now, id, settings.session.updateAge))) {
    return found;
  }
  let answer: RecordAnswer;
  try {
    answer = await checkRecord(settings, now, id, await sealHandle(settings, now, id, session.sessionToken));
  } catch (error) {
    logRecordsError(settings, error);
    return settings.maxLifetime === undefined ? extend(context, store, found) : found;
  }
  if (answer === 'ended') return ended(store, session);
  if (answer === 'unknown') return adopt(context, store, found);
  const to = limited(context, answer.startedAt);
  if (!isCurrent({ ...session, expires: to }, now)) return ended(store, session);
  return to.getTime() === session.expires.getTime() ? found : extend(context, store, found, to);
}

async function ended(store: Store, { sessionToken }: AdapterSession): Promise<null> {
  await requireMethod(store, 'deleteSession')(sessionToken);
  return null;
}

/**
 * Creates the record of a session that began before records were kept, or in other software. Its row is extended
 * first: a late extension must not create a record for a row that was deleted.
 */
async function adopt(context: Context, store: Store, found: StoredSession): Promise<StoredSession | null> {
  const { settings, now } = context;
  const { session } = found;
  const to = limited(context, startOf(context, session));
  if (!isCurrent({ ...session, expires: to }, now)) return ended(store, session);
  const extended = await extend(context, store, found, to);
  if (!extended) return null;
  try {
    return (await createRowRecord(context, session)) ? extended : await ended(store, session);
  } catch (error) {
    logRecordsError(settings, error);
    return extended;
  }
}

async function createRowRecord(context: Context, session: AdapterSession): Promise<SessionRecord | null> {
  const { sessionToken, userId } = session;
  const facts = factsWithoutSignIn(await derivedId(sessionToken), startOf(context, session));
  return createRecord(context, facts, { userId: String(userId), sessionToken });
}

/** The instant of the last extension, which is the earliest one that is known of a session without a record. */
function startOf({ settings }: Context, { expires }: AdapterSession): Date {
  return new Date(expires.getTime() - settings.session.maxAge * 1000);
}

/** Returns when a session expires that is extended now: not later than `maxLifetime` after it started. */
function limited(context: Context, startedAt: Date): Date {
  const { maxLifetime } = context.settings;
  const to = expiry(context);
  if (maxLifetime === undefined) return to;
  return new Date(Math.min(to.getTime(), startedAt.getTime() + maxLifetime * 1000));
}

/**
 * Returns the record of a session; `null` if the session has ended. A session without a record gets one.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function rowRecord(context: Context, session: AdapterSession): Promise<SessionRecord | null> {
  const known = await readRecord(context.settings, context.now, await derivedId(session.sessionToken));
  if (known === 'ended') return null;
  return isLive(known) ? known : createRowRecord(context, session);
}

/**
 * Tests whether a session has not ended, although its row still exists.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function isRowLive({ settings, now }: Context, { sessionToken }: AdapterSession): Promise<boolean> {
  return (await readRecord(settings, now, await derivedId(sessionToken))) !== 'ended';
}

/**
 * Returns how a session began; `null` if it has no record.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function rowFacts(
  { settings, now }: Context,
  { sessionToken }: AdapterSession,
): Promise<SessionFacts | null> {
  const record = await readRecord(settings, now, await derivedId(sessionToken));
  return isLive(record) ? pickFacts(record) : null;
}
