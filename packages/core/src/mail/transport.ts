import { AuthError } from '../errors.ts';
import type { MailMessage, MailOptions } from '../types/mail.ts';
import type { EmailConfig } from '../types/provider.ts';

/** The sender of mails that do not sign in. */
export interface MailTransport {
  /** The option `mail`. */
  readonly options: MailOptions | undefined;
  /** The first email provider with a built-in sender. */
  readonly provider: EmailConfig | undefined;
  /** A URL of the site, for the default sender. */
  readonly url: string;
  /** Name of the application. */
  readonly siteName?: string | undefined;
}

/** A mail with its secrets, which must not be logged. */
export interface SecurityMessage extends MailMessage {
  readonly secrets: readonly string[];
}

/**
 * Sends a mail with `mail.send`, else with the email provider.
 *
 * @throws {AuthError} if neither exists.
 * @throws {Error} if the application's function or the mail service fails.
 */
export async function sendMail(
  { options, provider, url, siteName }: MailTransport,
  mail: SecurityMessage,
): Promise<void> {
  const { secrets: _, ...message } = mail;
  if (options?.send) return options.send({ ...message, from: options.from });
  if (!provider?.sendMail)
    throw new AuthError('nothing can send mails. Add a built-in email provider, or set `mail.send`');
  const sender = options?.from === undefined ? provider : { ...provider, from: options.from };
  await provider.sendMail({ ...mail, url, siteName, provider: sender });
}
