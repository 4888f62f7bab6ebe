import { sentBy } from '../mail/sent-by.ts';
import type { EmailConfig, EmailUserConfig, MailDelivery } from './email.ts';

/** Options of {@link Postmark}. */
export type PostmarkUserConfig = EmailUserConfig;

/**
 * Sign-in links by email, sent by Postmark.
 *
 * @see https://postmarkapp.com/developer/api/email-api
 * @see https://postmarkapp.com/developer/api/overview
 * @reviewed 2026-11-21
 * @register At https://account.postmarkapp.com: Confirm a sender signature or your domain, and copy the API token of a
 * server with the message stream `outbound`. Configure an adapter, too.
 * @option `apiKey` The server API token.
 * @option `from` Confirmed sender, `sign-in@example.com` or `Name <sign-in@example.com>`. Default: `no-reply@` and the
 * host of the site.
 * @option `maxAge` Seconds that a link is valid. Default: 86400 (1 day).
 * @quirk Link tracking is off in these mails, because it would send the link through Postmark's servers.
 */
export default function Postmark(config: PostmarkUserConfig = {}): EmailConfig {
  return { id: 'postmark', name: 'Postmark', type: 'email', maxAge: 86_400, ...sentBy(send), options: config };
}

async function send(mail: MailDelivery): Promise<void> {
  const { composeMail, postMail } = await import('../mail/api.ts');
  const { key, sender, to, subject, html, text } = composeMail('Postmark', mail);
  await postMail('Postmark error', mail, {
    url: 'https://api.postmarkapp.com/email',
    headers: { 'x-postmark-server-token': key },
    body: {
      From: sender,
      To: to,
      Subject: subject,
      TextBody: text,
      HtmlBody: html,
      MessageStream: 'outbound',
      TrackLinks: 'None',
    },
    refused: ({ ErrorCode: code = 0 }) => code !== 0,
  });
}
