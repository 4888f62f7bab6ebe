import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { contractApplication } from './contract/application.ts';

const start = async (setup: BindingSetup) => {
  const app = await contractApplication(setup);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return { origin, stop: () => app.close() };
};

// With `trustProxy: true`, Fastify takes the last element of a list: that of the proxy next to it.
const features = { client: false, firstForwarded: false };
bindingSuite({ name: 'Fastify 5', start, features }, { describe, it, afterAll });
