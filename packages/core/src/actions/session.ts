import type { Context, Reply } from '../context.ts';
import { redact } from '../log/redact.ts';
import { revisionCookies } from '../session/revision.ts';
import * as session from '../session/session.ts';
import type { SessionAnswer } from '../session/strategy.ts';

/** Headers of JSON that no cache may keep; the same three lines that Auth.js v5 sends. */
export const noCache: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'application/json',
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
});

/** `GET session`: the session as its client may see it, or `null`. */
export async function readSession(context: Context): Promise<Reply> {
  const answer = await session.read(context);
  const reply = replyOf(answer);
  if (answer.reason) context.settings.logger.debug('session', 'no session', () => redact({ reason: answer.reason }));
  if (!context.call.development || answer.session !== null) return reply;
  const { withReason } = await import('../explain/session.ts');
  return withReason(context, reply, answer.reason);
}

/** `POST session`: the same, after the application's callbacks have seen the `data` that the client sent. */
export async function updateSession(context: Context): Promise<Reply> {
  const answer = await session.read(context, { data: context.body.data });
  // Without session and cookies nothing was updated: the visitor is signed out, or the store is unavailable.
  const isChanged = (answer.session ?? null) !== null || answer.cookies.length > 0;
  return replyOf(isChanged ? { ...answer, cookies: [...answer.cookies, ...revisionCookies(context)] } : answer);
}

function replyOf({ session, cookies }: SessionAnswer): Reply {
  return { headers: noCache, body: session ?? null, cookies };
}
