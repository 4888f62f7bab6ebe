import { AuthError } from '../errors.ts';
import type { EmailConfig, EmailProviderSendVerificationRequestParams, EmailUserConfig } from './email.ts';

/** What an application may pass to {@link Loops}. */
export interface LoopsUserConfig extends EmailUserConfig {
  /** Id of the transactional email. */
  transactionalId?: string | undefined;
}

/**
 * Sign-in links mailed by Loops, in a mail that is written there.
 *
 * @see https://loops.so/docs/api-reference/send-transactional-email
 * @reviewed 2026-11-21
 * @register At https://app.loops.so: verify your domain, write and publish a transactional email with the data variable `url`, and
 * make an API key. An adapter has to be configured, too.
 * @option `apiKey` The key.
 * @option `transactionalId` Id of the transactional email. Loops decides on sender, subject and words: `from` and `theme` do nothing.
 * @option `maxAge` Seconds a link is valid. Default: 86400.
 */
export default function Loops(config: LoopsUserConfig = {}): EmailConfig & { transactionalId?: string | undefined } {
  return { id: 'loops', name: 'Loops', type: 'email', maxAge: 86_400, sendVerificationRequest, options: config };
}

async function sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Promise<void> {
  const { transactionalId } = params.provider as LoopsUserConfig;
  if (!transactionalId) {
    throw new AuthError('Loops needs the id of a transactional email. Set `transactionalId`');
  }
  const { postMail, readAddressee } = await import('../mail/api.ts');
  const { key, to: email } = readAddressee('Loops', params);
  await postMail('Loops Send Error', params, {
    url: 'https://app.loops.so/api/v1/transactional',
    headers: { authorization: `Bearer ${key}` },
    body: { transactionalId, email, dataVariables: { url: params.url } },
    refused: ({ success }) => success === false,
  });
}
