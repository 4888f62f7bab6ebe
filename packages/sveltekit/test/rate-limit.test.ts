import Credentials from '@latchkey/core/providers/credentials';
import { beforeAll, describe, expect, it } from 'vitest';
import { config, logged, play } from './kit/scene.ts';
import { app, type Kit, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  // What is counted outlives a file of tests: others fail from another network.
  kit = await startKit(app, {}, '198.51.100.7');
});

const providers = [Credentials({ credentials: { name: {}, password: {} }, authorize: () => null })];
const fail = async (name: string): Promise<number> => {
  const browser = kit.browser();
  return (await browser.post('/shop/auth/callback/credentials', { name, password: 'x' })).status;
};

describe('the hook of Kit', () => {
  it('answers 429 with Retry-After after twenty wrong passwords', async () => {
    play(config({ providers }));
    for (let time = 0; time < 20; time++) expect(await fail('Ada')).toBe(302);
    const late = await kit.browser().post('/shop/auth/callback/credentials', { name: 'Ada', password: 'x' });
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('counts the network that the adapter tells, also for the form action', async () => {
    play(config({ providers, rateLimit: { network: { limit: 22 } } }));
    expect([await fail('b'), await fail('c'), await fail('d')]).toEqual([302, 302, 429]);
    await kit.browser().post('/shop/signin?/plain', { providerId: 'credentials', name: 'e', password: 'x' });
    expect(logged.at(-1)).toBe('RateLimited');
  });
});
