import type { EmailConfig, EmailProviderSendVerificationRequestParams, EmailUserConfig } from './email.ts';

/** What an application may pass to {@link ForwardEmail}. */
export type ForwardEmailUserConfig = EmailUserConfig;

/**
 * Sign-in links mailed by Forward Email.
 *
 * @see https://forwardemail.net/en/email-api#outbound-emails
 * @reviewed 2026-11-21
 * @register At https://forwardemail.net: set your domain up for outbound SMTP, and take the API token from "My Account", "Security".
 * An adapter has to be configured, too.
 * @option `apiKey` The API token.
 * @option `from` Sender, an alias of your domain: `sign-in@example.com` or `Name <sign-in@example.com>`. Default: `no-reply@` the
 * site's own host.
 * @option `maxAge` Seconds a link is valid. Default: 86400.
 */
export default function ForwardEmail(config: ForwardEmailUserConfig = {}): EmailConfig {
  return {
    id: 'forwardemail',
    name: 'Forward Email',
    type: 'email',
    maxAge: 86_400,
    sendVerificationRequest,
    options: config,
  };
}

async function sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Promise<void> {
  const { composeMail, postMail } = await import('../mail/api.ts');
  const { key, sender, to, subject, html, text } = composeMail('Forward Email', params);
  await postMail('Forward Email error', params, {
    url: 'https://api.forwardemail.net/v1/emails',
    headers: { authorization: `Basic ${btoa(`${key}:`)}` },
    body: { from: sender, to, subject, html, text },
  });
}
