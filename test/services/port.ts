import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of the loopback address where nobody listens. Below those that the system gives to connections and to `listen(0)`, so
 * that nobody takes it while a killed server is away.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
    await once(probe.close(), 'close');
    return true;
  } catch {
    return false; // taken
  }
}
