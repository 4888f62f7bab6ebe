import type { Settings } from '../config/settings.ts';
import { endAllSessions } from './end.ts';

/** Which sessions end, and why. */
export interface UserEnd {
  readonly userId: string;
  /** For the event `sessionEnded`. */
  readonly reason: string;
  /** The session that stays: its id and, if it is kept in the store, its token. Default: all end. */
  readonly except?: { readonly id: string | undefined; readonly token: string | undefined } | undefined;
}

/**
 * Ends the sessions of a user, also where they have no records. Then the adapter deletes the rows of database sessions,
 * if it has `deleteSessionsByUserId`; sessions in cookies last until they expire.
 *
 * ```ts
 * await endUserSessions(settings, now, { userId: user.id, reason: 'undo' });
 * ```
 *
 * @throws {SessionRecordsError} if the record store fails.
 * @throws {AdapterError} if the adapter fails.
 */
export async function endUserSessions(
  settings: Settings,
  now: Date,
  { userId, reason, except }: UserEnd,
): Promise<void> {
  if (settings.records) {
    await endAllSessions(settings, now, { userId, except: except?.id, reason });
  } else if (settings.strategy === 'database') {
    const store = await settings.store();
    await store?.deleteSessionsByUserId?.(userId, except?.token);
  }
}
