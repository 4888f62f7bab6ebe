import type { AddressInfo } from 'node:net';
import type { BindingSetup } from '@latchkey/testing/binding-application';
import { bindingSuite } from '@latchkey/testing/binding-suite';
import { afterAll, describe, it } from 'vitest';
import { contractApplication } from './application.ts';

/** Runs the suite of the bindings on the version of Nest that the application imports. */
export function describeContract(name: string): void {
  const start = async (setup: BindingSetup) => {
    const app = await contractApplication(setup);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return { origin: `http://127.0.0.1:${port}`, stop: () => app.close() };
  };
  bindingSuite({ name, start, features: { client: false } }, { describe, it, afterAll });
}
