import type { EmailConfig, EmailProviderSendVerificationRequestParams, EmailUserConfig } from './email.ts';

/** What an application may pass to {@link Postmark}. */
export type PostmarkUserConfig = EmailUserConfig;

/**
 * Sign-in links mailed by Postmark.
 *
 * @see https://postmarkapp.com/developer/api/email-api
 * @see https://postmarkapp.com/developer/api/overview
 * @reviewed 2026-11-21
 * @register At https://account.postmarkapp.com: confirm a sender signature or your domain, and take the server API token of a
 * server whose message stream is called `outbound`. An adapter has to be configured, too.
 * @option `apiKey` The server API token.
 * @option `from` Confirmed sender, `sign-in@example.com` or `Name <sign-in@example.com>`. Default: `no-reply@` the site's own host.
 * @option `maxAge` Seconds a link is valid. Default: 86400.
 * @quirk Link tracking is off in these mails: it would lead the link through Postmark's servers first.
 */
export default function Postmark(config: PostmarkUserConfig = {}): EmailConfig {
  return { id: 'postmark', name: 'Postmark', type: 'email', maxAge: 86_400, sendVerificationRequest, options: config };
}

async function sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Promise<void> {
  const { composeMail, postMail } = await import('../mail/api.ts');
  const { key, sender, to, subject, html, text } = composeMail('Postmark', params);
  await postMail('Postmark error', params, {
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
