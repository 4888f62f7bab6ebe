import { sentBy } from '../mail/sent-by.ts';
import type { EmailConfig, EmailUserConfig, MailDelivery } from './email.ts';

/** Options of {@link ForwardEmail}. */
export type ForwardEmailUserConfig = EmailUserConfig;

/**
 * Sign-in links by email, sent by Forward Email.
 *
 * @see https://forwardemail.net/en/email-api#outbound-emails
 * @reviewed 2026-11-21
 * @register At https://forwardemail.net: Set your domain up for outbound SMTP, and copy the API token from "My
 * Account", "Security". Configure an adapter, too.
 * @option `apiKey` The API token.
 * @option `from` Sender, an alias of your domain: `sign-in@example.com` or `Name <sign-in@example.com>`. Default:
 * `no-reply@` and the host of the site.
 * @option `maxAge` Seconds that a link is valid. Default: 86400 (1 day).
 */
export default function ForwardEmail(config: ForwardEmailUserConfig = {}): EmailConfig {
  return {
    id: 'forwardemail',
    name: 'Forward Email',
    type: 'email',
    maxAge: 86_400,
    ...sentBy(send),
    options: config,
  };
}

async function send(mail: MailDelivery): Promise<void> {
  const { composeMail, postMail } = await import('../mail/api.ts');
  const { key, sender, to, subject, html, text } = composeMail('Forward Email', mail);
  await postMail('Forward Email error', mail, {
    url: 'https://api.forwardemail.net/v1/emails',
    headers: { authorization: `Basic ${btoa(`${key}:`)}` },
    body: { from: sender, to, subject, html, text },
  });
}
