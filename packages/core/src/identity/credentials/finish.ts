import { errorOf } from '../../config/hooks.ts';
import type { ProviderUrls } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { AuthError, CallbackRouteError, CredentialsSignin } from '../../errors.ts';
import type { CredentialsConfig } from '../../providers/credentials.ts';
import type { Account, User } from '../../types.ts';
import { requestWithFields } from '../request.ts';

/**
 * Asks the application who typed these credentials.
 *
 * @throws {CredentialsSignin} when `authorize` returns nobody; an {@link AuthError} that it throws passes unchanged.
 * @throws {CallbackRouteError} when it throws anything else.
 */
export async function finishCredentials(
  context: Context,
  provider: CredentialsConfig & ProviderUrls,
): Promise<{ user: User & { id: string }; account: Account }> {
  const found = await authorized(context, provider);
  if (!found) throw new CredentialsSignin('the credentials were refused', { provider: provider.id });
  const id = found.id?.toString() ?? crypto.randomUUID();
  return {
    user: { ...found, id },
    account: { providerAccountId: id, type: 'credentials', provider: provider.id },
  };
}

async function authorized(context: Context, provider: CredentialsConfig): Promise<User | null> {
  try {
    return await provider.authorize(context.body, requestWithFields(context));
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new CallbackRouteError(errorOf(error), { provider: provider.id });
  }
}
