import type { Awaitable } from './user.ts';

/** A mail to one person. */
export interface MailMessage {
  /** The address of the recipient. */
  to: string;
  /** The subject, as one line of plain text. */
  subject: string;
  /** The content as plain text. */
  text: string;
  /** The same content as HTML. */
  html: string;
}

/**
 * How mails are sent that do not sign in, such as notices about changes of an account.
 *
 * ```ts
 * mail: { from: 'Acme <security@acme.example>', send: ({ to, subject, text, html }) => mailer.send(…) }
 * ```
 */
export interface MailOptions {
  /** Sender: an address, or `Name <address>`. Default: the sender of the email provider. */
  from?: string | undefined;
  /**
   * Sends a mail. `from` is the option of this name. An exception is logged, and the change that the mail reports stays
   * as it is. Default: the first built-in email provider sends it.
   */
  send?: ((mail: MailMessage & { readonly from?: string | undefined }) => Awaitable<void>) | undefined;
}
