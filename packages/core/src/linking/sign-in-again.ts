import { signInAgainUrl } from '../config/paths.ts';
import type { Context } from '../context.ts';
import { RecentSignInRequired } from '../errors.ts';
import type { Proof } from '../identity/proof.ts';
import { userToSignInAgain } from '../session/recent.ts';
import { currentUser } from '../session/session.ts';
import { isSameUser } from '../store/users.ts';
import { findLinkedUser } from './accounts.ts';

/**
 * Refuses a sign-in as another user if the visitor was asked to sign in again. Nothing is stored, and the session
 * stays. After a sign-out, anyone may sign in.
 *
 * @throws {RecentSignInRequired} if the proof belongs to another user.
 */
export async function requireSameUser(context: Context, proof: Proof): Promise<void> {
  const userId = await userToSignInAgain(context);
  if (userId === undefined) return;
  const current = await currentUser(context);
  if (!isSameUser(current, { id: userId }) || isSameUser(await userOf(context, proof), { id: userId })) return;
  throw new RecentSignInRequired('the visitor was asked to sign in again, and did so as another user', {
    provider: proof.account.provider,
    signInUrl: signInAgainUrl(context, context.callbackUrl),
  });
}

/** Returns the user whom the proof signs in; `null` if it would create or link an account. */
async function userOf(context: Context, proof: Proof): Promise<{ readonly id: unknown } | null> {
  const { user, account, authenticator } = proof;
  if (account.type === 'oauth' || account.type === 'oidc') return findLinkedUser(context, proof);
  return authenticator === undefined ? { id: user.id } : null;
}
