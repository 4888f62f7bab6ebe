import type { EmailConfig, EmailProviderSendVerificationRequestParams, EmailUserConfig } from './email.ts';

/** What an application may pass to {@link SendGrid}. */
export type SendGridUserConfig = EmailUserConfig;

/**
 * Sign-in links mailed by Twilio SendGrid.
 *
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 * @reviewed 2026-11-21
 * @register At https://app.sendgrid.com: verify a sender or authenticate your domain, and make an API key that may send mail.
 * An adapter has to be configured, too.
 * @option `apiKey` The key, `SG.…`.
 * @option `from` Verified sender, `sign-in@example.com` or `Name <sign-in@example.com>`. Default: `no-reply@` the site's own host.
 * @option `maxAge` Seconds a link is valid. Default: 86400.
 * @quirk Click tracking is off in these mails: it would lead the link through SendGrid's servers first.
 */
export default function SendGrid(config: SendGridUserConfig = {}): EmailConfig {
  return { id: 'sendgrid', name: 'SendGrid', type: 'email', maxAge: 86_400, sendVerificationRequest, options: config };
}

async function sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Promise<void> {
  const { composeMail, postMail } = await import('../mail/api.ts');
  const { key, from, to, subject, html, text } = composeMail('SendGrid', params);
  await postMail('Sendgrid error', params, {
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: `Bearer ${key}` },
    body: {
      personalizations: [{ to: [{ email: to }] }],
      // A name inside `email` would be refused.
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
