import type { OAuthProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { type Taken, takeChecks } from '../identity/oauth/checks.ts';
import { finishOAuth } from '../identity/oauth/finish.ts';
import { formPostRedirect, postedFields } from '../identity/oauth/form-post.ts';
import { handOn } from '../identity/oauth/proxy.ts';
import { knownUser, settle } from '../identity/settle.ts';
import { completeSignIn } from './complete.ts';
import { oneTime } from './one-time.ts';

/** A visitor comes back from a provider. Only the response mode that is configured is read. */
export async function oauthCallback(context: Context, provider: OAuthProvider): Promise<Reply> {
  const posted = context.incoming.method === 'POST';
  if (posted && !provider.formPost)
    throw new InvalidProvider('this provider answers by GET', { provider: provider.id });
  // A cross-site POST brings none of our cookies, so it must not set any either.
  if (posted) return { status: 303, redirect: await formPostRedirect(context, provider), bare: true };
  const params = provider.formPost ? await postedFields(context, provider) : context.url.searchParams;
  const elsewhere = await handOn(context, provider, params);
  return elsewhere === undefined ? await answer(context, provider, params) : { redirect: elsewhere };
}

async function answer(context: Context, provider: OAuthProvider, params: URLSearchParams): Promise<Reply> {
  const taken = await takeChecks(context, provider, params.get('state') ?? undefined);
  return await oneTime(context, provider.id, taken.cookies, () => complete(context, provider, params, taken));
}

async function complete(
  context: Context,
  provider: OAuthProvider,
  params: URLSearchParams,
  taken: Taken,
): Promise<Reply> {
  const proof = await finishOAuth(context, provider, params, taken);
  const { user, account, profile } = proof;
  return await completeSignIn(context, {
    user: (await knownUser(context, account)) ?? user,
    account,
    profile,
    settle: (visitor) => settle(context, proof, visitor),
    callbackUrl: taken.memo.returnTo,
  });
}
