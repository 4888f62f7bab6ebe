import type { Context, Reply } from '../context.ts';
import { revisionCookies } from '../session/revision.ts';
import { readStored } from '../session/strategy.ts';
import { replyOf } from './session.ts';

/** `POST session`: the same after the application's callbacks have seen what the client sent as `data`. */
export async function updateSession(context: Context): Promise<Reply> {
  const { session, cookies } = await readStored(context, { data: context.body.data });
  // Where neither came out, nothing has become of the update: nobody is signed in, or the store is down.
  const isChanged = (session ?? null) !== null || cookies.length > 0;
  return replyOf({ session, cookies: isChanged ? [...cookies, ...revisionCookies(context)] : cookies });
}
