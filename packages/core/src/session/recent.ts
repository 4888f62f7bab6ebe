import { defaults } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import type { Cookie } from '../types/config.ts';
import type { SessionFacts } from '../types/session-records.ts';
import { expireCookie } from '../wire/cookie.ts';
import { sentName } from '../wire/cookie-names.ts';
import { openCookie, sealCookie } from '../wire/sealed-cookie.ts';
import { derivedId } from './facts.ts';
import type { SignedIn } from './strategy.ts';

/**
 * Returns the cookies that follow a sign-in. A database session without a record gets a cookie that says when it began,
 * for as long as the sign-in counts as recent. The id of the session binds the cookie to it. For other sessions, the
 * request to sign in again is removed, because the visitor has done so.
 *
 * @param sessionToken Token of a database session. Default: the session is in a cookie.
 */
export async function startedCookies(
  context: Context,
  { account }: SignedIn,
  sessionToken: string | undefined,
): Promise<readonly Cookie[]> {
  if (sessionToken === undefined || context.settings.records) return clearRecentCookie(context);
  const start = context.now.getTime();
  return [await recentCookie(context, { id: await derivedId(sessionToken), start, provider: account.provider })];
}

/** Returns the cookie of a browser whose user has to sign in again. The sign-in of another user is refused then. */
export function signInAgainCookie(context: Context, userId: string): Promise<Cookie> {
  return recentCookie(context, { again: userId });
}

/** Returns the id of the user who has to sign in again in this browser; `undefined` if none has to. */
export async function userToSignInAgain(context: Context): Promise<string | undefined> {
  const { again } = await openRecentCookie(context);
  return typeof again === 'string' ? again : undefined;
}

/** Returns how a session began; `null` if the cookie is absent, too old, or of another session. */
export async function recentFacts(context: Context, sessionToken: string): Promise<SessionFacts | null> {
  const { id, start, provider } = await openRecentCookie(context);
  if (typeof start !== 'number' || typeof provider !== 'string' || id !== (await derivedId(sessionToken))) return null;
  const startedAt = new Date(start);
  return { id, startedAt, authTime: startedAt, amr: [], provider };
}

/** Returns the cookies that remove it. */
export function clearRecentCookie({ cookies, cookieTable }: Context): readonly Cookie[] {
  const name = sentName(cookies, cookieTable.recent);
  return cookies[name] === undefined ? [] : [expireCookie(cookieTable.recent)];
}

function recentCookie({ settings, cookieTable, now }: Context, payload: object): Promise<Cookie> {
  const maxAge = defaults.account.recent;
  return sealCookie(cookieTable.recent, payload, { secrets: settings.sealingSecrets, maxAge, now });
}

async function openRecentCookie({ settings, cookieTable, cookies, now }: Context): Promise<Record<string, unknown>> {
  return (await openCookie(cookies, cookieTable.recent, { secrets: settings.sealingSecrets, now })) ?? {};
}
