import type { OAuthProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { beginOAuth } from '../identity/oauth/begin.ts';
import { takeFlow } from '../identity/oauth/checks.ts';
import { finishOAuth } from '../identity/oauth/finish.ts';
import { formPostRedirect, forwardToDeployment, postedFields } from '../identity/oauth/proxy.ts';
import { completeSignIn } from '../linking/sign-in.ts';
import { currentUser } from '../session/session.ts';

/** `POST signin/<provider>`: sends the visitor to the provider. */
export async function startOAuth(context: Context, provider: OAuthProvider): Promise<Reply> {
  return beginOAuth(context, provider, await signedInUserId(context));
}

/** Id of the user who is signed in now; `undefined` without a store, because nothing can be linked. */
async function signedInUserId(context: Context): Promise<string | undefined> {
  if (!context.settings.hasAdapter) return undefined;
  const user = await currentUser(context);
  return user ? String(user.id) : undefined;
}

/**
 * `GET` or `POST callback/<provider>`: the visitor comes back from the provider. Only the configured response mode is
 * read.
 */
export async function oauthCallback(context: Context, provider: OAuthProvider): Promise<Reply> {
  if (context.incoming.method === 'POST') return formPostReply(context, provider);
  const params = provider.formPost ? await postedFields(context, provider) : context.url.searchParams;
  const deployment = await forwardToDeployment(context, provider, params);
  if (deployment !== undefined) return { redirect: deployment };
  const flow = await takeFlow(context, provider, params.get('state') ?? undefined);
  context.spentCookies.push(...flow.cookies);
  const proof = await finishOAuth(context, provider, params, flow);
  return completeSignIn({ ...context, callbackUrl: flow.value.returnTo ?? context.callbackUrl }, proof);
}

async function formPostReply(context: Context, provider: OAuthProvider): Promise<Reply> {
  if (!provider.formPost) throw new InvalidProvider('this provider must answer by GET', { provider: provider.id });
  // A cross-site POST carries none of the site's cookies, so the reply must not replace them.
  return { status: 303, redirect: await formPostRedirect(context, provider), bare: true };
}
