import { chain } from '../chain.ts';
import type { Context, Reply } from '../context.ts';
import { readStored, type SessionAnswer } from '../session/strategy.ts';
import type { Awaitable } from '../types.ts';

/** What no cache may keep; the same three lines that the family has always sent. */
export const noCache: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'application/json',
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
});

/** `GET session`: what the client may see of its session, or `null`. */
export function readSession(context: Context): Awaitable<Reply> {
  return chain(readStored(context), replyOf);
}

/** What the session action answers, for the wire. */
export function replyOf({ session, cookies }: SessionAnswer): Reply {
  return { headers: noCache, body: session ?? null, cookies };
}
