import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it, vi } from 'vitest';
import { contractApplication, one } from './contract/application-h3-1.ts';

vi.mock('h3', async () => (await import('../../../test/compat/load.ts')).loadCompat('h3-1', 'h3'));

const start = async (setup: BindingSetup) => {
  const server = createServer(one.toNodeListener(contractApplication(setup)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
};

// `trustHost` decides about forwarded headers.
const features = { client: false, ignoresProxy: false, refusesHosts: false };
bindingSuite({ name: 'h3 1', start, features }, { describe, it, afterAll });
