import { errorOf } from '../config/hooks.ts';
import type { Context, Reply } from '../context.ts';
import { AuthError, CallbackRouteError } from '../errors.ts';
import { needProvider } from './named-provider.ts';

/** `GET` or `POST callback/<provider>`: the visitor comes back from a provider, uses a mailed link, posts credentials, or has used a passkey. */
export async function callback(context: Context): Promise<Reply> {
  const provider = needProvider(context);
  try {
    switch (provider.type) {
      case 'oauth':
      case 'oidc':
        return await (await import('./callback-oauth.ts')).oauthCallback(context, provider);
      case 'email':
        return await (await import('./callback-email.ts')).emailCallback(context, provider);
      case 'credentials':
        return await (await import('./callback-credentials.ts')).credentialsCallback(context, provider);
      case 'webauthn':
        return await (await import('./callback-webauthn.ts')).webauthnCallback(context, provider);
    }
  } catch (error) {
    throw error instanceof AuthError ? error : new CallbackRouteError(errorOf(error), { provider: provider.id });
  }
}
