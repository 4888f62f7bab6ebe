import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encode } from '../../src/jwt.ts';
import {
  type App,
  application,
  checkCookies,
  cookieNames,
  idp,
  origin,
  sessionCookie,
  startProvider,
} from './scene.ts';

let provider: OidcProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const all = { checks: ['pkce', 'state', 'nonce'] } satisfies Parameters<typeof idp>[1];

/** Refused with this code on the sign-in page, without a session. */
async function expectRefusal(app: App, back: { location: string | undefined }, error: string): Promise<void> {
  expect(back.location).toBe(`${origin}/auth/signin?error=${error}`);
  expect(cookieNames(app)).not.toContain(sessionCookie);
  expect(await app.session()).toBeNull();
}

describe('a callback from the real provider is refused', () => {
  it.each([
    ['state', 'authjs.state'],
    ['pkce', 'authjs.pkce.code_verifier'],
    ['nonce', 'authjs.nonce'],
  ] as const)('without the cookie of the check %s', async (check, name) => {
    const app = application(idp(provider.issuer, { checks: [check] }));
    const callback = await app.consent(await app.begin());
    app.browser.cookies.delete(name);
    await expectRefusal(app, await app.comeBack(callback), 'InvalidCheck');
    expect(app.log).toEqual(['InvalidCheck']);
  });

  it.each(checkCookies)('with a cookie %s that nobody has sealed', async (name) => {
    const app = application(idp(provider.issuer, all));
    const callback = await app.consent(await app.begin());
    app.browser.cookies.set(name, 'garbage');
    await expectRefusal(app, await app.comeBack(callback), 'InvalidCheck');
    for (const cookie of checkCookies) expect(cookieNames(app)).not.toContain(cookie);
  });

  it.each(checkCookies)("with a cookie %s of another visitor's sign-in", async (name) => {
    const app = application(idp(provider.issuer, all));
    const other = app.stranger();
    const callback = await app.consent(await app.begin());
    await other.begin();
    app.browser.cookies.set(name, other.browser.cookies.get(name)?.value ?? '');
    await expectRefusal(app, await app.comeBack(callback), 'InvalidCheck');
  });

  it.each([
    ['authjs.state', 'InvalidCheck'],
    ['authjs.pkce.code_verifier', 'OAuthCallbackError'],
    ['authjs.nonce', 'OAuthCallbackError'],
  ])('with a well sealed cookie %s that holds another value', async (name, error) => {
    const app = application(idp(provider.issuer, all));
    const callback = await app.consent(await app.begin());
    const token = { value: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', provider: 'idp' };
    const secret = app.config.secret ?? '';
    app.browser.cookies.set(name, await encode({ token, secret, salt: name, maxAge: 900 }));
    await expectRefusal(app, await app.comeBack(callback), error);
  });

  it('with another state in the address', async () => {
    const app = application(idp(provider.issuer, all));
    const callback = new URL(await app.consent(await app.begin()));
    callback.searchParams.set('state', 'another');
    await expectRefusal(app, await app.comeBack(callback.href), 'InvalidCheck');
  });

  it('with another issuer in the address', async () => {
    const app = application(idp(provider.issuer, all));
    const callback = new URL(await app.consent(await app.begin()));
    callback.searchParams.set('iss', 'https://impostor.example');
    await expectRefusal(app, await app.comeBack(callback.href), 'OAuthCallbackError');
  });

  it('with a code that the provider has never issued', async () => {
    const app = application(idp(provider.issuer, all));
    const callback = new URL(await app.consent(await app.begin()));
    callback.searchParams.set('code', 'made-up');
    await expectRefusal(app, await app.comeBack(callback.href), 'OAuthCallbackError');
  });

  it('after 15 minutes, when the check cookies count no more', async () => {
    const late = { minutes: 0 };
    const now = (): Date => new Date(Date.now() + late.minutes * 60_000);
    const app = application(idp(provider.issuer, all), { call: { now } });
    const callback = await app.consent(await app.begin());
    late.minutes = 15.1;
    await expectRefusal(app, await app.comeBack(callback), 'InvalidCheck');
    late.minutes = 0;
    expect((await app.signIn()).location).toBe(`${origin}/inside`);
  });

  it('when it is opened twice: the first session stays', async () => {
    const app = application(idp(provider.issuer, all));
    const callback = await app.consent(await app.begin());
    await app.comeBack(callback);
    const session = app.browser.cookies.get(sessionCookie)?.value;
    expect((await app.comeBack(callback)).location).toBe(`${origin}/auth/signin?error=InvalidCheck`);
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
