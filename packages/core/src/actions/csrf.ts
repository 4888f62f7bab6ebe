import type { Context, Reply } from '../context.ts';
import type { Warning } from '../log/logger.ts';
import { expireCookie } from '../wire/cookie.ts';
import { noCache } from './session.ts';

const CSRF_DISABLED: Warning = {
  code: 'csrf-disabled',
  words: 'forms are accepted without a CSRF token: the framework has to check where they come from.',
};

/** `GET csrf`: the CSRF token of forms; 404 if the host framework checks the origin of forms. */
export async function csrf({ csrfToken, cookieTable, settings }: Context): Promise<Reply> {
  if (csrfToken !== undefined) return { headers: noCache, body: { csrfToken } };
  settings.logger.warn(CSRF_DISABLED);
  return { status: 404, cookies: [expireCookie(cookieTable.csrfToken)] };
}
