import { AuthError } from '../errors.ts';
import type { EmailConfig, EmailProviderSendVerificationRequestParams, EmailUserConfig } from './email.ts';

/** Options of {@link Loops}. */
export interface LoopsUserConfig extends EmailUserConfig {
  /** Id of the transactional email. */
  transactionalId?: string | undefined;
}

/**
 * Sign-in links by email, sent by Loops with a template that you write there.
 *
 * @see https://loops.so/docs/api-reference/send-transactional-email
 * @reviewed 2026-11-21
 * @register At https://app.loops.so: Verify your domain, write and publish a transactional email with the data variable
 * `url`, and create an API key. Configure an adapter, too.
 * @option `apiKey` The API key.
 * @option `transactionalId` Id of the transactional email. Required. Loops sets sender, subject and text: `from` and
 * `theme` have no effect.
 * @option `maxAge` Seconds that a link is valid. Default: 86400 (1 day).
 */
export default function Loops(config: LoopsUserConfig = {}): EmailConfig & { transactionalId?: string | undefined } {
  return { id: 'loops', name: 'Loops', type: 'email', maxAge: 86_400, sendVerificationRequest, options: config };
}

async function sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Promise<void> {
  const { transactionalId } = params.provider as LoopsUserConfig;
  if (!transactionalId) {
    throw new AuthError('Loops requires the id of a transactional email. Set `transactionalId`');
  }
  const [{ postMail, readAddressee }, { secretsOf }] = await Promise.all([
    import('../mail/api.ts'),
    import('../mail/sign-in.ts'),
  ]);
  const { identifier: to, provider } = params;
  const { key, to: email } = readAddressee('Loops', { to, provider });
  await postMail(
    'Loops Send Error',
    { provider, secrets: secretsOf(params) },
    {
      url: 'https://app.loops.so/api/v1/transactional',
      headers: { authorization: `Bearer ${key}` },
      body: { transactionalId, email, dataVariables: { url: params.url, code: params.code } },
      refused: ({ success }) => success === false,
    },
  );
}
