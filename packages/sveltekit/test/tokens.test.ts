import { tokensOf } from '@latchkey/core/tokens';
import { MemoryTokenVault, memoryAdapter } from '@latchkey/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from './kit/journey.ts';
import { config, fakeProvider, play } from './kit/scene.ts';
import { app, type Kit, shown, startKit } from './kit/server.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(app);
});
beforeEach(async () => {
  const providers = [...config().providers, fakeProvider().provider()];
  const tokens = { store: MemoryTokenVault() };
  const own = config({ adapter: memoryAdapter(), session: { strategy: 'jwt' }, providers, tokens });
  play(own);
  await tokensOf(own, {}).import({
    userId: '1',
    provider: 'fake',
    providerAccountId: 'ada',
    access_token: 'the token',
    expires_at: Math.floor(Date.now() / 1000) + 3600,
  });
});

describe('tokens(event)', () => {
  it('returns the token of the visitor in a load function, on a page that shared caches do not keep', async () => {
    const browser = await signedIn(kit.browser());
    const page = await browser.get('/shop/tokens');
    expect(shown(page)).toMatchObject({ token: 'the token' });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(shown(await kit.browser().get('/shop/tokens'))).toMatchObject({ code: 'signed-out' });
  });
});
