import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clock, type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { type Mail, type Mailbox, startMailbox } from '@latchkey/testing/mailbox';
import { answerNodeRequest } from '../../src/binding.ts';
import type { CallOptions } from '../../src/context.ts';
import Nodemailer from '../../src/providers/nodemailer.ts';
import type { AuthConfig } from '../../src/types/config.ts';
import { log, SECRET } from '../flows/scene.ts';

/** An application that mails links and codes, on a port of its own, with an SMTP server. */
export interface MailSite {
  readonly origin: string;
  readonly adapter: MemoryAdapter;
  readonly clock: Clock;
  readonly mailbox: Mailbox;
  /** The headers of the requests for links, the oldest first. */
  readonly opened: IncomingHttpHeaders[];
  /** HTML of the page `/reader`, which stands for a mail program in the browser. */
  reader: string;
  close(): Promise<void>;
}

export async function startMailSite(): Promise<MailSite> {
  const clock = new Clock(new Date());
  const adapter = memoryAdapter({ now: clock.now });
  const mailbox = await startMailbox();
  const config: AuthConfig = {
    providers: [Nodemailer({ server: mailbox.server, code: true })],
    adapter,
    secret: SECRET,
    trustHost: true,
    logger: log(),
  };
  const call: CallOptions = { now: clock.now };
  const opened: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/auth/callback/') && request.method === 'GET') opened.push(request.headers);
    if (path.startsWith('/auth/')) {
      const url = { origin: site.origin, path, basePath: '/auth' };
      return answerNodeRequest(request, response, { config, call }, url);
    }
    response.setHeader('content-type', 'text/html');
    response.end(path === '/reader' ? site.reader : '<title>Inside</title><h1>Inside</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: MailSite = {
    ...{ adapter, clock, mailbox, opened, reader: '' },
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mailbox.close();
    },
  };
  return site;
}

/** Returns the sign-in link of a mail. */
export function linkIn({ links }: Mail): string {
  return links.find((link) => link.includes('/auth/callback/')) ?? '';
}

/** Returns the code of a mail, as readers see it: two groups of digits. */
export function codeIn({ text }: Mail): string {
  return /^Your code: (\d{4} \d{4})$/m.exec(text)?.[1] ?? '';
}

/** Returns another code than that of the mail. */
export function otherCode(mail: Mail): string {
  const code = codeIn(mail);
  return `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;
}
