import type { EmailConfig, MailDelivery } from '../types/provider.ts';

/**
 * Returns the members of a built-in email provider that send mails: sign-in mails, with the built-in text, and others.
 * The text is imported with the first mail.
 *
 * @param send Hands a mail to the service.
 */
export function sentBy(
  send: (mail: MailDelivery) => Promise<void>,
): Required<Pick<EmailConfig, 'sendMail' | 'sendVerificationRequest'>> {
  return {
    sendMail: send,
    async sendVerificationRequest(params) {
      const { signInDelivery } = await import('./sign-in.ts');
      await send(signInDelivery(params));
    },
  };
}
