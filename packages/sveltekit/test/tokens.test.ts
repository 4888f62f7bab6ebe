import { tokensOf } from '@latchkey/core/tokens';
import { application, type Browser, MemoryTokenVault, memoryAdapter } from '@latchkey/testing';
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

describe('tokens in a cookie', () => {
  /** A visitor whose access token has expired. The sign-in happens without Kit, with the same configuration. */
  async function expired(): Promise<{ browser: Browser; refreshes: string[] }> {
    const refreshes: string[] = [];
    const request = async ({ refreshToken }: { refreshToken: string }) => {
      refreshes.push(refreshToken);
      return {
        tokens: { access_token: 'new', refresh_token: 'next', expires_in: 3600, token_type: 'bearer' as const },
      };
    };
    const account = () => ({ access_token: 'old', refresh_token: 'first', expires_at: 1 });
    const provider = fakeProvider();
    const entry = { ...provider.provider(), account, refresh: { request } };
    const own = config({ session: { strategy: 'jwt' }, providers: [entry], tokens: { store: 'cookie' } });
    play(own);
    const signIn = application({ provider, config: own });
    await signIn.signIn();
    const browser = kit.browser();
    for (const { name, value } of signIn.browser.cookies.all()) browser.cookies.set(name, value);
    return { browser, refreshes };
  }

  it('are refreshed in a load function, which sets the cookie', async () => {
    const { browser, refreshes } = await expired();
    const page = await browser.get('/shop/tokens');
    expect(shown(page)).toEqual({ token: 'new' });
    expect(page.cookie('authjs.tokens')).toMatchObject({ httpOnly: true });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(shown(await browser.get('/shop/tokens'))).toEqual({ token: 'new' });
    expect(refreshes).toEqual(['first']);
  });

  it('are not refreshed after the answer was made', async () => {
    const { browser, refreshes } = await expired();
    const page = await browser.get('/shop/tokens?late');
    expect(page.text()).toContain('read-only');
    expect(refreshes).toEqual([]);
  });
});
