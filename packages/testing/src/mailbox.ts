import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type Message, parseMessage } from './mailbox/message.ts';

/** A mail that was delivered. */
export interface Mail extends Message {
  /** Sender of the envelope. */
  readonly from: string;
  /** Recipients of the envelope, who received the mail. The headers may name others. */
  readonly to: readonly string[];
  /** The user name of the sender; `undefined` if the sender did not authenticate. */
  readonly user: string | undefined;
  /** Whether the mail came over TLS. */
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
  /** The user who may send. Default: each sender may. */
  auth?: { user: string; pass: string };
  /** Whether senders may omit `auth`. Default: false. */
  authOptional?: boolean;
  /** Speaks TLS from the first byte, with this key and certificate (PEM). Default: plain text. */
  tls?: { key: string; cert: string };
}

/** The address of a mailbox, for nodemailer's `createTransport`. */
export interface MailServer {
  /** A loopback name or address. */
  host: string;
  /** The port on which the server listens. */
  port: number;
  /** Whether the connection begins with TLS: the mailbox has the option `tls`. */
  secure: boolean;
  /** The account that the server requires. Absent if it accepts mails without one. */
  auth?: { user: string; pass: string };
  /** The certificate to trust. */
  tls?: { ca: string };
}

/** A mail server that delivers into this process. */
export interface Mailbox {
  /** `Nodemailer({ server: mailbox.server })` */
  readonly server: MailServer;
  /** The mails so far, oldest first. */
  readonly messages: readonly Mail[];
  /** The fault of each step. A test may assign and delete members. */
  readonly faults: MailFaults;
  /**
   * Returns the next mail to an address. It returns each mail once, so a second call waits for a second mail.
   *
   * @param timeout Milliseconds. Default: 3000.
   * @throws {Error} if no mail arrives in time.
   */
  waitFor(address: string, timeout?: number): Promise<Mail>;
  /** Deletes the mails so far. */
  clear(): void;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/**
 * Starts a real SMTP server (the npm package `smtp-server`) on a loopback address. It keeps all mails in memory.
 *
 * ```ts
 * const mailbox = await startMailbox();
 * const config = { providers: [Nodemailer({ server: mailbox.server, from: 'sign-in@example.com' })], … };
 * const { links } = await mailbox.waitFor('ada@example.com');
 * ```
 *
 * @throws {TypeError} if `host` is not a loopback name.
 * @throws {Error} if the port is taken.
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

  /** Answers a step, unless a fault applies. */
  function step(name: MailStep, session: SMTPServerSession, done: Done, answer: () => void): void {
    meetFault(name, faults, met, () => drop(server, ({ session: { id } }) => id === session.id)).then(
      (goesOn) => goesOn && answer(),
      done,
    );
  }

  const server = new SMTPServer({
    ...tls,
    secure: tls !== undefined,
    // Without `tls` the server would offer a certificate that clients cannot verify.
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
  // The sender handles lost connections. Without a listener, an error would end the process.
  server.on('error', () => undefined);
  return server;
}

/** Destroys the outer socket of a TLS connection: Node crashes if only the inner one is destroyed. */
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

/** A fault at one step of a delivery. Members can be combined. */
export interface MailFault {
  /** The reply code of a refusal: 4xx is temporary, 5xx is permanent. */
  refuse?: number;
  /** Closes the connection. */
  drop?: boolean;
  /** Milliseconds before the server answers. */
  delay?: number;
  /** The number of times the fault occurs. Default: every time. */
  times?: number;
}

/** The steps of a delivery: the greeting, the sender's authentication, the recipient, the end of the mail. */
export type MailStep = 'connect' | 'auth' | 'recipient' | 'data';

/** The fault of each step. */
export type MailFaults = { [Step in MailStep]?: MailFault | undefined };

/** An error that the SMTP server answers with its code. */
class Refusal extends Error {
  readonly responseCode: number;

  constructor(step: MailStep, responseCode: number) {
    super(`refused by the test (${step})`);
    this.responseCode = responseCode;
  }
}

/**
 * Applies the fault of a step.
 *
 * @param met Counts how often each fault has occurred.
 * @param drop Closes the connection.
 * @returns `false` if the connection is closed, so that the server must not answer.
 * @throws {Refusal} if the fault refuses the step.
 */
async function meetFault(
  step: MailStep,
  faults: MailFaults,
  met: Map<MailFault, number>,
  drop: () => void,
): Promise<boolean> {
  const fault = faults[step];
  if (!fault) return true;
  const before = met.get(fault) ?? 0;
  met.set(fault, before + 1);
  if (before >= (fault.times ?? Number.POSITIVE_INFINITY)) return true;
  if (fault.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delay));
  if (fault.drop) {
    drop();
    return false;
  }
  if (fault.refuse !== undefined) throw new Refusal(step, fault.refuse);
  return true;
}
