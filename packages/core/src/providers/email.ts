import type { Awaitable, Foreign, Theme } from '../types.ts';
import type { CommonProviderOptions } from './index.ts';
import Nodemailer, { type NodemailerConfig, type NodemailerUserConfig } from './nodemailer.ts';

export type { EmailProviderId } from './provider-types.ts';

/** Provider type of mailed links. */
export type EmailProviderType = 'email';

/** What `sendVerificationRequest` gets. */
export interface EmailProviderSendVerificationRequestParams {
  /** The address, canonical. */
  identifier: string;
  /** The link to mail. */
  url: string;
  expires: Date;
  provider: EmailConfig;
  /** The token inside the link. */
  token: string;
  theme: Theme;
  request: Request;
}

/** A provider that mails links. */
export interface EmailConfig extends CommonProviderOptions {
  id: string;
  type: EmailProviderType;
  name: string;
  /** What Nodemailer's factory was given as `server`. */
  server?: Foreign;
  /** Sender. */
  from?: string | undefined;
  /** Seconds a link is valid. Default: 86400. */
  maxAge?: number | undefined;
  /** Hashes the stored token. Default: the configuration's `secret`. */
  secret?: string | undefined;
  apiKey?: string | undefined;
  sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Awaitable<void>;
  generateVerificationToken?: (() => Awaitable<string>) | undefined;
  normalizeIdentifier?: ((identifier: string) => string) | undefined;
  /** The link shows a page whose button signs in, so that scanners which follow links do not spend it. Default: `false`. */
  confirm?: boolean | undefined;
  options?: Partial<EmailUserConfig> | undefined;
}

/** What an application may pass to the factory of an email provider. */
export type EmailUserConfig = Omit<Partial<EmailConfig>, 'options' | 'type'>;

/**
 * The older name of Nodemailer: the same, under the id `email`.
 *
 * @see https://nodemailer.com/smtp
 * @reviewed 2026-11-21
 * @register An account at a mail server that may send in the name of your domain. An adapter has to be configured, too.
 * @option `server` Address of the mail server (`smtps://user:password@smtp.example.com`); the other options are Nodemailer's.
 */
export default function Email(config: NodemailerUserConfig): NodemailerConfig {
  return { ...Nodemailer(config), id: 'email', name: 'Email' };
}
