import type { Context } from '../context.ts';
import { requireMethod } from '../store/methods.ts';
import type { Store } from '../store/store.ts';
import type { AdapterSession, AdapterUser } from '../types/adapter.ts';
import type { Cookie } from '../types/config.ts';

/** A session and its user, as the store has them. */
export interface StoredSession {
  readonly session: AdapterSession;
  readonly user: AdapterUser;
}

/** Why the store has no session. */
export type NoRow = 'row-missing' | 'row-expired';

/** Returns a session from the store, or why the store does not have it. */
export async function findSession(context: Context, store: Store, token: string): Promise<StoredSession | NoRow> {
  return ifNotExpired(context, store, token, await requireMethod(store, 'getSessionAndUser')(token));
}

/** Returns the session, unless it has expired. Its row is then deleted. */
async function ifNotExpired(
  { now }: Context,
  store: Store,
  token: string,
  found: StoredSession | null,
): Promise<StoredSession | NoRow> {
  if (!found) return 'row-missing';
  if (isCurrent(found.session, now)) return found;
  await requireMethod(store, 'deleteSession')(token);
  return 'row-expired';
}

/** An Invalid Date counts as expired, because the comparison is then false. */
export function isCurrent({ expires }: AdapterSession, now: Date): boolean {
  return expires.getTime() >= now.getTime();
}

/** Returns when a session expires that is started or extended now. */
export function expiry({ now, settings }: Context): Date {
  return new Date(now.getTime() + settings.session.maxAge * 1000);
}

/** Returns the session cookie, which expires with the row. */
export function rowCookie({ cookieTable }: Context, { sessionToken, expires }: AdapterSession): Cookie {
  const { name, options } = cookieTable.sessionToken;
  return { name, value: sessionToken, options: { ...options, expires } };
}

/** Moves the expiry; returns `null` if the session has ended meanwhile. */
export async function extend(
  context: Context,
  store: Store,
  { session, user }: StoredSession,
  to: Date = expiry(context),
): Promise<StoredSession | null> {
  const { sessionToken, expires: from } = session;
  // An adapter's `updateSession` may return null although it has updated the row.
  const isMoved = store.extendSession
    ? await store.extendSession({ sessionToken, from, to })
    : (await requireMethod(store, 'updateSession')({ sessionToken, expires: to })) !== null;
  // Otherwise another request was faster, or the session has ended.
  if (isMoved) return { session: { ...session, expires: to }, user };
  const found = await findSession(context, store, sessionToken);
  return typeof found === 'string' ? null : found;
}
