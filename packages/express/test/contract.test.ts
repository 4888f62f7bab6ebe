import type { AddressInfo } from 'node:net';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { contractApplication } from './contract/application.ts';
import { frameworks } from './site.ts';

for (const [name, express] of frameworks) {
  const start = async (setup: BindingSetup) => {
    const server = contractApplication(express, setup).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = (): void => {
      server.close();
      server.closeAllConnections();
    };
    return { origin: `http://127.0.0.1:${port}`, stop };
  };
  bindingSuite({ name, start, features: { serverCalls: false, client: false } }, { describe, it, afterAll });
}
