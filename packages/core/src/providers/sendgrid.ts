import { sentBy } from '../mail/sent-by.ts';
import type { EmailConfig, EmailUserConfig, MailDelivery } from './email.ts';

/** Options of {@link SendGrid}. */
export type SendGridUserConfig = EmailUserConfig;

/**
 * Sign-in links by email, sent by Twilio SendGrid.
 *
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 * @reviewed 2026-11-21
 * @register At https://app.sendgrid.com: Verify a sender or authenticate your domain, and create an API key that may
 * send mail. Configure an adapter, too.
 * @option `apiKey` The API key, `SG.…`.
 * @option `from` Verified sender, `sign-in@example.com` or `Name <sign-in@example.com>`. Default: `no-reply@` and the
 * host of the site.
 * @option `maxAge` Seconds that a link is valid. Default: 86400 (1 day).
 * @quirk Click tracking is off in these mails, because it would send the link through SendGrid's servers.
 */
export default function SendGrid(config: SendGridUserConfig = {}): EmailConfig {
  return { id: 'sendgrid', name: 'SendGrid', type: 'email', maxAge: 86_400, ...sentBy(send), options: config };
}

async function send(mail: MailDelivery): Promise<void> {
  const { composeMail, postMail } = await import('../mail/api.ts');
  const { key, from, to, subject, html, text } = composeMail('SendGrid', mail);
  await postMail('Sendgrid error', mail, {
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: `Bearer ${key}` },
    body: {
      personalizations: [{ to: [{ email: to }] }],
      // SendGrid refuses a name inside `email`.
      from: { email: from.address, name: from.name },
      subject,
      content: [
        { type: 'text/plain', value: text },
        { type: 'text/html', value: html },
      ],
      tracking_settings: { click_tracking: { enable: false, enable_text: false } },
    },
  });
}
