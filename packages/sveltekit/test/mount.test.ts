import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mountOf } from '../src/visit.ts';
import { config, play } from './kit/scene.ts';
import { app, type Kit, startKit } from './kit/server.ts';

describe('the path of the actions', () => {
  it.each([
    ['/auth', '', '/auth'],
    ['/auth/', '', '/auth'],
    ['auth', '', '/auth'],
    ['/', '', ''],
    ['/auth', '/shop', '/shop/auth'],
    ['/shop/auth', '/shop', '/shop/auth'],
    ['/api/auth', '/shop', '/shop/api/auth'],
    ['/shop', '/shop', '/shop/auth'],
    ['/', '/shop', '/shop'],
    ['/shopping/auth', '/shop', '/shop/shopping/auth'],
  ])("%j below Kit's %j is %j", (basePath, base, expected) => expect(mountOf(basePath, base)).toBe(expected));
});

describe('the hook', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit(app);
  });
  beforeEach(() => play(config()));

  it('answers actions below the base path', async () => {
    const browser = kit.browser();
    expect((await browser.get('/shop/auth/session')).json()).toBeNull();
    expect((await browser.get('/shop/auth/providers')).json()).toMatchObject({
      credentials: { signinUrl: 'http://localhost:3000/shop/auth/signin/credentials' },
    });
    expect((await browser.get('/shop/auth/signin')).text()).toMatch(
      /action="[^"]*\/shop\/auth\/callback\/credentials"/,
    );
  });

  it.each(['/shop/auth', '/shop/auth/', '/shop/auth/nothing', '/shop/authentic/session', '/auth/session'])(
    'leaves %s to Kit',
    async (path) => {
      expect((await kit.browser().get(path)).status).toBe(404);
    },
  );

  it('leaves data requests of Kit’s pages to Kit', async () => {
    expect((await kit.browser().get('/shop/auth/session/__data.json')).status).toBe(404);
  });

  it('answers below a configured base path, and there only', async () => {
    play(config({ basePath: '/api/login' }));
    const browser = kit.browser();
    expect((await browser.get('/shop/api/login/session')).json()).toBeNull();
    expect((await browser.get('/shop/auth/session')).status).toBe(404);
  });

  it('serves the related origins of passkeys, if there are any', async () => {
    const at = '/other?at=/.well-known/webauthn';
    expect((await kit.browser().get(`/shop${at}`)).text()).toBe('not ours');
    const relayingParty = {
      id: 'example.com',
      name: 'Example',
      origin: ['https://example.com', 'https://example.org'],
    };
    play(config({ providers: [{ id: 'passkey', name: 'Passkey', type: 'webauthn', relayingParty } as never] }));
    expect((await kit.browser().get(`/shop${at}`)).json()).toEqual({ origins: relayingParty.origin });
    play({ ...config(), providers: undefined as never });
    expect((await kit.browser().get('/shop/')).status).toBe(500);
  });
});

describe('the environment', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit(app);
  });

  const secret = 'a-secret-for-tests-of-more-than-32-characters';
  const { secret: _, trustHost: __, ...open } = config();

  async function ask(env: Record<string, string>, at: string) {
    play(open);
    Object.assign((globalThis as unknown as { kitScene: object }).kitScene, { env });
    return kit.browser().get(`/shop/other?at=${encodeURIComponent(at)}`);
  }

  it('completes the configuration', async () => {
    const env = { AUTH_SECRET: secret, AUTH_TRUST_HOST: 'true' };
    expect((await ask(env, '/shop/auth/session')).json()).toBeNull();
    expect((await ask({ ...env, AUTH_SECRET: '' }, '/shop/auth/session')).status).toBe(500);
    expect((await ask({ AUTH_SECRET: secret, NODE_ENV: 'production' }, '/shop/auth/session')).status).toBe(500);
  });

  it('has precedence over that of the process', async () => {
    process.env['AUTH_SECRET'] = secret;
    try {
      expect((await ask({ AUTH_TRUST_HOST: 'true' }, '/shop/auth/session')).json()).toBeNull();
      expect((await ask({ AUTH_TRUST_HOST: 'true', AUTH_SECRET: '' }, '/shop/auth/session')).status).toBe(500);
    } finally {
      delete process.env['AUTH_SECRET'];
    }
  });

  it.each([
    ['https://shop.example', '/shop/auth'],
    ['https://shop.example/shop', '/shop/auth'],
    ['https://shop.example/shop/api/auth', '/shop/api/auth'],
    ['https://shop.example/api/auth', '/shop/api/auth'],
  ])('AUTH_URL=%s answers below %s, by that origin', async (AUTH_URL, basePath) => {
    const page = await ask({ AUTH_SECRET: secret, AUTH_URL }, `${basePath}/providers`);
    expect(page.json()).toMatchObject({
      credentials: { callbackUrl: `https://shop.example${basePath}/callback/credentials` },
    });
  });
});
