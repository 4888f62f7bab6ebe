import type { Context, Reply } from '../context.ts';
import { renewCsrfToken } from '../guards/csrf.ts';
import { revisionCookies } from '../session/revision.ts';
import * as session from '../session/session.ts';

/** `POST signout`: ends the session, in the browser and in the store. */
export async function signOut(context: Context): Promise<Reply> {
  const { cookies, ended } = await session.end(context);
  if (ended) await context.settings.emit('signOut', ended);
  return {
    redirect: context.callbackUrl,
    cookies: [...cookies, ...(await renewCsrfToken(context)), ...revisionCookies(context)],
  };
}
