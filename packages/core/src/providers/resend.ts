import { sentBy } from '../mail/sent-by.ts';
import type { EmailConfig, EmailUserConfig, MailDelivery } from './email.ts';

/** Options of {@link Resend}. */
export type ResendUserConfig = EmailUserConfig;

/**
 * Sign-in links by email, sent by Resend.
 *
 * @see https://resend.com/docs/api-reference/emails/send-email
 * @see https://resend.com/docs/api-reference/errors
 * @reviewed 2026-11-21
 * @register At https://resend.com: Verify your domain and create an API key with "Sending access". Configure an
 * adapter, too.
 * @option `apiKey` The API key, `re_…`.
 * @option `from` Sender at your domain, `sign-in@example.com` or `Name <sign-in@example.com>`. Default: `no-reply@` and
 * the host of the site.
 * @option `maxAge` Seconds that a link is valid. Default: 86400 (1 day).
 * @quirk Leave click tracking of the domain off, because it sends the link through Resend's servers.
 */
export default function Resend(config: ResendUserConfig = {}): EmailConfig {
  return { id: 'resend', name: 'Resend', type: 'email', maxAge: 86_400, ...sentBy(send), options: config };
}

async function send(mail: MailDelivery): Promise<void> {
  const { composeMail, postMail } = await import('../mail/api.ts');
  const { key, sender, to, subject, html, text } = composeMail('Resend', mail);
  await postMail('Resend error', mail, {
    url: 'https://api.resend.com/emails',
    headers: { authorization: `Bearer ${key}` },
    body: { from: sender, to, subject, html, text },
  });
}
