import type { ProviderUrls } from '../config/provider.ts';
import type { Context, Reply } from '../context.ts';
import { InvalidProvider } from '../errors.ts';
import { finishCredentials } from '../identity/credentials/finish.ts';
import { completeSignIn } from '../linking/sign-in.ts';
import type { CredentialsConfig } from '../providers/credentials.ts';
import { type Reserve, withRateLimit } from './rate-limited.ts';

/** `POST callback/<provider>` with credentials. A GET is refused, because URLs are kept in logs and histories. */
export async function credentialsCallback(
  context: Context,
  provider: CredentialsConfig & ProviderUrls,
): Promise<Reply> {
  if (context.incoming.method !== 'POST') {
    throw new InvalidProvider('credentials must be sent by POST', { provider: provider.id });
  }
  const reserve: Reserve = ({ reserveAttempt }) => reserveAttempt(context, provider);
  return withRateLimit(context, reserve, async (attempt) => {
    const proof = await finishCredentials(context, provider);
    return completeSignIn(context, proof, attempt);
  });
}
