import Credentials from '@latchkey/core/providers/credentials';
import { beforeAll, describe, expect, it } from 'vitest';
import { config, logged, play } from './kit/scene.ts';
import { app, type Kit, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  // Counters outlive a test file. Other files use another network.
  kit = await startKit(app, {}, { address: '198.51.100.7' });
});

const providers = [Credentials({ credentials: { name: {}, password: {} }, authorize: () => null })];
const fail = async (name: string): Promise<number> => {
  const browser = kit.browser();
  return (await browser.post('/shop/auth/callback/credentials', { name, password: 'x' })).status;
};

describe('the hook of Kit', () => {
  it('counts the network of `getClientAddress`, for the form action, too', async () => {
    play(config({ providers, rateLimit: { network: { limit: 2 } } }));
    expect([await fail('b'), await fail('c'), await fail('d')]).toEqual([302, 302, 429]);
    await kit.browser().post('/shop/signin?/plain', { providerId: 'credentials', name: 'e', password: 'x' });
    expect(logged.at(-1)).toBe('RateLimited');
  });
});
