import type { ProviderUrls } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { finishCredentials } from '../identity/credentials/finish.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import { completeSignIn } from './complete.ts';

/** Credentials come by POST only: an address ends up in logs and histories. */
export async function credentialsCallback(
  context: Context,
  provider: CredentialsConfig & ProviderUrls,
): Promise<Reply> {
  if (context.incoming.method !== 'POST') {
    throw new InvalidProvider('credentials are posted', { provider: provider.id });
  }
  const { user, account } = await finishCredentials(context, provider);
  return completeSignIn(context, { user, account, credentials: context.body });
}
