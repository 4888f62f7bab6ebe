import { type ChildProcess, fork } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { loadPeer } from '../../test/peers/load.ts';
import { describe } from '../answers/describe.ts';
import { seal } from '../limit/parts/jwe.ts';
import { sessionHandler } from '../limit/session-express.ts';
import { logger } from '../peers/family.ts';
import type { Work, Workshop } from '../race/work.ts';
import { basePath, claims, cookieNames, origin, secret, usualCookies } from '../visitor.ts';
import type { Load } from './parts/load.ts';
import { providersOf } from './parts/providers.ts';

type Handler = (request: never, response: never, next: never) => unknown;
type Express = () => RequestListener & { use(path: string, handler: Handler): unknown };

/** Requests of one run. */
const REQUESTS = 64;

async function workOf(express: Express, handler: Handler): Promise<Work> {
  const app = express();
  app.use(basePath, handler);
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const site = `http://127.0.0.1:${port}`;
  const token = seal(claims, secret, cookieNames.session, 2_592_000, Math.floor(Date.now() / 1000));
  const cookie = `${usualCookies.replace(encodeURIComponent(origin), encodeURIComponent(site))}; ${cookieNames.session}=${token}`;
  const visitors = fork(fileURLToPath(new URL('parts/load.ts', import.meta.url)), { stdio: 'inherit' });
  const url = `${site}${basePath}/session`;
  return {
    times: REQUESTS,
    run: () => ask(visitors, { url, cookie, requests: REQUESTS }),
    async answer() {
      const answer = await describe(await fetch(url, { headers: { cookie } }));
      if (!answer.body.includes(claims.email)) throw new Error(`no session: ${answer.body}`);
      const { date: _, 'keep-alive': __, ...headers } = answer.headers;
      return { ...answer, headers };
    },
    async close() {
      visitors.disconnect();
      server.closeAllConnections();
      server.close();
    },
  };
}

function ask(visitors: ChildProcess, load: Load): Promise<void> {
  return new Promise((resolve, reject) => {
    visitors.once('message', (message: { problem?: string }) =>
      message.problem ? reject(new Error(message.problem)) : resolve(),
    );
    visitors.send(load);
  });
}

async function ownExpress(): Promise<Express> {
  return ((await import('express')) as unknown as { default: Express }).default;
}

export const workshop: Workshop = {
  async latchkey() {
    const { ExpressAuth } = await import('@latchkey/express');
    const providers = (await providersOf('latchkey', 1)) as never;
    const handler = ExpressAuth({ providers, secret, trustHost: true, logger }, {}) as Handler;
    return workOf(await ownExpress(), handler);
  },
  async authjs() {
    const { ExpressAuth } = await loadPeer<{ ExpressAuth(config: object): Handler }>('authjs', '@auth/express');
    const { default: express } = await loadPeer<{ default: Express }>('authjs', 'express');
    return workOf(express, ExpressAuth({ providers: await providersOf('authjs', 1), secret, trustHost: true, logger }));
  },
  limit: async () => workOf(await ownExpress(), sessionHandler([secret]) as Handler),
};
