import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode } from '@latchkey/core/jwt';
import Credentials from '@latchkey/core/providers/credentials';
import type { ExpressAuthConfig } from '@latchkey/express';
import { Browser, type Page } from '@latchkey/testing';
import express5, { type Express } from 'express';
import { onTestFinished } from 'vitest';
import { loadCompat } from '../../../test/compat/load.ts';

const { default: express4 } = await loadCompat<{ default: typeof express5 }>('express-4', 'express');

/** Both major versions. */
export const frameworks: [name: 'Express 5' | 'Express 4', express: typeof express5][] = [
  ['Express 5', express5],
  ['Express 4', express4],
];

export const secret = 'a secret of more than thirty-two characters';

/** An empty environment, in the place of the machine's own. */
export const env: Record<string, string> = {};

/** Accepts any name with the password `password`. */
export function configuration(overrides: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig {
  return {
    secret,
    trustHost: true,
    logger: { error: () => undefined, warn: () => undefined },
    providers: [
      Credentials({
        credentials: { name: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
        authorize: ({ name, password }) =>
          password === 'password' ? { id: '1', name: String(name), email: 'ada@example.com' } : null,
      }),
    ],
    ...overrides,
  };
}

/** Serves an application on a free port until the test is over. */
export async function serve(app: Express): Promise<{ origin: string; port: number; browser: Browser }> {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return { origin, port, browser: new Browser(fetch, { origin }) };
}

/** Sends exactly the headers of the request; `fetch` has a `Sec-Fetch-Mode` of its own. */
export async function send(request: Request): Promise<Response> {
  const { method, headers } = request;
  const body = Buffer.from(await request.arrayBuffer());
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(request.url, { method, headers: Object.fromEntries(headers) }, resolve)
      .on('error', reject)
      .end(body);
  });
  const lines = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const content = Buffer.concat(await answer.toArray());
  return new Response(content.length > 0 ? content : null, { status: answer.statusCode ?? 0, headers: lines });
}

/** Signs in through the built-in page. */
export async function signIn(browser: Browser, mount = '/auth', name = 'Ada'): Promise<Page> {
  // The page for visitors who are signed in has no forms to sign in; with an error it has.
  const page = await browser.get(`${mount}/signin?error=SessionRequired`);
  return browser.submit(browser.form(page, 'callback/credentials'), { name, password: 'password' });
}

export const cookieName = 'authjs.session-token';

/** Returns the `Cookie` header of a visitor with this token. */
export async function sessionCookie(token: object = { name: 'Ada' }, name: string = cookieName): Promise<string> {
  return `${name}=${await encode({ token, secret, salt: name })}`;
}
