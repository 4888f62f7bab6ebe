import { application, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import Credentials from '../../src/providers/credentials.ts';
import Passkey from '../../src/providers/passkey.ts';

const login = Credentials({
  credentials: { username: { label: 'Username' }, password: { label: 'Password', type: 'password' } },
  authorize: () => null,
});

function site() {
  return application({
    adapter: memoryAdapter(),
    config: ({ provider, mail }) => ({
      providers: [provider.provider(), mail, login],
      session: { strategy: 'jwt' },
    }),
  });
}

describe('a form of another site that names a built-in page', () => {
  it.each(['signin/fake', 'signin/mail', 'signin', 'callback/credentials', 'callback/fake'])(
    'to %s replaces no cookie, and gets no page with its values',
    async (path) => {
      const app = site();
      const started = await app.startSignIn();
      const callback = await app.provider.authorize(started.redirect ?? '');
      const before = app.browser.cookies.all();
      const body = new URLSearchParams({
        latchkeyPage: 'signin',
        identifier: 'eve@evil.example',
        email: 'eve@evil.example',
        username: 'eve@evil.example',
        callbackUrl: '/chosen',
      });
      const page = await app.browser.open(`/auth/${path}`, { body, site: 'cross-site' });
      expect(page.text()).not.toContain('eve@evil.example');
      expect(page.location).toMatch(/error=(MissingCSRF|InvalidProvider)/);
      expect(app.browser.cookies.all()).toEqual(before);
      await app.open(callback);
      expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    },
  );
});

describe('the page of a passkey that was not created', () => {
  it('does not repeat passwords and codes', async () => {
    const app = application({
      adapter: memoryAdapter(),
      config: {
        providers: [
          Passkey({
            formFields: {
              email: { label: 'Email', type: 'email', autocomplete: 'username webauthn' },
              invitation: { label: 'Invitation', type: 'password' },
              pin: { label: 'Code', autocomplete: 'one-time-code' },
            },
          }),
        ],
        experimental: { enableWebAuthn: true },
        session: { strategy: 'jwt' },
      },
    });
    const page = await app.post('callback/passkey', {
      latchkeyPage: 'register',
      email: 'ada@example.com',
      invitation: 'a-secret-invitation',
      pin: '1234-secret',
      action: 'register',
      data: '{}',
    });
    expect(page.status).toBe(422);
    expect(page.text()).toContain('value="ada@example.com"');
    expect(page.text()).not.toMatch(/secret/);
  });
});
