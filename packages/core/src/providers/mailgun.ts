import { AuthError } from '../errors.ts';
import { sentBy } from '../mail/sent-by.ts';
import type { EmailConfig, EmailUserConfig, MailDelivery } from './email.ts';

/** Options of {@link MailGun}. */
export interface MailGunUserConfig extends EmailUserConfig {
  /** Region in which the domain was created. Default: `US`. */
  region?: 'US' | 'EU' | undefined;
}

/**
 * Sign-in links by email, sent by Mailgun.
 *
 * @see
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages/post-v3--domain-name--messages
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/api-overview
 * @reviewed 2026-11-21
 * @register At https://app.mailgun.com: Add and verify your domain, and create a sending key for it. Configure an
 * adapter, too.
 * @option `apiKey` The sending key.
 * @option `from` Sender, at your domain at Mailgun: `sign-in@mg.example.com` or `Name <sign-in@mg.example.com>`.
 * Default: `no-reply@` and the host of the site. If it has no name, the provider's `name` is added.
 * @option `region` `EU` if the domain was created in that region. Default: `US`.
 * @option `maxAge` Seconds that a link is valid. Default: 86400 (1 day).
 * @quirk Click tracking is off in these mails, because it would send the link through Mailgun's servers.
 * @throws {AuthError} if `region` is neither `US` nor `EU`.
 */
export default function MailGun(config: MailGunUserConfig = {}): EmailConfig {
  const host = hosts.get(config.region ?? 'US');
  if (!host) throw new AuthError(`Mailgun has no region "${config.region}". Set \`region\` to "US" or "EU"`);
  return {
    id: 'mailgun',
    name: 'Mailgun',
    type: 'email',
    maxAge: 86_400,
    ...sentBy((mail) => sendFrom(host, mail)),
    options: config,
  };
}

const hosts = new Map([
  ['US', 'api.mailgun.net'],
  ['EU', 'api.eu.mailgun.net'],
]);

async function sendFrom(host: string, mail: MailDelivery): Promise<void> {
  const { composeMail, postMail } = await import('../mail/api.ts');
  const { key, from, to, subject, html, text } = composeMail('Mailgun', mail);
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  const sender = `${from.name ?? mail.provider.name} <${from.address}>`;
  const form = new FormData();
  for (const [name, value] of Object.entries({ from: sender, to, subject, html, text, 'o:tracking-clicks': 'no' })) {
    form.append(name, value);
  }
  await postMail('Mailgun error', mail, {
    url: `https://${host}/v3/${encodeURIComponent(domain)}/messages`,
    headers: { authorization: `Basic ${btoa(`api:${key}`)}` },
    body: form,
  });
}
