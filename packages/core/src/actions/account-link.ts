import type { AccountChange } from '../account/actor.ts';
import { providerOf } from '../config/provider.ts';
import { InvalidProvider } from '../errors.ts';
import { signIn } from './sign-in.ts';

/**
 * Sends the user to the provider that the field `provider` names, to add an account there. The callback adds it only
 * to this user.
 *
 * @throws {InvalidProvider} if it names no OAuth or OpenID provider.
 */
export const linkProvider: AccountChange = async ({ context, settings }, { provider: id }) => {
  const provider = typeof id === 'string' ? providerOf(settings, id, context.origin + context.basePath) : undefined;
  if (provider?.type !== 'oauth' && provider?.type !== 'oidc') {
    throw new InvalidProvider('accounts can be added at OAuth and OpenID providers only', { provider: id });
  }
  // The parameters of this request are not for the provider.
  const request = { ...context, providerId: provider.id, query: {}, body: { ...context.body, add: '1' } };
  const { redirect, cookies } = await signIn(request);
  return { next: redirect, cookies, result: { url: redirect } };
};
