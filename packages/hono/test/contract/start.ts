import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import type { BindingSubject, RunningApplication } from '@latchkey/testing/binding-suite';
import { contractApplication } from './application.ts';

/** Serves the application of the suite on Node.js. */
export async function start(setup: BindingSetup): Promise<RunningApplication> {
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
}

/** The features that Hono lacks. It has no setting for proxies: `trustHost` decides about forwarded headers. */
export const features: NonNullable<BindingSubject['features']> = {
  client: false,
  ignoresProxy: false,
  refusesHosts: false,
};
