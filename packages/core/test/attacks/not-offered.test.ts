import type { FakeProvider } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { type Door, doors } from '../flows/doors.ts';
import { fakeProvider, leadsTo, oidc, type Scene, scene, sessionCookies } from '../flows/scene.ts';

const PENDING = /state$|verifier$|nonce$/;

async function signedIn(door: Door): Promise<{ fake: FakeProvider; app: Scene }> {
  const fake = fakeProvider();
  const app = scene(door, { providers: [oidc(fake)] });
  await app.signIn(fake);
  return { fake, app };
}

/** Signed in as before, and no sign-in has been started. */
async function expectUntouched(app: Scene): Promise<void> {
  expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  expect(app.browser.cookies.all().filter(({ name }) => PENDING.test(name))).toEqual([]);
}

describe.each(doors)('what is not offered has no door, through $name', (door) => {
  it.each([
    'backchannel-logout',
    'backchannel_logout',
    'logout',
    'frontchannel-logout',
    'callback/fake',
    'callback/fake/logout',
    'signout/fake',
    'session/revoke',
  ])('back-channel logout: a logout token posted to %s ends nothing', async (path) => {
    const { app, fake } = await signedIn(door);
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      iss: fake.issuer,
      aud: 'client',
      sub: 'ada-1815',
      iat: Math.floor(Date.now() / 1000),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    const logout_token = `${encoded({ alg: 'none', typ: 'logout+jwt' })}.${encoded(claims)}.`;
    for (const browser of [app.visitor(), app.browser]) {
      const page = await browser.post(`/auth/${path}`, { logout_token }, { site: 'cross-site' });
      expect(page.status).not.toBe(200);
      expect(page.setCookies.filter(({ name }) => name.includes('session-token'))).toEqual([]);
    }
    await expectUntouched(app);
  });

  it('front-channel logout: the sign-out page in a frame of the provider ends nothing, whatever it is asked', async () => {
    const { app, fake } = await signedIn(door);
    const query = new URLSearchParams({ iss: fake.issuer, sid: 'x', id_token_hint: 'x', client_id: 'client' });
    for (const path of ['signout', 'logout', 'frontchannel-logout']) {
      const page = await app.browser.get(`/auth/${path}?${query}`, { site: 'cross-site' });
      expect(page.setCookies.filter(({ name }) => name.includes('session-token'))).toEqual([]);
    }
    await expectUntouched(app);
  });

  it('logout at the provider: signing out asks nobody, and leads to no address that a request names', async () => {
    const { app, fake } = await signedIn(door);
    const before = fake.count();
    const page = await app.post('signout', {
      post_logout_redirect_uri: 'https://evil.example/',
      redirect_uri: 'https://evil.example/',
      state: 'x',
    });
    expect(leadsTo(page)).toBe('/');
    expect(page.redirect?.origin).toBe('http://localhost:3000');
    expect(fake.count()).toBe(before);
    expect(sessionCookies(app.browser)).toEqual([]);
  });

  it('keys and clients that an answer brings: nobody registers, and no WebFinger is asked', async () => {
    const { app } = await signedIn(door);
    for (const path of ['register', 'webfinger', 'jwks', '.well-known/openid-configuration']) {
      expect((await app.browser.get(`/auth/${path}?resource=acct:x@evil.example`)).status).toBe(400);
    }
  });
});
