import { describe, expect, it } from 'vitest';
import { passkeyScript } from '../../src/views/passkey-script.ts';
import { oneDoor } from './doors.ts';
import { passkeyScene } from './passkey-scene.ts';
import { fakeProvider, oidc, scene } from './scene.ts';

const immutable = 'public, max-age=31536000, immutable';

describe.each(oneDoor)('the page of passkeys through $name', (door) => {
  it('loads scripts of the same origin, which may connect to that origin only', async () => {
    const page = await passkeyScene(door).browser.get('/auth/signin');
    const scripts = [...page.text().matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual(
      ['page', 'passkey'].map((name) =>
        expect.stringMatching(
          new RegExp(`^<script type="module" src="http://localhost:3000/auth/asset/${name}\\.js\\?v=[\\w-]{16}">$`),
        ),
      ),
    );
    const policy = page.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        ...["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "require-trusted-types-for 'script'"],
        'script-src http://localhost:3000/auth/asset/',
      ]),
    );
    expect(policy?.join()).not.toContain('unsafe');
  });

  it('has a form with the URLs for options and answer', async () => {
    const app = passkeyScene(door);
    const page = await app.browser.get('/auth/signin?callbackUrl=/inbox');
    const form = app.browser.form(page, 'callback/passkey');
    expect(form).toMatchObject({
      id: 'passkey-form',
      method: 'POST',
      action: 'http://localhost:3000/auth/callback/passkey',
    });
    expect(form.value('callbackUrl')).toBe('http://localhost:3000/inbox');
    expect(page.text()).toContain('data-webauthn="http://localhost:3000/auth/webauthn-options/passkey"');
  });

  it('offers a further passkey to a user who is signed in', async () => {
    const app = passkeyScene(door);
    await app.register();
    const page = await app.browser.get('/auth/signin?add');
    expect(page.text()).toContain('signed in as <strong><bdi>ada@example.com</bdi></strong>');
    expect(page.text()).toContain('Add a passkey');
    expect(page.text()).not.toContain('data-autofill');
    expect((await app.visitor().get('/auth/signin')).text()).not.toContain('ada@');
  });

  it('is shown even if the store is down', async () => {
    const app = passkeyScene(door);
    await app.register();
    app.adapter.fail('getSessionAndUser');
    const page = await app.browser.get('/auth/signin');
    expect(page.status).toBe(200);
    expect(page.text()).toContain('Sign in with a passkey');
    expect(app.log.types()).toEqual(['SessionTokenError']);
  });

  it('has a script that sends no requests if there are no passkeys', async () => {
    const page = await scene(door, { providers: [oidc(fakeProvider())] }).browser.get('/auth/signin');
    expect(page.text().match(/<script[^>]*>/g)).toEqual([expect.stringContaining('/asset/page.js?v=')]);
    expect(page.headers.get('content-security-policy')).not.toContain('connect-src');
  });

  it('leaves other ways to sign in as they are without JavaScript', async () => {
    const fake = fakeProvider();
    const app = passkeyScene(door);
    app.config.providers.push(oidc(fake));
    const page = await app.browser.get('/auth/signin');
    const started = await app.browser.submit(app.browser.form(page, 'signin/fake'));
    await app.finish(await fake.authorize(started.location ?? ''));
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
  });

  it.each([
    ['/auth', '/auth'],
    ['/', ''],
    ['/api/v1/auth', '/api/v1/auth'],
  ])('finds its script with the base path "%s"', async (basePath, base) => {
    const app = passkeyScene(door, {}, { config: { basePath } });
    const [, src = ''] = /src="([^"]+passkey[^"]+)"/.exec((await app.browser.get(`${base}/signin`)).text()) ?? [];
    expect(src).toMatch(`${base}/asset/passkey.js?v=`);
    const script = await app.browser.get(src);
    expect(script.text()).toBe(passkeyScript);
    expect(script.headers.get('cache-control')).toBe(immutable);
  });
});

describe.each(oneDoor)('the script through $name', (door) => {
  it('is JavaScript for the built-in pages, without cookies', async () => {
    const script = await passkeyScene(door).browser.get('/auth/asset/passkey.js');
    expect(Object.fromEntries(script.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    expect(script.setCookies).toEqual([]);
    expect(script.text()).toBe(passkeyScript);
  });

  it('is cached forever under its version only', async () => {
    const app = passkeyScene(door);
    for (const version of ['', 'x', 'a'.repeat(16)]) {
      const script = await app.browser.get(`/auth/asset/passkey.js?v=${version}`);
      expect(script.headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('is not an action of Auth.js v5', async () => {
    const { isAuthAction } = await import('../../src/index.ts');
    expect([isAuthAction('asset'), isAuthAction('code')]).toEqual([false, false]);
  });
});
