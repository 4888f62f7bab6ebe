import { AuthError } from '../errors.ts';
import { sentBy } from '../mail/sent-by.ts';
import type { EmailConfig, EmailProviderSendVerificationRequestParams, MailDelivery } from '../types/provider.ts';
import type { Awaitable } from '../types/user.ts';

/**
 * A value for nodemailer's `createTransport`: a connection URL (`smtps://user:password@host`), options, or a transport.
 */
export type NodemailerServer = string | object;

/** A provider that sends sign-in links over SMTP or another transport of nodemailer. */
export interface NodemailerConfig extends EmailConfig {
  /**
   * Connection URL, options, or a transport. A transport is used as it is, so that mails can share a pool of
   * connections. Otherwise each mail has a transport of its own, which is closed afterward. Required.
   */
  server?: NodemailerServer | undefined;
  sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Awaitable<void>;
  options?: NodemailerUserConfig | undefined;
}

/** Options of {@link Nodemailer}. */
export type NodemailerUserConfig = Omit<Partial<NodemailerConfig>, 'options' | 'type'>;

/**
 * Sign-in links by email over SMTP, by the package `nodemailer` (version 7 or newer). The application installs that
 * package.
 *
 * @see https://nodemailer.com/smtp
 * @reviewed 2026-11-21
 * @register Get an account at a mail server that may send mail for your domain. Configure an adapter, too.
 * @option `server` URL of the mail server (`smtps://user:password@smtp.example.com`), nodemailer's options, or a
 * transport. Required.
 * @option `from` Sender. Default: `no-reply@` and the host of the site.
 * @option `maxAge` Seconds that a link is valid. Default: 86400 (1 day).
 * @option `confirm` `true`: the link opens a page whose button signs in. Mail scanners that follow links then do not
 * use up the link. Default: `false`.
 * @throws {AuthError} if `server` is missing.
 */
export default function Nodemailer(config: NodemailerUserConfig): NodemailerConfig {
  if (!config?.server) {
    throw new AuthError(
      'Nodemailer requires a `server` configuration. Give the address of the mail server, as in `Nodemailer({ server: "smtps://user:password@smtp.example.com" })`',
    );
  }
  return {
    id: 'nodemailer',
    name: 'Nodemailer',
    type: 'email',
    maxAge: 86_400,
    ...sentBy(send),
    options: config,
  };
}

/** Maximum milliseconds to send a mail. Versions before 10 ignore it; their own limits add up to many minutes. */
const TIMEOUT = 30_000;

async function send(mail: MailDelivery): Promise<void> {
  const { to, subject, text, html, provider } = mail;
  const [nodemailer, { senderOf }] = await Promise.all([loadNodemailer(), import('../mail/sender.ts')]);
  const { server } = provider as NodemailerConfig;
  const transport = nodemailer.createTransport(server);
  try {
    const result = await transport.sendMail({
      ...{ subject, text, html },
      // Nodemailer would parse a string as a list of recipients.
      to: { name: '', address: to },
      from: senderOf(mail),
      // Tells automatic responders not to answer (RFC 3834 §5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const missed = [...(result.rejected ?? []), ...(result.pending ?? [])].filter(Boolean);
    if (missed.length > 0) throw new Error(`Email (${missed.map(addressOf).join(', ')}) could not be sent`);
  } finally {
    if (!isTransport(server)) transport.close();
  }
}

/** The part of nodemailer that is used here. It is the same in all supported versions. */
interface MailerLibrary {
  createTransport(server: unknown): {
    sendMail(mail: object): Promise<{ rejected?: unknown[] | undefined; pending?: unknown[] | undefined }>;
    close(): void;
  };
}

async function loadNodemailer(): Promise<MailerLibrary> {
  try {
    // Up to version 9, nodemailer is CommonJS: all exports are members of the default export.
    const { default: library } = (await import('nodemailer')) as unknown as { default: MailerLibrary };
    return library;
  } catch (error) {
    throw new AuthError('the package `nodemailer` cannot be loaded. Install it: `npm install nodemailer`', {
      cause: error,
    });
  }
}

function isTransport(server: unknown): boolean {
  return typeof (server as { send?: unknown } | undefined)?.send === 'function';
}

/** Returns the address in an entry of `rejected` or `pending`: a string or an object, depending on the transport. */
function addressOf(entry: unknown): string {
  return typeof entry === 'string' ? entry : String((entry as { address?: unknown }).address);
}
