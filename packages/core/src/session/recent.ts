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
 * Returns the cookie that says when a database session began. It is for sessions without a record, and for as long as
 * the sign-in counts as recent. The id of the session binds the cookie to it.
 */
export async function recentCookie(context: Context, sessionToken: string, signedIn: SignedIn): Promise<Cookie> {
  const { settings, cookieTable, now } = context;
  const payload = { id: await derivedId(sessionToken), start: now.getTime(), provider: signedIn.account.provider };
  const maxAge = defaults.account.recent;
  return sealCookie(cookieTable.recent, payload, { secrets: settings.sealingSecrets, maxAge, now });
}

/** Returns how a session began; `null` if the cookie is absent, too old, or of another session. */
export async function recentFacts(context: Context, sessionToken: string): Promise<SessionFacts | null> {
  const { settings, cookieTable, cookies, now } = context;
  const payload = await openCookie(cookies, cookieTable.recent, { secrets: settings.sealingSecrets, now });
  const { id, start, provider } = payload ?? {};
  if (typeof start !== 'number' || typeof provider !== 'string' || id !== (await derivedId(sessionToken))) return null;
  const startedAt = new Date(start);
  return { id, startedAt, authTime: startedAt, amr: [], provider };
}

/** Returns the cookies that remove it. */
export function clearRecentCookie({ cookies, cookieTable }: Context): readonly Cookie[] {
  const name = sentName(cookies, cookieTable.recent);
  return cookies[name] === undefined ? [] : [expireCookie(cookieTable.recent)];
}
