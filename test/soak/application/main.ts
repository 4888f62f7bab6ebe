import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExpressAuth, getSession } from '@latchkey/express';
import express, { type ErrorRequestHandler } from 'express';
import { answerQuestions } from '../answers.ts';
import { modes } from '../people.ts';
import { authConfigs } from './auth.ts';
import { openStores } from './stores.ts';

/** One of the two processes of the application. `AUTH_SECRET` and `AUTH_SECRET_1` are in its environment. */

const { SOAK_POSTGRES = '', SOAK_REDIS = '', SOAK_PREFIX = '', SOAK_ISSUER = '' } = process.env;
const stores = openStores(SOAK_POSTGRES, SOAK_REDIS, SOAK_PREFIX);
const configs = authConfigs(SOAK_ISSUER, stores);

const app = express().disable('x-powered-by').disable('etag').set('trust proxy', 'loopback');
for (const mode of modes) {
  app.use(`/${mode}/auth`, ExpressAuth(configs[mode]));
  app.get(`/${mode}/me`, async (request, response) => {
    response.set('cache-control', 'private, no-store').json(await getSession(request, configs[mode]));
  });
}
const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  console.error(error);
  response.status(500).json({ error: String(error?.name) });
};
app.use(onError);

const server = createServer(app);
// The switch keeps its connections, and no request of its own may meet one that closes.
server.keepAliveTimeout = 0;
await once(server.listen(0, '127.0.0.1'), 'listening');

process.once('SIGTERM', async () => {
  await Promise.all([once(server, 'close'), server.close()]);
  await stores.close();
  process.disconnect();
});

answerQuestions({
  port: () => (server.address() as AddressInfo).port,
  postgres: stores.health.postgres,
  redis: stores.health.redis,
  memory() {
    // The second collects what finalizers of the first have let go.
    for (let times = 0; times < 2; times++) globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heap: heapUsed + external, rss };
  },
});
