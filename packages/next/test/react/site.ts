import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerNodeRequest, type Host, serializeCookie, signIn, signOut } from '@latchkey/core/binding';
import { CredentialsSignin } from '@latchkey/core/errors';
import Credentials from '@latchkey/core/providers/credentials';
import Passkey from '@latchkey/core/providers/passkey';
import type { AuthConfig } from '@latchkey/core/types';
import { memoryAdapter } from '@latchkey/testing';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { App, type Scene } from './app/app.ts';
import { bundled } from './bundled.ts';

class WrongPassword extends CredentialsSignin {
  override code = 'wrong_password';
}

/** The fates of the next requests to an action, in order. */
export type Fault = 'drop' | 'fail' | 'page' | Promise<void>;

/** An application with a React page and the real thing behind it. */
export interface Site {
  readonly origin: string;
  /** Requests to our actions so far, as `GET session`; those that are held are among them. */
  readonly requests: string[];
  /** The codes of the mails so far. */
  readonly codes: string[];
  /** Lets requests to an action fail, or wait. */
  disturb(action: string, ...faults: Fault[]): void;
  /** Whether answers set the revision. Default: `true`. */
  hasRevision: boolean;
  close(): Promise<void>;
}

const codes: string[] = [];

const config: AuthConfig = {
  basePath: '/api/auth',
  secret: 'a-secret-for-tests-of-more-than-32-characters',
  trustHost: true,
  adapter: memoryAdapter(),
  session: { strategy: 'jwt' },
  experimental: { enableWebAuthn: true },
  logger: { error: () => {}, warn: () => {} },
  providers: [
    // With a mail provider, a new address would have to be confirmed first.
    Passkey({ unverifiedEmail: 'allow' }),
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      code: true,
      sendVerificationRequest: ({ code }) => void codes.push(String(code)),
    },
    Credentials({
      credentials: { name: {}, password: {} },
      authorize({ name, password }) {
        if (password !== 'password') throw new WrongPassword();
        return { id: String(name), name: String(name) };
      },
    }),
  ],
  callbacks: {
    jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, name: session.name } : token),
  },
};

/** Starts the application on a free port. */
export async function startSite(): Promise<Site> {
  const script = await bundled();
  const requests: string[] = [];
  const faults = new Map<string, Fault[]>();
  const site = { hasRevision: true };

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/app.js') return send(response, 'text/javascript', script);
    if (pathname.startsWith('/act/')) return act(request, response, site.hasRevision);
    if (!pathname.startsWith('/api/auth/')) return send(response, 'text/html', await page(request));
    requests.push(`${request.method} ${pathname.slice('/api/auth/'.length)}`);
    const fault = faults.get(pathname.split('/')[3] ?? '')?.shift();
    if (fault === 'drop') return drop(response);
    if (fault === 'fail') return send(response.writeHead(500), 'text/html', 'Out of order');
    if (fault === 'page') return send(response, 'text/html', '<h1>Please sign in</h1>');
    await fault;
    const origin = `http://${request.headers.host}`;
    const url = { origin, path: request.url ?? '/', basePath: '/api/auth', hasClient: site.hasRevision };
    return answerNodeRequest(request, response, { config, call: {} }, url);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return Object.assign(site, {
    codes,
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    disturb: (action: string, ...some: Fault[]) => void faults.set(action, [...(faults.get(action) ?? []), ...some]),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  });
}

function send(response: ServerResponse, type: string, body: string): void {
  if (!response.headersSent) response.setHeader('content-type', `${type}; charset=utf-8`);
  response.end(body);
}

/** Breaks the connection within the answer. Without any answer, the browser itself would repeat the request. */
function drop(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
  response.write('{', () => response.destroy());
}

/** Renders a page. The scene is in the query; without it, the page has a provider only. */
async function page(request: IncomingMessage): Promise<string> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const scene: Scene = JSON.parse(searchParams.get('scene') ?? '{"provider":{}}');
  const html = searchParams.has('rendered') ? renderToString(createElement(App, scene)) : '';
  const json = JSON.stringify(scene).replaceAll('<', '\\u003c');
  return `<!doctype html><title>Test</title><div id="root">${html}</div>
<script type="application/json" id="scene">${json}</script><script src="/app.js"></script>`;
}

/** Server actions: they sign in and out with the same answer that brings the page's new content. */
async function act(request: IncomingMessage, response: ServerResponse, hasClient: boolean): Promise<void> {
  const { pathname, searchParams, origin } = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const cookies: string[] = [];
  const host: Host = {
    origin,
    hasClient,
    headers: new Headers({ cookie: request.headers.cookie ?? '' }),
    setCookie: (cookie) => void cookies.push(serializeCookie(cookie)),
    redirect: () => {
      throw new Error('not asked for');
    },
  };
  const name = searchParams.get('name') ?? '';
  const options = { redirect: false } as const;
  if (pathname === '/act/sign-out') await signOut({ config, call: {} }, host, options);
  else await signIn({ config, call: {} }, host, 'credentials', { ...options, name, password: 'password' });
  response.setHeader('set-cookie', cookies);
  const expires = new Date(Date.now() + 1e9).toISOString();
  send(response, 'application/json', JSON.stringify(name ? { user: { name }, expires } : null));
}
