import { defaults } from '../config/defaults.ts';
import type { Context } from '../context.ts';
import { RecentSignInRequired } from '../errors.ts';
import { mayAddTo } from '../session/session.ts';
import type { SessionFacts } from '../types/session-records.ts';
import { type AccountActor, readActor } from './actor.ts';
import { urlToSignInAgain } from './urls.ts';

/**
 * Returns the visitor, who has signed in at most 10 minutes ago, in this browser.
 *
 * @param signInUrl Where the visitor signs in again. Default: there, and back to the page that the request names.
 * @throws {RecentSignInRequired} if the visitor is signed out, if the sign-in is older, or if another site may have set
 *   the session.
 */
export async function recentActor(
  context: Context,
  signInUrl: string = urlToSignInAgain(context),
): Promise<AccountActor> {
  const actor = await readActor(context);
  if (actor && (await isRecent(actor))) return actor;
  throw new RecentSignInRequired(
    'the account can be changed in the 10 minutes after a sign-in. Send the visitor to `signInUrl`',
    { signInUrl },
  );
}

/** Returns whether the visitor has signed in recently, in this browser. */
export async function isRecent({ context, user, facts }: AccountActor): Promise<boolean> {
  return isRecentSignIn(facts, context.now) && (await mayAddTo(context, user.id));
}

/** Returns whether the visitor has signed in recently, in this browser. */
export async function isRecentVisitor(context: Context): Promise<boolean> {
  const actor = await readActor(context);
  return actor !== null && (await isRecent(actor));
}

/**
 * Returns whether a session began at most 10 minutes ago. A session from before `account` has no provider, and only its
 * last extension is known.
 */
export function isRecentSignIn(facts: SessionFacts | null, now: Date): boolean {
  if (facts?.provider === undefined) return false;
  return now.getTime() - facts.startedAt.getTime() <= defaults.account.recent * 1000;
}
