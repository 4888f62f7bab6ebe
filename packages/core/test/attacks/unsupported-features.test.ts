import { type FakeProvider, memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { type Door, oneDoor } from '../flows/doors.ts';
import { leadsTo, type Scene, sessionCookies, startsSession } from '../flows/scene.ts';
import { site } from './site.ts';

const PENDING = /state$|verifier$|nonce$/;

async function signedIn(door: Door): Promise<{ fake: FakeProvider; app: Scene }> {
  const { fake, app } = site(door, {}, { adapter: memoryAdapter() });
  await app.signIn(fake);
  return { fake, app };
}

/** Signed in as before, and no sign-in has been started. */
async function expectUntouched(app: Scene): Promise<void> {
  expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  expect(app.browser.cookies.all().filter(({ name }) => PENDING.test(name))).toEqual([]);
}

describe.each(oneDoor)('features that are not configured or not offered cannot be reached, through $name', (door) => {
  it.each(
    // biome-ignore format: a list to be read across
    [
      'backchannel-logout', 'backchannel-logout/fake', 'backchannel_logout', 'logout', 'frontchannel-logout',
      'callback/fake', 'callback/fake/logout', 'signout/fake', 'session/revoke',
    ],
  )('back-channel logout: a logout token posted to %s ends nothing', async (path) => {
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

  it('front-channel logout: the sign-out page in a frame of the provider ends no session', async () => {
    const { app, fake } = await signedIn(door);
    const query = new URLSearchParams({ iss: fake.issuer, sid: 'x', id_token_hint: 'x', client_id: 'client' });
    for (const path of ['signout', 'logout', 'frontchannel-logout']) {
      const page = await app.browser.get(`/auth/${path}?${query}`, { site: 'cross-site' });
      expect(page.setCookies.filter(({ name }) => name.includes('session-token'))).toEqual([]);
    }
    await expectUntouched(app);
  });

  it('logout at the provider: signing out sends no request, and redirects to no address that the request names', async () => {
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

  it('keys and clients that an answer brings: no client is registered, and no WebFinger request is sent', async () => {
    const { app } = await signedIn(door);
    for (const path of ['register', 'webfinger', 'jwks', '.well-known/openid-configuration']) {
      expect((await app.browser.get(`/auth/${path}?resource=acct:x@evil.example`)).status).toBe(400);
    }
  });
});

describe.each(oneDoor)('what a provider might ask for and is not offered, through $name', (door) => {
  it.each(['get', 'post'] as const)(
    'a sign-in that another site begins (third-party initiated login) starts nothing by %s',
    async (method) => {
      const { fake, app } = site(door);
      const asked = new URLSearchParams({
        iss: fake.issuer,
        login_hint: 'mallory',
        target_link_uri: 'https://evil.example/',
      });
      for (const path of ['/auth/signin/fake', '/auth/signin']) {
        const page =
          method === 'get'
            ? await app.browser.get(`${path}?${asked}`, { site: 'cross-site' })
            : await app.browser.post(path, asked, { site: 'cross-site' });
        expect(page.location ?? '').not.toContain('idp.test');
        expect(page.location ?? '').not.toContain('evil.example');
        expect(page.setCookies.filter(({ name }) => /state|pkce|nonce/.test(name))).toEqual([]);
      }
      expect(fake.count()).toBe(0);
    },
  );

  it('a fresh ID token (refresh) is never requested, so it cannot name another user', async () => {
    const { fake, app } = site(door);
    await app.signIn(fake);
    app.clock.advance(7200);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(fake.requestsTo('token').map(({ form }) => form.get('grant_type'))).toEqual(['authorization_code']);
  });

  it('a session of its own through the front channel: an address with an ID token does not sign in', async () => {
    const { fake, app } = site(door);
    let idToken = '';
    fake.misbehave({ idToken: { token: (token) => (idToken = token) } });
    await app.signIn(fake);
    const stranger = app.visitor();
    const page = await app.finish(`/auth/callback/fake?id_token=${idToken}`, stranger);
    expect(startsSession(page)).toBe(false);
    expect(leadsTo(page)).toMatch(/^\/auth\/signin\?error=/);
  });
});
