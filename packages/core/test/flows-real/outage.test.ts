import type { OidcProvider } from '@latchkey/testing/oidc-provider';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../../test/services/port.ts';
import { application, checkCookies, cookieNames, idp, origin, sessionCookie, startProvider } from './scene.ts';

let provider: OidcProvider;
beforeEach(async () => {
  // While the provider is down, the system must not give its port to another process.
  provider = await startProvider({}, { port: await freePort() });
});
afterEach(async () => {
  vi.useRealTimers();
  await provider.close();
});

const refused = (error: string): string => `${origin}/auth/signin?error=${error}&provider=idp`;

describe('while the provider is down', () => {
  it('a sign-in cannot start, says so on the sign-in page, and starts when the provider is back', async () => {
    await provider.stop();
    const app = application(idp(provider.issuer));
    const back = await app.begin();
    expect(back.location).toBe(refused('OAuthSignin'));
    expect((await app.browser.follow(back)).status).toBe(200);
    expect(app.log).toEqual(['OAuthSignInError']);
    for (const name of checkCookies) expect(cookieNames(app)).not.toContain(name);
    await provider.start();
    expect((await app.signIn()).location).toBe(`${origin}/inside`);
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
  });

  it('a visitor who comes back ends without a session, and signs in when the provider is back', async () => {
    const app = application(idp(provider.issuer));
    const callback = await app.consent(await app.begin());
    await provider.stop();
    expect((await app.comeBack(callback)).location).toBe(refused('OAuthCallbackError'));
    expect(await app.session()).toBeNull();
    expect(cookieNames(app)).not.toContain(sessionCookie);
    expect(app.log).toEqual(['OAuthCallbackError']);
    await provider.start();
    expect((await app.signIn()).location).toBe(`${origin}/inside`);
  });

  it('visitors who are signed in already stay so, and can sign out', async () => {
    const app = application(idp(provider.issuer));
    await app.signIn();
    await provider.stop();
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
    await app.browser.post('/auth/signout', { csrfToken: await app.csrfToken() });
    expect(await app.session()).toBeNull();
    expect(app.log).toEqual([]);
  });

  it('the way to it is known from before, also when its metadata has grown old', async () => {
    const app = application(idp(provider.issuer));
    await app.signIn();
    await provider.stop();
    expect((await app.begin()).redirect?.origin).toBe(provider.issuer);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3600_000 });
    expect((await app.stranger().begin()).redirect?.origin).toBe(provider.issuer);
    vi.setSystemTime(Date.now() + 48 * 3600_000);
    expect((await app.stranger().begin()).location).toBe(refused('OAuthSignin'));
  });
});

describe('when the provider has other keys after a restart', () => {
  async function restart(): Promise<void> {
    const port = Number(new URL(provider.issuer).port);
    await provider.close();
    provider = await startProvider({}, { port });
  }

  it('a sign-in is refused until keys may be fetched again, and then succeeds', async () => {
    const app = application(idp(provider.issuer));
    await app.signIn();
    await restart();
    const soon = app.stranger();
    expect((await soon.signIn()).location).toBe(refused('OAuthCallbackError'));
    expect(await soon.session()).toBeNull();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const later = app.stranger();
    expect((await later.signIn()).location).toBe(`${origin}/inside`);
    expect(await later.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
  });

  it('sessions from before stay', async () => {
    const app = application(idp(provider.issuer));
    await app.signIn();
    await restart();
    expect(await app.session()).toMatchObject({ user: { name: 'Ada Lovelace' } });
  });
});
