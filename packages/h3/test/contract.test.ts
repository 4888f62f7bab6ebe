import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { serve } from 'h3/node';
import { afterAll, describe, it } from 'vitest';
import { contractApplication } from './contract/application.ts';

const start = async (setup: BindingSetup) => {
  const server = serve(contractApplication(setup), { port: 0, hostname: '127.0.0.1', silent: true });
  await server.ready();
  return { origin: String(server.url).replace(/\/$/, ''), stop: () => server.close(true) };
};

// h3 2 reads a body once, and `trustHost` decides about forwarded headers.
const features = { client: false, parseBodies: false, ignoresProxy: false, refusesHosts: false };
bindingSuite({ name: 'h3 2', start, features }, { describe, it, afterAll });
