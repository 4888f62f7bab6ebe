import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/jwt.ts';
import { type App, application, cookieNames, idp, origin, sessionCookie, startProvider } from './scene.ts';

let provider: OidcProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const all = { checks: ['pkce', 'state', 'nonce'] } satisfies Parameters<typeof idp>[1];

/** Expects the sign-in page with this error code, and no session. */
async function expectRefusal(app: App, back: { location: string | undefined }, error: string): Promise<void> {
  expect(back.location).toBe(`${origin}/auth/signin?error=${error}&provider=idp`);
  expect(cookieNames(app)).not.toContain(sessionCookie);
  expect(await app.session()).toBeNull();
}

describe('a callback from the real provider is refused', () => {
  it.each([
    ['authjs.state', 'InvalidCheck'],
    ['authjs.pkce.code_verifier', 'OAuthCallbackError'],
    ['authjs.nonce', 'OAuthCallbackError'],
  ])('with a cookie %s that is sealed and has another value', async (name, error) => {
    const app = application(idp(provider.issuer, all));
    const callback = await app.consent(await app.begin());
    const secret = app.config.secret ?? '';
    const payload = await decode({ token: app.browser.cookies.get(name)?.value, secret, salt: name });
    const token = { ...payload, value: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' };
    app.browser.cookies.set(name, await encode({ token, secret, salt: name, maxAge: 900 }));
    await expectRefusal(app, await app.comeBack(callback), error);
  });

  it('with a code that the provider has never issued', async () => {
    const app = application(idp(provider.issuer, all));
    const callback = new URL(await app.consent(await app.begin()));
    callback.searchParams.set('code', 'made-up');
    await expectRefusal(app, await app.comeBack(callback.href), 'OAuthCallbackError');
  });

  it('when it is opened twice: the first session stays', async () => {
    const app = application(idp(provider.issuer, all));
    const callback = await app.consent(await app.begin());
    await app.comeBack(callback);
    const session = app.browser.cookies.get(sessionCookie)?.value;
    expect((await app.comeBack(callback)).location).toBe(`${origin}/auth/signin?error=InvalidCheck&provider=idp`);
    expect(app.browser.cookies.get(sessionCookie)?.value).toBe(session);
  });

  it.each([[['pkce']], [['state']], [['nonce']]] as const)(
    'in the browser of a visitor who has not started it, with the checks %s',
    async (checks) => {
      const app = application(idp(provider.issuer, { checks: [...checks] }));
      const victim = app.stranger();
      const callback = await app.consent(await app.begin(), 'grace');
      await victim.begin();
      await expectRefusal(victim, await victim.comeBack(callback), 'InvalidCheck');
    },
  );
});
