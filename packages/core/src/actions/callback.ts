import { errorOf } from '../config/hooks.ts';
import type { OAuthProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { AuthError, CallbackRouteError, InvalidProvider } from '../errors.ts';
import { completeSignIn } from './complete.ts';
import { failureReply } from './failure.ts';

/** `GET` or `POST callback/<provider>`: the visitor comes back from a provider, or posts credentials. */
export async function callback(context: Context): Promise<Reply> {
  const { settings, providerId, origin, basePath, incoming } = context;
  const provider = providerId === undefined ? undefined : settings.provider(providerId, origin + basePath);
  if (!provider) throw new InvalidProvider('no provider of this id is configured', { provider: providerId });
  const { method } = incoming;
  if ((provider.type === 'oauth' || provider.type === 'oidc') && method === 'GET')
    return oauthCallback(context, provider);
  if (provider.type === 'credentials' && method === 'POST') {
    const { finishCredentials } = await import('../identity/credentials/finish.ts');
    return guarded(provider.id, async () => {
      const { user, account } = await finishCredentials(context, provider);
      return completeSignIn(context, { user, account, credentials: context.body });
    });
  }
  throw new InvalidProvider(`a callback by ${method} is not for providers of the type ${provider.type}`, {
    provider: provider.id,
  });
}

async function oauthCallback(context: Context, provider: OAuthProvider): Promise<Reply> {
  const { takeChecks } = await import('../identity/oauth/checks.ts');
  const { finishOAuth } = await import('../identity/oauth/finish.ts');
  const params = context.url.searchParams;
  const taken = await takeChecks(context, provider, params.get('state') ?? undefined);
  try {
    const reply = await guarded(provider.id, async () => {
      const proof = await finishOAuth(context, provider, params, taken);
      return completeSignIn(context, { ...proof, proof, callbackUrl: taken.memo.returnTo });
    });
    return { ...reply, cookies: [...taken.cookies, ...(reply.cookies ?? [])] };
  } catch (error) {
    // One-time values are gone whatever became of the sign-in.
    return { ...failureReply(context, errorOf(error)), cookies: taken.cookies };
  }
}

/** Errors that no class of ours names yet are told apart from those that do. */
async function guarded(provider: string, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new CallbackRouteError(errorOf(error), { provider });
  }
}
