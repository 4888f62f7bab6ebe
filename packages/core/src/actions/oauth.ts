import type { OAuthProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { beginOAuth } from '../identity/oauth/begin.ts';
import { takeFlow } from '../identity/oauth/checks.ts';
import { finishOAuth } from '../identity/oauth/finish.ts';
import { formPostRedirect, forwardToDeployment, postedFields } from '../identity/oauth/proxy.ts';
import { requireSameAccount } from '../identity/proven.ts';
import { lazily } from '../lazy.ts';
import { completeSignIn, type ProvenSignIn } from '../linking/sign-in.ts';
import { currentUser } from '../session/session.ts';

const tokens = lazily(() => import('../tokens/visitor.ts'));
const adding = lazily(() => import('./add-account.ts'));

/** `POST signin/<provider>`: sends the visitor to the provider. */
export async function startOAuth(context: Context, provider: OAuthProvider): Promise<Reply> {
  if (isAddRequest(context)) return (await adding()).startAdding(context, provider);
  const scope = context.settings.tokens && (await requestedScope(context, provider));
  return beginOAuth(context, provider, { startedBy: await signedInUserId(context), scope });
}

/** Returns the scopes to ask for, if the form has the field `scopes`. */
async function requestedScope(context: Context, provider: OAuthProvider): Promise<string | undefined> {
  const { scopes } = context.body;
  return typeof scopes === 'string' ? (await tokens()).scopeOfVisitor(context, provider, scopes) : undefined;
}

/** Does the user who is signed in ask to add an account? Only with `account` or `linking: 'guided'`. */
function isAddRequest({ settings, body }: Context): boolean {
  return settings.needsSignInTime && Boolean(body.add) && body.add !== 'false';
}

/**
 * After a mail has proven the address of an account: sends the visitor to the provider once more. The profile and the
 * tokens of the first time did not fit into a cookie.
 */
export async function resumeOAuth(
  context: Context,
  provider: OAuthProvider,
  { email, resume, attempt }: ProvenSignIn,
): Promise<Reply> {
  const { account = '', params } = resume;
  await attempt?.release();
  // The parameters of the mailed link are not for the provider.
  const query = Object.fromEntries(new URLSearchParams(params));
  return beginOAuth({ ...context, query }, provider, { proven: { email, account } });
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
  // Any site can open the callback without a state. Such an answer ends the flow only if it is right.
  const isNamed = params.has('state');
  if (isNamed) context.spentCookies.push(...flow.cookies);
  const finished = await finishOAuth(context, provider, params, flow);
  if (!isNamed) context.spentCookies.push(...flow.cookies);
  const { proven, requested, adds, scope: requestedScope, returnTo = context.callbackUrl } = flow.value;
  const proof = proven ? await requireSameAccount(finished, proven) : { ...finished, requested, adds, requestedScope };
  return completeSignIn({ ...context, callbackUrl: returnTo }, proof);
}

async function formPostReply(context: Context, provider: OAuthProvider): Promise<Reply> {
  if (!provider.formPost) throw new InvalidProvider('this provider must answer by GET', { provider: provider.id });
  // A cross-site POST carries none of the site's cookies, so the reply must not replace them.
  return { status: 303, redirect: await formPostRedirect(context, provider), bare: true };
}
