import { AuthError } from '../errors.ts';
import type { Awaitable } from '../types.ts';
import type { EmailConfig, EmailProviderSendVerificationRequestParams } from './email.ts';

/** What nodemailer's `createTransport` takes: a connection URL (`smtps://user:password@host`), options, or a transport. */
export type NodemailerServer = string | object;

/** Sign-in links mailed over SMTP, or another transport of nodemailer. */
export interface NodemailerConfig extends EmailConfig {
  /**
   * A transport of your own is used as it is, which is the way to share a pool of connections. From anything else one is
   * made for each mail and closed after it.
   */
  server?: NodemailerServer | undefined;
  sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Awaitable<void>;
  options?: NodemailerUserConfig | undefined;
}

/** What an application may pass to {@link Nodemailer}. */
export type NodemailerUserConfig = Omit<Partial<NodemailerConfig>, 'options' | 'type'>;

/**
 * Sign-in links mailed over SMTP with `nodemailer` (version 7 or newer), which the application installs.
 *
 * @see https://nodemailer.com/smtp
 * @reviewed 2026-11-21
 * @register An account at a mail server that may send in the name of your domain. An adapter has to be configured, too.
 * @option `server` Address of the mail server (`smtps://user:password@smtp.example.com`), nodemailer's options, or a transport.
 * @option `from` Sender. Default: `no-reply@` the site's own host.
 * @option `maxAge` Seconds a link is valid. Default: 86400.
 * @option `confirm` The link shows a page whose button signs in, so that programs which follow links do not spend it.
 * @throws {AuthError} without `server`.
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
    sendVerificationRequest,
    options: config,
  };
}

/** Milliseconds for a mail in all; nodemailer's own limits come to many minutes. Versions before 10 know only those. */
const TIME = 30_000;

async function sendVerificationRequest(params: EmailProviderSendVerificationRequestParams): Promise<void> {
  const { identifier, url, theme, provider } = params;
  const [nodemailer, { signInMail }] = await Promise.all([loadNodemailer(), import('../mail/sign-in.ts')]);
  const { server } = provider as NodemailerConfig;
  const transport = nodemailer.createTransport(server);
  try {
    const result = await transport.sendMail({
      ...signInMail({ url, theme, maxAge: provider.maxAge }),
      // An object: text would be parsed as a list of recipients.
      to: { name: '', address: identifier },
      from: provider.from ?? `no-reply@${new URL(url).hostname}`,
      // Absence notes are not to answer (RFC 3834 §5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(TIME),
    });
    const missed = [...(result.rejected ?? []), ...(result.pending ?? [])].filter(Boolean);
    if (missed.length > 0) throw new Error(`Email (${missed.map(addressOf).join(', ')}) could not be sent`);
  } finally {
    if (!isTransport(server)) transport.close();
  }
}

/** The part of nodemailer that is needed here, whichever version is installed. */
interface MailerLibrary {
  createTransport(server: unknown): {
    sendMail(mail: object): Promise<{ rejected?: unknown[] | undefined; pending?: unknown[] | undefined }>;
    close(): void;
  };
}

async function loadNodemailer(): Promise<MailerLibrary> {
  try {
    // CommonJS up to version 9: everything is in the default export.
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

/** Transports tell addresses as text or as objects. */
function addressOf(entry: unknown): string {
  return typeof entry === 'string' ? entry : String((entry as { address?: unknown }).address);
}
