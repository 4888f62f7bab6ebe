import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type MailFault, type MailFaults, type MailStep, meetFault } from './mailbox/faults.ts';
import { type Message, parseMessage } from './mailbox/message.ts';

export type { MailFault, MailFaults, MailStep };

/** A mail that was delivered. */
export interface Mail extends Message {
  /** Sender of the envelope. */
  readonly from: string;
  /** Recipients of the envelope: who really got it, whatever the headers say. */
  readonly to: readonly string[];
  /** Who the sender signed in as; `undefined` for nobody. */
  readonly user: string | undefined;
  /** It came over TLS. */
  readonly secure: boolean;
  /** When it was delivered. */
  readonly date: Date;
  /** The mail as it was sent. */
  readonly raw: string;
}

/** Options of {@link startMailbox}. */
export interface MailboxOptions {
  /** Default: 0, a free port. */
  port?: number;
  /** A loopback name or address. Default: `127.0.0.1`. */
  host?: string;
  /** Who may send. Default: everybody. */
  auth?: { user: string; pass: string };
  /** Whether mails of senders who have not signed in are taken although there is `auth`. Default: false. */
  authOptional?: boolean;
  /** Speaks TLS from the first byte, with this key and certificate (PEM). Default: plain text. */
  tls?: { key: string; cert: string };
}

/** How to reach a mailbox; what nodemailer's `createTransport` takes. */
export interface MailServer {
  host: string;
  port: number;
  secure: boolean;
  auth?: { user: string; pass: string };
  /** The certificate to believe. */
  tls?: { ca: string };
}

/** A mail server that delivers into this process. */
export interface Mailbox {
  /** `Nodemailer({ server: mailbox.server })` */
  readonly server: MailServer;
  /** The mails so far, oldest first. */
  readonly messages: readonly Mail[];
  /** What goes wrong; assign and delete freely. */
  readonly faults: MailFaults;
  /**
   * The next mail to an address: each one is handed out once, so that a second call waits for a second mail.
   *
   * @param timeout Milliseconds. Default: 3000, less than tests are given.
   * @throws {Error} when none has come in time.
   */
  waitFor(address: string, timeout?: number): Promise<Mail>;
  /** Forgets the mails so far. */
  clear(): void;
  /** Stops listening and drops connections. */
  close(): Promise<void>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/**
 * Starts a real SMTP server (the npm package `smtp-server`) on this machine only. Whatever it is sent is kept in memory.
 *
 * ```ts
 * const mailbox = await startMailbox();
 * const config = { providers: [Nodemailer({ server: mailbox.server, from: 'sign-in@example.com' })], … };
 * const { links } = await mailbox.waitFor('ada@example.com');
 * ```
 *
 * @throws {TypeError} when `host` is not a loopback name.
 * @throws {Error} when the port is taken.
 */
export async function startMailbox(options: MailboxOptions = {}): Promise<Mailbox> {
  const { host = '127.0.0.1', port = 0, auth, tls } = options;
  if (!LOOPBACK.includes(host)) throw new TypeError(`the mailbox listens on loopback only, not on ${host}`);
  const messages: Mail[] = [];
  const handedOut = new WeakSet<Mail>();
  const waiting = new Set<() => void>();
  const faults: MailFaults = {};
  const server = makeServer(options, faults, (mail) => {
    messages.push(mail);
    for (const look of waiting) look();
  });
  await listen(server, port, host);
  return {
    server: {
      host,
      port: (server.server.address() as AddressInfo).port,
      secure: tls !== undefined,
      ...(auth && { auth }),
      ...(tls && { tls: { ca: tls.cert } }),
    },
    messages,
    faults,
    waitFor(address, timeout = 3000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          const all = messages.flatMap(({ to }) => to).join(', ') || 'none';
          reject(new Error(`no mail to ${address} within ${timeout} ms; mails so far: ${all}`));
        }, timeout);
        const look = (): void => {
          const mail = messages.find((one) => one.to.includes(address) && !handedOut.has(one));
          if (!mail) return;
          handedOut.add(mail);
          waiting.delete(look);
          clearTimeout(timer);
          resolve(mail);
        };
        waiting.add(look);
        look();
      });
    },
    clear: () => void messages.splice(0),
    close: () =>
      new Promise((resolve) => {
        drop(server);
        server.close(() => resolve());
      }),
  };
}

type SMTPConnection = SMTPServer['connections'] extends Set<infer Each> ? Each : never;
type Done = (error?: Error | null) => void;

function makeServer(options: MailboxOptions, faults: MailFaults, deliver: (mail: Mail) => void): SMTPServer {
  const { auth, authOptional = false, tls } = options;
  const met = new Map<MailFault, number>();

  /** Answers a step, unless its fault says otherwise. */
  function step(name: MailStep, session: SMTPServerSession, done: Done, answer: () => void): void {
    meetFault(name, faults, met, () => drop(server, ({ session: { id } }) => id === session.id)).then(
      (goesOn) => goesOn && answer(),
      done,
    );
  }

  const server = new SMTPServer({
    ...tls,
    secure: tls !== undefined,
    // Without a certificate of its own the server would offer one that nobody can check.
    disabledCommands: tls ? [] : ['STARTTLS', ...(auth ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    authOptional: auth === undefined || authOptional,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (session, done) => step('connect', session, done, done),
    onAuth: ({ username, password }, session, done) =>
      step('auth', session, done, () => {
        if (auth && username === auth.user && password === auth.pass) done(null, { user: username });
        else done(Object.assign(new Error('wrong user or password'), { responseCode: 535 }));
      }),
    onRcptTo: (_, session, done) => step('recipient', session, done, done),
    onData(stream, session, done) {
      readAll(stream).then(
        (raw) =>
          step('data', session, done, () => {
            deliver(mailOf(raw, session));
            done();
          }),
        done,
      );
    },
  });
  // A connection that breaks off is the sender's matter, and an error without listener would end the process.
  server.on('error', () => undefined);
  return server;
}

/** Of a TLS connection the outer socket goes: Node does not survive the loss of the inner one alone. */
function drop(server: SMTPServer, which: (connection: SMTPConnection) => boolean = () => true): void {
  for (const connection of server.connections) if (which(connection)) connection._socket.destroy();
}

function mailOf(raw: Buffer, { envelope, user, secure }: SMTPServerSession): Mail {
  return {
    ...parseMessage(raw),
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    user: user as string | undefined,
    secure,
    date: new Date(),
    raw: raw.toString(),
  };
}

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function listen(server: SMTPServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
}
