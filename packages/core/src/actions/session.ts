import type { Context, Reply } from '../context.ts';
import { revisionCookies } from '../session/revision.ts';
import { type SessionAnswer, strategyOf } from '../session/strategy.ts';

/** What no cache may keep; the same three lines that the family has always sent. */
export const noCache: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
};

/** `GET session`: what the client may see of its session, or `null`. */
export async function readSession(context: Context): Promise<Reply> {
  return replyOf(await (await strategyOf(context.settings)).read(context));
}

/** `POST session`: the same after the application's callbacks have seen what the client sent as `data`. */
export async function updateSession(context: Context): Promise<Reply> {
  const strategy = await strategyOf(context.settings);
  const { session, cookies } = await strategy.read(context, { data: context.body.data });
  // Where neither came out, nothing has become of the update: nobody is signed in, or the store is down.
  const isChanged = (session ?? null) !== null || cookies.length > 0;
  return replyOf({ session, cookies: isChanged ? [...cookies, ...revisionCookies(context)] : cookies });
}

function replyOf({ session, cookies }: SessionAnswer): Reply {
  return { headers: noCache, body: session ?? null, cookies };
}
