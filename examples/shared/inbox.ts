import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { framedMail, inboxPage, mailPolicy, type ShownMail } from './inbox-page.ts';
import { inboxPath, type Site } from './layout.ts';
import { icon, pagePolicy } from './style.ts';

/** An HTML page with its headers. */
interface Answer {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Returns the page with all mails, or the mail with this number, for a frame in that page.
 *
 * @param mails The oldest first.
 * @returns `undefined` if there is no such mail.
 */
export function answerInbox(site: Site, mails: readonly ShownMail[], number?: string | undefined): Answer | undefined {
  if (!number) return { headers: {}, body: inboxPage(site, mails) };
  const mail = mails[Number(number) - 1];
  if (!mail?.html) return undefined;
  return {
    headers: { 'content-security-policy': mailPolicy, 'referrer-policy': 'no-referrer' },
    body: framedMail(mail),
  };
}

/**
 * Serves the inbox on a port of its own, so that the application does not contain it.
 *
 * @param port 0 for any free port.
 * @returns The URL of the inbox.
 */
export async function startInbox(site: Site, mails: readonly ShownMail[], port: number): Promise<string> {
  const path = inboxPath(site);
  const server = createServer(({ method, url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    if (pathname === '/favicon.ico') return response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(icon);
    const isHere = pathname === path || pathname.startsWith(`${path}/`);
    const answer = isHere ? answerInbox(site, mails, pathname.slice(path.length + 1)) : undefined;
    if (!answer || (method !== 'GET' && method !== 'HEAD')) return response.writeHead(404, common).end('Not found');
    response.writeHead(200, { ...common, ...html, ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, 'localhost', resolve);
  });
  // The process may end while the server runs.
  server.unref();
  return `http://localhost:${(server.address() as AddressInfo).port}${path}`;
}

const common = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' };

const html = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(),
  'referrer-policy': 'same-origin',
};
