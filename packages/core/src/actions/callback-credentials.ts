import type { ProviderUrls } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { finishCredentials } from '../identity/credentials/finish.ts';
import type { Settled } from '../identity/settle.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import { completeSignIn } from './complete.ts';
import { limited, type Reserve } from './limited.ts';

/** Credentials come by POST only: an address ends up in logs and histories. */
export async function credentialsCallback(
  context: Context,
  provider: CredentialsConfig & ProviderUrls,
): Promise<Reply> {
  if (context.incoming.method !== 'POST') {
    throw new InvalidProvider('credentials are posted', { provider: provider.id });
  }
  const attempt: Reserve = ({ reserveAttempt }) => reserveAttempt(context, provider);
  return limited(context, attempt, async ({ giveBack }) => {
    const { user, account } = await finishCredentials(context, provider);
    // Only whoever the application's gate has let in was no failure: some look at the credentials there.
    const settle = async (): Promise<Settled> => {
      await giveBack();
      return { user, isNewUser: false };
    };
    return completeSignIn(context, { user, account, credentials: context.body, settle });
  });
}
