import type { Warning } from '../config/logger.ts';
import type { Context, Reply } from '../context.ts';
import { expireCookie } from '../wire/expire-cookie.ts';
import { noCache } from './session.ts';

const CSRF_DISABLED: Warning = {
  code: 'csrf-disabled',
  words: 'forms are accepted without a CSRF token: the framework has to check where they come from.',
};

/** `GET csrf`: the token that every form of ours carries; 404 where the host framework checks the origin itself. */
export async function csrf(context: Context): Promise<Reply> {
  const { csrfToken, cookieTable, settings } = context;
  if (csrfToken !== undefined) return { headers: noCache, body: { csrfToken } };
  settings.logger.warn(CSRF_DISABLED);
  return { status: 404, cookies: [expireCookie(cookieTable.csrfToken)] };
}
