import { type MemoryAdapter, memoryAdapter } from '@latchkey/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from './kit/journey.ts';
import { config, fakeProvider, play } from './kit/scene.ts';
import { app, type Kit, shown, startKit } from './kit/server.ts';

let kit: Kit;
let adapter: MemoryAdapter;
beforeAll(async () => {
  kit = await startKit(app);
});
beforeEach(async () => {
  adapter = memoryAdapter() as MemoryAdapter;
  await adapter.createUser({ id: '1', name: 'Ada', email: 'ada@example.com', emailVerified: null });
  await adapter.linkAccount({ userId: '1', provider: 'fake', providerAccountId: 'ada', type: 'oidc' });
  const account = { without: ['mails'], hasPassword: () => true } as const;
  const providers = [...config().providers, fakeProvider().provider()];
  play(config({ adapter, session: { strategy: 'jwt' }, providers, account }));
});

describe('account(event)', () => {
  it('lists the ways to sign in in a load function, on a page that shared caches do not keep', async () => {
    const browser = await signedIn(kit.browser());
    const page = await browser.get('/shop/account');
    expect(shown(page)).toMatchObject({ ways: [{ provider: 'fake' }, { kind: 'credentials' }] });
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(shown(await kit.browser().get('/shop/account'))).toMatchObject({ ways: [] });
  });

  it('changes the account in form actions, and reads the session anew', async () => {
    const browser = await signedIn(kit.browser());
    const { ways } = shown(await browser.get('/shop/account')) as { ways: { id: string }[] };
    expect(shown(await browser.post('/shop/account?/unlink', { id: ways[0]?.id }))).toEqual({ count: 1 });
    expect(adapter.dump().accounts).toEqual([]);
    expect(shown(await browser.post('/shop/account?/name'))).toMatchObject({ session: { user: { name: 'Countess' } } });
    const link = await browser.post('/shop/account?/link');
    expect(link.redirect?.hostname).toBe('idp.test');
  });

  it('needs a recent sign-in', async () => {
    expect(shown(await kit.browser().post('/shop/account?/unlink', { id: 'x' }))).toEqual({
      type: 'RecentSignInRequired',
    });
  });

  it('leaves the path of the page to the application, without the option', async () => {
    expect((await kit.browser().get('/shop/auth/account')).redirect?.pathname).toBe('/shop/auth/signin');
    play(config());
    expect((await kit.browser().get('/shop/auth/account')).status).toBe(404);
  });
});
