import { chain } from '../chain.ts';
import type { OAuthProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { type Taken, takeChecks } from '../identity/oauth/checks.ts';
import { finishOAuth } from '../identity/oauth/finish.ts';
import { formPostRedirect, postedFields } from '../identity/oauth/form-post.ts';
import { handOn } from '../identity/oauth/proxy.ts';
import { knownUser, settle } from '../identity/settle.ts';
import type { Awaitable } from '../types.ts';
import { completeSignIn } from './complete.ts';
import { oneTime } from './one-time.ts';

/** A visitor comes back from a provider. Only the response mode that is configured is read. */
export function oauthCallback(context: Context, provider: OAuthProvider): Awaitable<Reply> {
  if (context.incoming.method === 'POST') return posted(context, provider);
  const answered = provider.formPost ? postedFields(context, provider) : context.url.searchParams;
  return chain(answered, (params) =>
    chain(handOn(context, provider, params), (elsewhere) =>
      elsewhere === undefined ? answer(context, provider, params) : { redirect: elsewhere },
    ),
  );
}

async function posted(context: Context, provider: OAuthProvider): Promise<Reply> {
  if (!provider.formPost) throw new InvalidProvider('this provider answers by GET', { provider: provider.id });
  // A cross-site POST brings none of our cookies, so it must not set any either.
  return { status: 303, redirect: await formPostRedirect(context, provider), bare: true };
}

function answer(context: Context, provider: OAuthProvider, params: URLSearchParams): Awaitable<Reply> {
  return chain(takeChecks(context, provider, params.get('state') ?? undefined), (taken) =>
    oneTime(context, provider.id, taken.cookies, () => complete(context, provider, params, taken)),
  );
}

async function complete(
  context: Context,
  provider: OAuthProvider,
  params: URLSearchParams,
  taken: Taken,
): Promise<Reply> {
  const proof = await finishOAuth(context, provider, params, taken);
  const { user, account, profile } = proof;
  return chain(knownUser(context, account), (known) =>
    completeSignIn(context, {
      user: known ?? user,
      account,
      profile,
      settle: (visitor) => settle(context, proof, visitor),
      callbackUrl: taken.memo.returnTo,
    }),
  );
}
