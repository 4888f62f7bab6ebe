import { describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import { fakeProvider, leadsTo, oauth, oidcScene, scene, startsSession } from './scene.ts';

describe.each(doors)('a sign-in through $name', (door) => {
  it('ends with a session that has name, address, and picture, and nothing else', async () => {
    const { app, fake } = oidcScene(door);
    const page = await app.signIn(fake, { fields: { callbackUrl: '/dashboard?tab=1' } });
    expect(page.location).toBe('http://localhost:3000/dashboard?tab=1');
    expect(await app.session()).toEqual({
      user: { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://idp.test/ada.png' },
      expires: expect.any(String),
    });
    expect(app.log.types()).toEqual([]);
    expect(app.browser.rejected).toEqual([]);
  });

  it('works with a plain OAuth provider that has no issuer', async () => {
    const fake = fakeProvider({ oidc: false, issParameter: false, requirePkce: true });
    const app = scene(door, { providers: [oauth(fake)] });
    expect(leadsTo(await app.signIn(fake, { id: 'plain' }))).toBe('/');
    expect(app.log.errors).toEqual([]);
    expect(await app.session()).toMatchObject({ user: { email: 'ada@example.com' } });
  });

  it('removes the check cookies at the end', async () => {
    const { app, fake } = oidcScene(door, { checks: ['pkce', 'state', 'nonce'] });
    await app.begin();
    expect(
      app.browser.cookies
        .all()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'authjs.callback-url',
      'authjs.csrf-token',
      'authjs.nonce',
      'authjs.pkce.code_verifier',
      'authjs.state',
    ]);
    const page = await app.signIn(fake);
    expect(startsSession(page)).toBe(true);
  });
});
