import type { Context } from '../context.ts';
import type { JWT } from '../types/session.ts';
import type { SessionRecord } from '../types/session-records.ts';
import { endSurplus, removeRecords } from './end.ts';
import type { TokenFacts } from './facts.ts';
import { ownerOf, ownerOfToken } from './record.ts';
import {
  checkRecord,
  checkShared,
  createRecord,
  isCheckedLately,
  isLive,
  logRecordsError,
  readRecord,
  startRecord,
} from './records.ts';
import type { SignedIn } from './strategy.ts';

/**
 * Stores the record of a new session, then ends the session that the browser had.
 *
 * @param replaced That session. Default: it had none.
 * @throws {SessionRecordsError} if the record cannot be stored.
 */
export async function startTokenRecord(
  context: Context,
  { facts }: TokenFacts,
  signedIn: SignedIn,
  replaced: TokenFacts | undefined,
): Promise<void> {
  const { settings, now } = context;
  const userId = ownerOf(context, signedIn);
  await startRecord(context, facts, { userId, signedIn });
  if (replaced) await endTokenRecord(context, replaced, 'replaced');
  await endSurplus(settings, now, userId);
}

/**
 * Stores the record of a session that another library has started.
 *
 * @throws {SessionRecordsError} if the record cannot be stored.
 */
export async function moveTokenRecord(context: Context, { facts }: TokenFacts, userId: string): Promise<void> {
  await startRecord(context, facts, { userId });
  await endSurplus(context.settings, context.now, userId);
}

/**
 * Tests whether a session has not ended. An answer of this process counts for `revocationLag`.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export function isTokenLive(context: Context, token: JWT, known: TokenFacts): boolean | Promise<boolean> {
  // Without a promise, a session read within the lag takes 1.5 % less time.
  return isCheckedLately(context.settings, context.now, known.facts.id) === true || checkToken(context, token, known);
}

async function checkToken(context: Context, token: JWT, known: TokenFacts): Promise<boolean> {
  const { settings, now } = context;
  const { id } = known.facts;
  if (await isCheckedLately(settings, now, id)) return true;
  const answer = await checkShared(settings, now, id);
  return answer === 'unknown' && known.isDerived ? (await adopt(context, token, known)) !== null : isLive(answer);
}

/**
 * Returns the record of a session by a call of its own; `null` if the session has ended.
 *
 * @throws {SessionRecordsError} if the record store fails.
 */
export async function tokenRecord(context: Context, token: JWT, known: TokenFacts): Promise<SessionRecord | null> {
  const answer = await checkRecord(context.settings, context.now, known.facts.id);
  if (answer === 'unknown' && known.isDerived) return adopt(context, token, known);
  return isLive(answer) ? answer : null;
}

/** Creates the record of a session that began before records were kept, or in other software. */
function adopt(context: Context, token: JWT, { facts }: TokenFacts): Promise<SessionRecord | null> {
  return createRecord(context, facts, { userId: ownerOfToken(context, token, facts.id) });
}

/**
 * Ends a session. Returns `false` if it had ended before, or if the record store fails, which is logged.
 *
 * @param reason For the event `sessionEnded`.
 */
export async function endTokenRecord(
  { settings, now }: Context,
  { facts, isDerived }: TokenFacts,
  reason: string,
): Promise<boolean> {
  try {
    const record = await readRecord(settings, now, facts.id);
    // The record of a session from before records need not exist yet.
    return isLive(record) ? (await removeRecords(settings, [record], reason)) > 0 : isDerived && record === 'unknown';
  } catch (error) {
    logRecordsError(settings, error);
    return false;
  }
}
