import Nodemailer, { type NodemailerConfig, type NodemailerUserConfig } from './nodemailer.ts';

export type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailProviderType,
  EmailUserConfig,
  MailDelivery,
  MailRequester,
  VerifiedProvider,
} from '../types/provider.ts';
export type { EmailProviderId } from './provider-types.ts';

/**
 * The former name of Nodemailer: the same provider under the id `email`.
 *
 * @see https://nodemailer.com/smtp
 * @reviewed 2026-11-21
 * @register Get an account at a mail server that may send mail for your domain. Configure an adapter, too.
 * @option `server` URL of the mail server (`smtps://user:password@smtp.example.com`). The other options are those of
 * Nodemailer.
 */
export default function Email(config: NodemailerUserConfig): NodemailerConfig {
  return { ...Nodemailer(config), id: 'email', name: 'Email' };
}
