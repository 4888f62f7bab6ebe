import { chain, rescue } from '../chain.ts';
import { errorOf } from '../config/hooks.ts';
import { lazily } from '../config/lazy.ts';
import type { NormalProvider } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { AuthError, CallbackRouteError } from '../errors.ts';
import type { Awaitable } from '../types.ts';
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
export function callback(context: Context): Awaitable<Reply> {
  const provider = needProvider(context);
  return rescue(
    () => finish(context, provider),
    (error) => {
      throw error instanceof AuthError ? error : new CallbackRouteError(errorOf(error), { provider: provider.id });
    },
  );
}

function finish(context: Context, provider: NormalProvider): Awaitable<Reply> {
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return chain(oauth(), (run) => run(context, provider));
    case 'email':
      return chain(email(), (run) => run(context, provider));
    case 'credentials':
      return chain(credentials(), (run) => run(context, provider));
    case 'webauthn':
      return chain(webauthn(), (run) => run(context, provider));
  }
}
