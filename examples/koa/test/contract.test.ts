import type { AddressInfo } from 'node:net';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { contractApplication, frameworks } from './contract/application.ts';

for (const [name, Koa] of frameworks) {
  const start = async (setup: BindingSetup) => {
    const server = contractApplication(Koa, setup).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = (): void => {
      server.close();
      server.closeAllConnections();
    };
    return { origin: `http://127.0.0.1:${port}`, stop };
  };
  // Koa itself has no base path; the package `koa-mount` adds one.
  bindingSuite({ name, start, features: { base: false, client: false } }, { describe, it, afterAll });
}
