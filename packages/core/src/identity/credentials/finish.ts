import type { ProviderUrls } from '../../config/provider.ts';
import type { Context } from '../../context.ts';
import { CredentialsSignin } from '../../errors.ts';
import type { CredentialsConfig } from '../../providers/credentials.ts';
import type { Account, User } from '../../types.ts';
import { requestWithFields } from '../request.ts';

/**
 * Asks the application who typed these credentials.
 *
 * @throws {CredentialsSignin} when `authorize` returns nobody; what it throws itself passes unchanged.
 */
export async function finishCredentials(
  context: Context,
  provider: CredentialsConfig & ProviderUrls,
): Promise<{ user: User & { id: string }; account: Account }> {
  const found = await provider.authorize(context.body, requestWithFields(context));
  if (!found) throw new CredentialsSignin('the credentials were refused', { provider: provider.id });
  const id = found.id?.toString() ?? crypto.randomUUID();
  return {
    user: { ...found, id },
    account: { providerAccountId: id, type: 'credentials', provider: provider.id },
  };
}
