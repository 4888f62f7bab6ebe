import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { contractApplication } from './contract/application.ts';

const start = async (setup: BindingSetup) => {
  const app = contractApplication(setup, (c) => {
    const forwarded = setup.trustProxy ? c.req.header('x-forwarded-for') : undefined;
    return forwarded ?? getConnInfo(c).remote.address;
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
};

// Hono has no setting for proxies: `trustHost` decides about forwarded headers.
bindingSuite(
  { name: 'Hono 4', start, features: { client: false, ignoresProxy: false, refusesHosts: false } },
  { describe, it, afterAll },
);
