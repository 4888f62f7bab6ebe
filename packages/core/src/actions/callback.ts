import { errorOf } from '../config/hooks.ts';
import { lazily } from '../config/lazy.ts';
import type { Context, Reply } from '../context.ts';
import { AuthError, CallbackRouteError } from '../errors.ts';
import { namedProvider, needProvider } from './named-provider.ts';

const oauth = lazily(async () => (await import('./callback-oauth.ts')).oauthCallback);
const email = lazily(async () => (await import('./callback-email.ts')).emailCallback);
const credentials = lazily(async () => (await import('./callback-credentials.ts')).credentialsCallback);
const webauthn = lazily(async () => (await import('./callback-webauthn.ts')).webauthnCallback);

/** Is it one of our forms that posts there, and no provider? */
export function isOwnForm(context: Context): boolean {
  const provider = namedProvider(context);
  return provider !== undefined && provider.type !== 'oauth' && provider.type !== 'oidc';
}

/** `GET` or `POST callback/<provider>`: the visitor comes back from a provider, uses a mailed link, posts credentials, or has used a passkey. */
export async function callback(context: Context): Promise<Reply> {
  const provider = needProvider(context);
  try {
    switch (provider.type) {
      case 'oauth':
      case 'oidc':
        return await (await oauth())(context, provider);
      case 'email':
        return await (await email())(context, provider);
      case 'credentials':
        return await (await credentials())(context, provider);
      case 'webauthn':
        return await (await webauthn())(context, provider);
    }
  } catch (error) {
    throw error instanceof AuthError ? error : new CallbackRouteError(errorOf(error), { provider: provider.id });
  }
}
