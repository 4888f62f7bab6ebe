import type { Adapter } from '@latchkey/core/adapters';
import { application } from '@latchkey/testing';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FreshPrefix, type OwnServer, startable, startRedis } from '../../../test/services/index.ts';
import { RedisAdapter } from '../src/index.ts';
import { type Connected, countKinds, keysIn } from './clients.ts';
import { rejection } from './samples.ts';

/** Clients with the time limits of the README that reconnect at once. */
const patient: Readonly<Record<string, (url: string) => Promise<Connected>>> = {
  redis: async (url) => {
    const client = createClient({
      url,
      disableOfflineQueue: true,
      commandOptions: { timeout: 2000 },
      socket: { reconnectStrategy: 20 },
    });
    client.on('error', () => undefined);
    await client.connect();
    return { client, send: (...command) => client.sendCommand(command), close: () => client.destroy() };
  },
  ioredis: async (url) => {
    const client = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: 2000, retryStrategy: () => 20 });
    client.on('error', () => undefined);
    return { client, send: (name, ...args) => client.call(name ?? '', ...args), close: () => client.disconnect() };
  },
};

describe.skipIf(!(await startable('redis')))('a server that is killed and restarted', () => {
  let server: OwnServer<FreshPrefix>;
  beforeAll(async () => {
    server = await startRedis({ persistent: true });
  });
  afterAll(() => server.stop());

  for (const [title, connect] of Object.entries(patient)) {
    describe.each(['all', 'user'] as const)(`by ${title}, tag %s`, (tag) => {
      it('does not sign visitors out, and accepts new sign-ins', async () => {
        const { prefix } = await server.fresh();
        const { client, close } = await connect(server.url);
        const adapter = RedisAdapter(client, { prefix, tag });
        const { log, visitor, signIn, session } = application({ adapter });
        await signIn();
        await server.kill();
        expect(await session()).toBeNull();
        expect(log.types()).toEqual(['SessionTokenError']);
        expect(String(await rejection(() => adapter.getUser('ada')))).toMatch(/^\w*Error: .+/);
        const refused = await signIn({ browser: visitor() });
        expect(refused.location).toContain('error=');
        await server.start();
        await eventually(() => adapter.getUser('ada'));
        expect(await session()).toMatchObject({ user: { email: 'ada@example.com' } });
        const another = visitor();
        await signIn({ browser: another });
        expect(await session(another)).toMatchObject({ user: { email: 'ada@example.com' } });
        close();
      });

      it.each(['createUserWithAccount', 'replaceSession', 'spendOnce'] as const)(
        'leaves nothing half done when it dies before %s of a first sign-in',
        async (method) => {
          const { prefix } = await server.fresh();
          const { client, send, close } = await connect(server.url);
          const adapter = RedisAdapter(client, { prefix, tag });
          let kills = 1;
          const dying: Adapter = {
            ...adapter,
            [method]: async (...args: never[]) => {
              if (kills-- > 0) await server.kill();
              return (adapter[method] as (...args: never[]) => unknown)(...args);
            },
          };
          const { signIn, session } = application({ adapter: dying });
          const failed = await signIn();
          expect(failed.location).toContain('error=');
          expect(await session()).toBeNull();
          await server.start();
          await eventually(() => adapter.getUser('ada'));
          const {
            user = 0,
            account = 0,
            email = 0,
            session: sessions = 0,
          } = countKinds(await keysIn({ send }, prefix), prefix);
          expect([user, account, email]).toEqual(method === 'replaceSession' ? [1, 1, 1] : [0, 0, 0]);
          expect(sessions).toBe(0);
          await signIn();
          expect(await session()).toMatchObject({ user: { email: 'ada@example.com' } });
          expect(countKinds(await keysIn({ send }, prefix), prefix)).toMatchObject({ user: 1, account: 1, session: 1 });
          close();
        },
      );
    });
  }
});

/** Tries until it works: a client needs time to reconnect. */
async function eventually(work: () => unknown): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      await work();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  await work();
}
