import { memoryAdapter } from '@latchkey/testing';
import { describe, expect, it } from 'vitest';
import { doors } from '../../flows/doors.ts';
import { fakeProvider, leadsTo, oidc, scene, startsSession } from '../../flows/scene.ts';

describe.each(doors)('what a provider might ask for and is not offered, through $name', (door) => {
  it.each(['get', 'post'] as const)(
    'a sign-in that another site begins (third-party initiated login) starts nothing by %s',
    async (method) => {
      const fake = fakeProvider();
      const app = scene(door, { providers: [oidc(fake)] });
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

  it('a logout token ends no session: there is no such door', async () => {
    const fake = fakeProvider();
    const app = scene(door, { adapter: memoryAdapter(), providers: [oidc(fake)] });
    await app.signIn(fake);
    for (const path of ['signout/fake', 'backchannel-logout', 'backchannel-logout/fake', 'logout', 'callback/fake']) {
      await app.visitor().post(`/auth/${path}`, { logout_token: 'a.b.c' }, { site: 'cross-site' });
    }
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('a fresh ID token (refresh) is never asked for, so that none can name somebody else', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    await app.signIn(fake);
    app.clock.advance(7200);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
    expect(fake.requestsTo('token').map(({ form }) => form.get('grant_type'))).toEqual(['authorization_code']);
  });

  it('a session of its own through the front channel: an address with an ID token is no sign-in', async () => {
    const fake = fakeProvider();
    const app = scene(door, { providers: [oidc(fake)] });
    let idToken = '';
    fake.misbehave({ idToken: { token: (token) => (idToken = token) } });
    await app.signIn(fake);
    const stranger = app.visitor();
    const page = await app.finish(`/auth/callback/fake?id_token=${idToken}`, stranger);
    expect(startsSession(page)).toBe(false);
    expect(leadsTo(page)).toMatch(/^\/auth\/signin\?error=/);
  });
});
