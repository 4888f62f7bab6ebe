import { errorOf } from '../config/hooks.ts';
import type { OAuthProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { AuthError, CallbackRouteError, InvalidProvider } from '../errors.ts';
import { type Taken, takeChecks } from '../identity/oauth/checks.ts';
import { finishOAuth } from '../identity/oauth/finish.ts';
import { knownUser, settle } from '../identity/settle.ts';
import { completeSignIn } from './complete.ts';
import { failureReply, isForCaller } from './failure.ts';

/** A visitor comes back from a provider. */
export async function oauthCallback(context: Context, provider: OAuthProvider): Promise<Reply> {
  if (context.incoming.method !== 'GET') {
    throw new InvalidProvider('this provider answers by GET', { provider: provider.id });
  }
  const params = context.url.searchParams;
  const taken = await takeChecks(context, provider, params.get('state') ?? undefined);
  try {
    const reply = await complete(context, provider, params, taken);
    return { ...reply, cookies: [...taken.cookies, ...(reply.cookies ?? [])] };
  } catch (thrown) {
    const error =
      thrown instanceof AuthError ? thrown : new CallbackRouteError(errorOf(thrown), { provider: provider.id });
    if (isForCaller(context, error)) throw error;
    // One-time values are gone whatever became of the sign-in.
    return { ...failureReply(context, error), cookies: taken.cookies };
  }
}

async function complete(
  context: Context,
  provider: OAuthProvider,
  params: URLSearchParams,
  taken: Taken,
): Promise<Reply> {
  const proof = await finishOAuth(context, provider, params, taken);
  const { user, account, profile } = proof;
  return completeSignIn(context, {
    user: (await knownUser(context, account)) ?? user,
    account,
    profile,
    settle: (visitor) => settle(context, proof, visitor),
    callbackUrl: taken.memo.returnTo,
  });
}
